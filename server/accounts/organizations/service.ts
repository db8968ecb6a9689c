import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { freeSlug, slugify } from '#core/slug.ts';
import { insert, insertMember, isSlugTaken, type OrganizationRow, purgeDeleted, update } from './store.ts';

export { demandCreationRate } from './limits.ts';
export { organizationImage, toOrganization } from './render.ts';
export { Organization } from './schema.ts';
export {
  find as findOrganization,
  idsOfUser,
  insertMember,
  type OrganizationRow,
  ownedByName,
} from './store.ts';
export { type Tenancy, tenancy } from './tenancy.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: organization id: suspended, deleted or restored. */
    organization: true;
    /** Key: organization id: looks different. */
    organization_profile: true;
    /** Key: <user id>:<organization id>. */
    membership: true;
    /** Key: user id. */
    memberships_of: true;
  }
}

/** Notification: an organization was suspended, deleted or restored (`organization`), or looks different (`profile`). */
export const standingTopic = 'organization';
export const profileTopic = 'organization_profile';
/** Notification of which organizations a user belongs to; the key is the user's id. */
export const membershipsTopic = 'memberships_of';

/** The user's role in one organization changed, and with it the list of those that the user belongs to. */
export function announceMembership(tx: Tx, userId: string, organizationId: string): void {
  announce(tx, 'membership', `${userId}:${organizationId}`);
  announce(tx, membershipsTopic, userId);
}

export interface NewOrganization {
  name: string;
  /** Made from the name when absent. */
  slug?: string | undefined;
  ownerId: string;
  now: number;
}

/** An organization with its first owner. Throws `Problem('conflict')` when the wanted slug is taken. */
export async function createOrganization(
  tx: Tx,
  source: AuditSource,
  { name, slug: wanted, ownerId, now }: NewOrganization,
): Promise<OrganizationRow> {
  const isTaken = (slug: string) => isSlugTaken(tx, slug);
  if (wanted !== undefined && (await isTaken(wanted))) throw slugTaken(wanted);
  const row: OrganizationRow = {
    id: newId(now),
    name,
    slug: wanted ?? (await freeSlug(slugify(name, 'organization'), isTaken)),
    image_url: null,
    suspended_at: null,
    deleted_at: null,
    created_by_user_id: ownerId,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  const role = 'OWNER';
  await insertMember(tx, {
    id: newId(now),
    organization_id: row.id,
    user_id: ownerId,
    role,
    created_at: now,
  });
  announceMembership(tx, ownerId, row.id);
  await auditChange(tx, source, row.id, 'created', { name, slug: row.slug, ownerId });
  return row;
}

/** A new name or slug. Returns the organization as it is afterwards. */
export async function changeOrganization(
  tx: Tx,
  source: AuditSource,
  row: OrganizationRow,
  changes: { name?: string | undefined; slug?: string | undefined; now: number },
): Promise<OrganizationRow> {
  const { name = row.name, slug = row.slug, now } = changes;
  if (name === row.name && slug === row.slug) return row;
  if (slug !== row.slug && (await isSlugTaken(tx, slug))) throw slugTaken(slug);
  await update(tx, row.id, { name, slug, updated_at: now });
  announce(tx, profileTopic, row.id);
  const from = { name: row.name, slug: row.slug };
  await auditChange(tx, source, row.id, 'updated', { from, to: { name, slug } });
  return { ...row, name, slug, updated_at: now };
}

/** Null: back to the avatar that we draw. */
export async function setImageUrl(
  tx: Tx,
  source: AuditSource,
  row: OrganizationRow,
  { imageUrl, now }: { imageUrl: string | null; now: number },
): Promise<OrganizationRow> {
  await update(tx, row.id, { image_url: imageUrl, updated_at: now });
  announce(tx, profileTopic, row.id);
  await auditChange(tx, source, row.id, imageUrl === null ? 'image_deleted' : 'image_updated');
  return { ...row, image_url: imageUrl, updated_at: now };
}

/** Out of sight at once, with its keys and tokens; permanently gone after the grace period. */
export async function deleteOrganization(
  tx: Tx,
  source: AuditSource,
  row: OrganizationRow,
  now: number,
): Promise<void> {
  await update(tx, row.id, { deleted_at: now, updated_at: now });
  announce(tx, standingTopic, row.id);
  await auditChange(tx, source, row.id, 'deleted', { name: row.name, slug: row.slug });
}

export async function restoreOrganization(
  tx: Tx,
  source: AuditSource,
  row: OrganizationRow,
  now: number,
): Promise<OrganizationRow> {
  if (row.deleted_at === null) throw new Problem('conflict', 'The organization is not deleted.');
  await update(tx, row.id, { deleted_at: null, updated_at: now });
  announce(tx, standingTopic, row.id);
  await auditChange(tx, source, row.id, 'restored', { name: row.name });
  return { ...row, deleted_at: null, updated_at: now };
}

/** For operators: nobody can use the organization until they lift it. */
export async function setSuspended(
  tx: Tx,
  source: AuditSource,
  row: OrganizationRow,
  { suspended, now }: { suspended: boolean; now: number },
): Promise<OrganizationRow> {
  if ((row.suspended_at !== null) === suspended) return row;
  const suspended_at = suspended ? now : null;
  await update(tx, row.id, { suspended_at, updated_at: now });
  announce(tx, standingTopic, row.id);
  await auditChange(tx, source, row.id, suspended ? 'suspended' : 'unsuspended');
  return { ...row, suspended_at, updated_at: now };
}

/** Permanently removes what was deleted longer ago than the grace period. */
export async function purgeOrganizations(db: Db, source: AuditSource, before: number): Promise<void> {
  await db.write(async (tx) => {
    for (const id of await purgeDeleted(tx, before)) await auditChange(tx, source, id, 'purged');
  });
}

function slugTaken(slug: string): Problem {
  return new Problem('conflict', `The slug "${slug}" is taken; choose another.`);
}

function auditChange(
  tx: Tx,
  source: AuditSource,
  id: string,
  what: ActionOf<'organization'>,
  details = {},
): Promise<void> {
  const target = { organizationId: id, targetType: 'organization', targetId: id };
  return audit(tx, source, { ...target, action: `organization.${what}`, details });
}
