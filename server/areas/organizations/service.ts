import { type AuditSource, record } from '#areas/audit-log/service.ts';
import type { Auth, Role } from '#core/actor.ts';
import { Cached } from '#core/cached.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { freeSlug, slugify } from '#core/slug.ts';
import { insert, insertMember, isSlugTaken, type OrganizationRow, roleOf } from './store.ts';

export { ownedByName } from './store.ts';

/** Who may see which account, answered from memory where it can be. */
export interface Tenancy {
  /** Null when the actor may not even know of the organization, or when there is none. */
  roleIn(auth: Auth, organizationId: string): Promise<Role | null>;
  /** The organization that owns the application; null when there is none. */
  organizationOf(applicationId: string): Promise<string | null>;
}

/** `organizationIdOf` reads an application's owner from the database. */
export function tenancy(deps: {
  db: Db;
  max: number;
  organizationIdOf: (applicationId: string) => Promise<string | null>;
}): Tenancy {
  const { db, max } = deps;
  const memberRoles = new Cached<Role | null>({
    news: db.news,
    max,
    topics: ['membership'],
    sweepingTopics: ['organization'],
    load(key) {
      const [userId = '', organizationId = ''] = key.split(':');
      return roleOf(db, userId, organizationId);
    },
  });
  const owners = new Cached<string | null>({
    news: db.news,
    max,
    topics: ['application'],
    sweepingTopics: ['organization'],
    load: deps.organizationIdOf,
  });
  return {
    async roleIn({ actor }, organizationId) {
      if (actor.type === 'user') return memberRoles.get(`${actor.id}:${organizationId}`);
      // Roles are for people. What a machine may do in its own account, its scopes decide.
      return actor.organizationId === organizationId ? 'OWNER' : null;
    },
    organizationOf: (applicationId) => owners.get(applicationId),
  };
}

/** An organization with its first owner. */
export async function createOrganization(
  tx: Tx,
  db: Db,
  source: AuditSource,
  { name, ownerId, now }: { name: string; ownerId: string; now: number },
): Promise<OrganizationRow> {
  const row: OrganizationRow = {
    id: newId(now),
    name,
    slug: await freeSlug(slugify(name, 'organization'), (slug) => isSlugTaken(tx, slug)),
    image_url: null,
    suspended_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  const membership = {
    id: newId(now),
    organization_id: row.id,
    user_id: ownerId,
    role: 'OWNER' as const,
    created_at: now,
  };
  await insertMember(tx, membership);
  db.announce(tx, 'membership', `${ownerId}:${row.id}`);
  await record(tx, source, {
    organizationId: row.id,
    action: 'organization.created',
    targetType: 'organization',
    targetId: row.id,
    details: { name, slug: row.slug, ownerId },
  });
  return row;
}
