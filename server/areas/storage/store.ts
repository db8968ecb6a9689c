import { type Kysely, sql } from 'kysely';
import { countRows, type Db, type Tables, type Tx } from '#core/db.ts';
import { firstOf, fixedQuery } from '#core/fixed-query.ts';

/** Buckets, what they hold in sum, and their days. Objects and uploads have files of their own. */

interface BucketTable {
  id: string;
  organization_id: string;
  application_id: string;
  environment_id: string;
  /** Unique within the environment. A deleted bucket is called by its id. */
  name: string;
  /** Unique in the instance: the bucket's name over S3 and in addresses. */
  slug: string;
  visibility: 'public' | 'private';
  versioning: 'off' | 'enabled' | 'suspended';
  /** Sealed key of the bucket; null: new content is not encrypted, and none is. */
  data_key: Uint8Array | null;
  quota_bytes: number | null;
  quota_objects: number | null;
  cache_control: string | null;
  /** JSON of `CorsRule[]`. */
  cors: string;
  /** JSON of `LifecycleRule[]`. */
  lifecycle: string;
  webhook_url: string | null;
  /** Sealed. */
  webhook_secret: Uint8Array | null;
  object_lock: number;
  /** JSON: what only the S3 endpoint knows of (policy, ACL, tags, ...), by name. */
  documents: string;
  /** When lifecycle rules were last applied. */
  swept_at: number;
  created_at: number;
  updated_at: number;
  /** Its objects are being removed; nobody sees it any more. */
  deleted_at: number | null;
}

interface UsageTable {
  bucket_id: string;
  live_objects: number;
  live_bytes: number;
  /** Versions that are no longer current, delete markers included. */
  old_objects: number;
  old_bytes: number;
  trash_objects: number;
  trash_bytes: number;
  /** Open uploads, and the bytes that they announced or, without a length, have sent. */
  uploads: number;
  upload_bytes: number;
}

interface UsageDayTable {
  bucket_id: string;
  /** `2026-11-22`, UTC. */
  day: string;
  /** Stored at the last count of that day. */
  bytes: number;
  objects: number;
  requests: number;
  bytes_in: number;
  bytes_out: number;
}

declare module '#core/db.ts' {
  interface Tables {
    storage_buckets: BucketTable;
    storage_usage: UsageTable;
    storage_usage_days: UsageDayTable;
  }
}

export type BucketRow = BucketTable;
export type UsageRow = UsageTable;
export type UsageDayRow = UsageDayTable;
export type UsageChange = Partial<Omit<UsageTable, 'bucket_id'>>;

const present = (db: Kysely<Tables>) =>
  db.selectFrom('storage_buckets').selectAll().where('deleted_at', 'is', null);

/** Unless it is deleted. */
export const bucketAt = fixedQuery((db, { id }: { id: string }) => present(db).where('id', '=', id));

export function findBucket(db: Db | Tx, id: string): Promise<BucketRow | undefined> {
  return firstOf(db, bucketAt(db, { id }));
}

export function findBucketByName(
  db: Db | Tx,
  environmentId: string,
  name: string,
): Promise<BucketRow | undefined> {
  return present(db).where('environment_id', '=', environmentId).where('name', '=', name).executeTakeFirst();
}

export function findBucketBySlug(db: Db | Tx, slug: string): Promise<BucketRow | undefined> {
  return present(db).where('slug', '=', slug).executeTakeFirst();
}

/** By id, which is by creation. */
export function listBuckets(
  db: Db | Tx,
  of: { applicationId: string; environmentId?: string | undefined },
  page: { limit?: number | undefined; after?: string | undefined } = {},
): Promise<BucketRow[]> {
  return present(db)
    .where('application_id', '=', of.applicationId)
    .$if(of.environmentId !== undefined, (q) => q.where('environment_id', '=', of.environmentId as string))
    .$if(page.after !== undefined, (q) => q.where('id', '>', page.after as string))
    .$if(page.limit !== undefined, (q) => q.limit(page.limit as number))
    .orderBy('id')
    .execute();
}

export function countBuckets(
  db: Db | Tx,
  of: { applicationId: string; environmentId?: string | undefined },
): Promise<number> {
  const query = db
    .selectFrom('storage_buckets')
    .where('deleted_at', 'is', null)
    .where('application_id', '=', of.applicationId)
    .$if(of.environmentId !== undefined, (q) => q.where('environment_id', '=', of.environmentId as string));
  return countRows(query);
}

export function countBucketsOf(tx: Tx, environmentId: string): Promise<number> {
  const query = tx
    .selectFrom('storage_buckets')
    .where('deleted_at', 'is', null)
    .where('environment_id', '=', environmentId);
  return countRows(query);
}

