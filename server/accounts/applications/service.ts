import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { freeSlug, slugify } from '#core/slug.ts';
import { insertEnvironment } from './environment-store.ts';
import { claimFirstLabel, type LabelRules } from './labels.ts';
import { type ApplicationRow, find, insert, isSlugTaken, update } from './store.ts';

export { environmentForBranch, takesBranch } from './branches.ts';
export { environmentBelongsTo } from './environment-store.ts';
export type {
  Environment,
  Environments,
  EnvironmentUse,
} from './environments.ts';
export {
  appHostname,
  countHostnames,
  findHostname,
  type HostnameRow,
  type HostnameSource,
  type HostnameType,
  hostnameTopic,
  insertHostname,
  listHostnames,
  removeHostname,
  updateHostname,
} from './hostname-store.ts';

import { announce } from '#core/notifications.ts';

export { changeLabel, type LabelRules, labelProblem, labelRules, normalizeLabel } from './labels.ts';
export type { Applications } from './listing.ts';
export { applicationSummary } from './render.ts';
export { type ApplicationRow, byName, find as findApplication, ownerOf } from './store.ts';
export type { Transferred } from './transfer.ts';

/** Notification: an application was deleted, restored, moved or purged; keys and tokens of it are looked at again. */
const standingTopic = 'application';
/** Notification: an application is new or looks different. */
const profileTopic = 'application_profile';

export interface Deps {
  db: Db;
  labels: LabelRules;
}

export interface NewApplication {
  organizationId: string;
  name: string;
  /** Made from the name when absent. */
  slug?: string | undefined;
  rootDirectory?: string | null;
  createdByUserId?: string | null;
  now: number;
}

const firstEnvironments = [
  { name: 'Production', slug: 'production', branches: '["main"]', rolls_back_on_crash: 0, always_on: 0 },
  { name: 'Preview', slug: 'preview', branches: '["*"]', rolls_back_on_crash: 0, always_on: 0 },
];

/** An application with its environments `production` and `preview`, and its hostname. */
export async function createApplication(
  tx: Tx,
  { labels }: Deps,
  source: AuditSource,
  wanted: NewApplication,
): Promise<ApplicationRow> {
  const { organizationId, name, now } = wanted;
  const isTaken = (slug: string) => isSlugTaken(tx, organizationId, slug);
  if (wanted.slug !== undefined && (await isTaken(wanted.slug))) throw slugTaken(wanted.slug);
  const row: ApplicationRow = {
    id: newId(now),
    organization_id: organizationId,
    name,
    slug: wanted.slug ?? (await freeSlug(slugify(name, 'application'), isTaken)),
    image_url: null,
    root_directory: wanted.rootDirectory ?? null,
    default_environment_slug: 'production',
    created_by_user_id: wanted.createdByUserId ?? null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  for (const environment of firstEnvironments) {
    const times = { created_at: now, updated_at: now };
    await insertEnvironment(tx, { id: newId(now), application_id: row.id, ...environment, ...times });
  }
  await claimFirstLabel(tx, labels, { id: row.id, slug: row.slug, now });
  announce(tx, profileTopic, row.id);
  await auditChange(tx, source, row, 'created', { name, slug: row.slug });
  return row;
}

export interface ApplicationChanges {
  name?: string | undefined;
  slug?: string | undefined;
  rootDirectory?: string | null | undefined;
  defaultEnvironmentSlug?: string | undefined;
}

export async function changeApplication(
  tx: Tx,
  source: AuditSource,
  row: ApplicationRow,
  changes: ApplicationChanges & { now: number },
): Promise<ApplicationRow> {
  const after = {
    name: changes.name ?? row.name,
    slug: changes.slug ?? row.slug,
    root_directory: changes.rootDirectory === undefined ? row.root_directory : changes.rootDirectory,
    default_environment_slug: changes.defaultEnvironmentSlug ?? row.default_environment_slug,
  };
  const changed = (Object.keys(after) as (keyof typeof after)[]).filter((key) => after[key] !== row[key]);
  if (changed.length === 0) return row;
  if (after.slug !== row.slug && (await isSlugTaken(tx, row.organization_id, after.slug)))
    throw slugTaken(after.slug);
  await update(tx, row.id, { ...after, updated_at: changes.now });
  announce(tx, profileTopic, row.id);
  const pick = (from: typeof after) => Object.fromEntries(changed.map((key) => [key, from[key]]));
  await auditChange(tx, source, row, 'updated', { from: pick(row), to: pick(after) });
  return { ...row, ...after, updated_at: changes.now };
}

/** Null: back to the avatar that we draw. */
export async function setImageUrl(
  tx: Tx,
  source: AuditSource,
  row: ApplicationRow,
  { imageUrl, now }: { imageUrl: string | null; now: number },
): Promise<ApplicationRow> {
  await update(tx, row.id, { image_url: imageUrl, updated_at: now });
  announce(tx, profileTopic, row.id);
  await auditChange(tx, source, row, imageUrl === null ? 'image_deleted' : 'image_updated');
  return { ...row, image_url: imageUrl, updated_at: now };
}

/** Out of sight at once, with its keys and tokens; permanently gone after the grace period. */
export async function deleteApplication(
  tx: Tx,
  source: AuditSource,
  row: ApplicationRow,
  now: number,
): Promise<void> {
  await update(tx, row.id, { deleted_at: now, updated_at: now });
  announce(tx, standingTopic, row.id);
  await auditChange(tx, source, row, 'deleted', { name: row.name, slug: row.slug });
}

export async function restoreApplication(
  tx: Tx,
  source: AuditSource,
  row: ApplicationRow,
  now: number,
): Promise<ApplicationRow> {
  if (row.deleted_at === null) throw new Problem('conflict', 'The application is not deleted.');
  await update(tx, row.id, { deleted_at: null, updated_at: now });
  announce(tx, standingTopic, row.id);
  await auditChange(tx, source, row, 'restored', { name: row.name });
  return { ...row, deleted_at: null, updated_at: now };
}

/** It was there when the access was checked; it may have been deleted since. */
export async function present(
  db: Db | Tx,
  id: string,
  options: { whileDeleted: boolean } = { whileDeleted: false },
): Promise<ApplicationRow> {
  const row = await find(db, id);
  if (!row || (row.deleted_at !== null && !options.whileDeleted)) throw invisible();
  return row;
}

export function invisible(): Problem {
  return new Problem('not_found', 'No application with this id is visible to this token.');
}

function slugTaken(slug: string): Problem {
  const sentence = `The slug "${slug}" is taken in the organization, perhaps by a deleted application; choose another.`;
  return new Problem('conflict', sentence);
}

export function auditChange(
  tx: Tx,
  source: AuditSource,
  row: Pick<ApplicationRow, 'id' | 'organization_id'>,
  what: ActionOf<'application'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  const target = { organizationId: row.organization_id, targetType: 'application', targetId: row.id };
  return audit(tx, source, { ...target, action: `application.${what}`, details });
}
