import { type AuditSource, record } from '#accounts/audit-log/service.ts';
import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { freeSlug, slugify } from '#core/slug.ts';
import { type ApplicationRow, insert, insertEnvironment, isSlugTaken } from './store.ts';

export { byName, environmentBelongsTo, nameOf, organizationIdOf } from './store.ts';

const firstEnvironments = [
  { name: 'Production', slug: 'production' },
  { name: 'Preview', slug: 'preview' },
];

/** An application with its environments `production` and `preview`. */
export async function createApplication(
  tx: Tx,
  source: AuditSource,
  { name, organizationId, now }: { name: string; organizationId: string; now: number },
): Promise<ApplicationRow> {
  const row: ApplicationRow = {
    id: newId(now),
    organization_id: organizationId,
    name,
    slug: await freeSlug(slugify(name, 'application'), (slug) => isSlugTaken(tx, organizationId, slug)),
    image_url: null,
    root_directory: null,
    default_environment_slug: 'production',
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  for (const environment of firstEnvironments) {
    const times = { created_at: now, updated_at: now };
    await insertEnvironment(tx, { id: newId(now), application_id: row.id, ...environment, ...times });
  }
  await record(tx, source, {
    organizationId,
    action: 'application.created',
    targetType: 'application',
    targetId: row.id,
    details: { name, slug: row.slug },
  });
  return row;
}