export async function moveBucketsTo(tx: Tx, applicationId: string, organizationId: string): Promise<void> {
  await tx
    .updateTable('storage_buckets')
    .set({ organization_id: organizationId })
    .where('application_id', '=', applicationId)
    .execute();
}

export async function insertBucket(tx: Tx, row: BucketRow): Promise<void> {
  await tx.insertInto('storage_buckets').values(row).execute();
  await tx
    .insertInto('storage_usage')
    .values({ bucket_id: row.id, ...noUsage })
    .execute();
}

const noUsage = {
  ...{ live_objects: 0, live_bytes: 0, old_objects: 0, old_bytes: 0, trash_objects: 0, trash_bytes: 0 },
  ...{ uploads: 0, upload_bytes: 0 },
};

export async function updateBucket(tx: Tx, id: string, changes: Partial<BucketRow>): Promise<void> {
  await tx.updateTable('storage_buckets').set(changes).where('id', '=', id).execute();
}

export async function removeBucket(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('storage_buckets').where('id', '=', id).execute();
}

/** Buckets that were deleted, or whose application is gone, with all that is left of them. */
export function listRemovableBuckets(db: Db, limit: number): Promise<BucketRow[]> {
  return db
    .selectFrom('storage_buckets')
    .selectAll('storage_buckets')
    .leftJoin('applications', 'applications.id', 'storage_buckets.application_id')
    .where((e) => e.or([e('storage_buckets.deleted_at', 'is not', null), e('applications.id', 'is', null)]))
    .orderBy('storage_buckets.id')
    .limit(limit)
    .execute();
}

export async function markDeleted(tx: Tx, applicationId: string, now: number): Promise<void> {
  await tx
    .updateTable('storage_buckets')
    .set({ deleted_at: now, name: sql<string>`cast(id as text)`, slug: sql<string>`cast(id as text)` })
    .where('application_id', '=', applicationId)
    .where('deleted_at', 'is', null)
    .execute();
}

export function listBucketsWithRules(db: Db, sweptBefore: number): Promise<BucketRow[]> {
  return present(db).where('lifecycle', '<>', '[]').where('swept_at', '<', sweptBefore).execute();
}

export function findUsage(db: Db | Tx, bucketId: string): Promise<UsageRow | undefined> {
  return db.selectFrom('storage_usage').selectAll().where('bucket_id', '=', bucketId).executeTakeFirst();
}

/** Adds to the counts, and returns what they are now; undefined when the bucket is deleted or gone. */
export function addUsage(tx: Tx, bucketId: string, change: UsageChange): Promise<UsageRow | undefined> {
  return usageChange(tx, bucketId, change).executeTakeFirst();
}

export function usageChange(tx: Tx, bucketId: string, change: UsageChange) {
  const add = (column: keyof UsageChange) => sql<number>`${sql.ref(column)} + ${change[column] ?? 0}`;
  const changed = Object.keys(change) as (keyof UsageChange)[];
  return tx
    .updateTable('storage_usage')
    .set(Object.fromEntries(changed.map((column) => [column, add(column)])))
    .where('bucket_id', '=', bucketId)
    .where(sql<boolean>`exists (select 1 from storage_buckets where id = ${bucketId} and deleted_at is null)`)
    .returningAll();
}

export interface Traffic {
  requests: number;
  bytesIn: number;
  bytesOut: number;
}

/** Adds traffic to a day, and notes what is stored at this moment. Nothing for a bucket that is gone. */
export async function addDay(tx: Tx, bucketId: string, day: string, traffic: Traffic): Promise<void> {
  const usage = await findUsage(tx, bucketId);
  if (!usage) return;
  const stored = {
    bytes: usage.live_bytes + usage.old_bytes + usage.trash_bytes,
    objects: usage.live_objects + usage.old_objects + usage.trash_objects,
  };
  const { requests, bytesIn: bytes_in, bytesOut: bytes_out } = traffic;
  await tx
    .insertInto('storage_usage_days')
    .values({ bucket_id: bucketId, day, ...stored, requests, bytes_in, bytes_out })
    .onConflict((c) =>
      c.columns(['bucket_id', 'day']).doUpdateSet({
        ...stored,
        requests: sql`storage_usage_days.requests + ${requests}`,
        bytes_in: sql`storage_usage_days.bytes_in + ${bytes_in}`,
        bytes_out: sql`storage_usage_days.bytes_out + ${bytes_out}`,
      }),
    )
    .execute();
}

export function listDays(db: Db, bucketId: string, from: string, to: string): Promise<UsageDayRow[]> {
  return db
    .selectFrom('storage_usage_days')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();
}
