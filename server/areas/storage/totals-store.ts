import { sql } from 'kysely';
import type { Db } from '#core/db.ts';

const bytes = sql<number>`coalesce(sum(live_bytes + old_bytes + trash_bytes), 0)`;
const objects = sql<number>`coalesce(sum(live_objects + old_objects + trash_objects), 0)`;

function present(db: Db) {
  return db
    .selectFrom('storage_buckets as b')
    .innerJoin('storage_usage as u', 'u.bucket_id', 'b.id')
    .where('b.deleted_at', 'is', null);
}

export async function totalsOf(
  db: Db,
  organizationId: string,
  applicationId: string | undefined,
): Promise<{ buckets: number; objects: number; bytes: number }> {
  let query = present(db).where('b.organization_id', '=', organizationId);
  if (applicationId !== undefined) query = query.where('b.application_id', '=', applicationId);
  const row = await query
    .select([sql<number>`count(*)`.as('buckets'), objects.as('objects'), bytes.as('bytes')])
    .executeTakeFirstOrThrow();
  return { buckets: Number(row.buckets), objects: Number(row.objects), bytes: Number(row.bytes) };
}

/** Of every organization that has a bucket. */
export async function bytesByOrganization(db: Db): Promise<{ organizationId: string; bytes: number }[]> {
  const rows = await present(db)
    .select(['b.organization_id', bytes.as('bytes')])
    .groupBy('b.organization_id')
    .execute();
  return rows.map((row) => ({ organizationId: row.organization_id, bytes: Number(row.bytes) }));
}
