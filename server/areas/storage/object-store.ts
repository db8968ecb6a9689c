import { type Db, type Tx, together } from '#core/db.ts';
import { garbage } from './blob-store.ts';
import { type BucketRow, presentBucket, type UsageChange, type UsageRow, usageChange } from './store.ts';

/** Versions of objects. */

/**
 * `live`: what the key holds now, one a key. `marker`: the key was deleted in a versioned bucket, one a key and then no
 * live one. `old`: a version, or a delete marker, that is no longer current. `trash`: deleted and may be restored.
 */
type ObjectState = 'live' | 'marker' | 'old' | 'trash';

interface ObjectTable {
  /** Also the version id over S3, unless `null_version`. */
  id: string;
  bucket_id: string;
  key: string;
  state: ObjectState;
  delete_marker: number;
  /** Written while the bucket was not versioned: S3 calls the version `null`. */
  null_version: number;
  content_type: string | null;
  content_length: number;
  /** Without quotes. */
  etag: string;
  /** Hexadecimal, lower case; of the whole content. */
  checksum_sha1: string | null;
  checksum_sha256: string | null;
  checksum_md5: string | null;
  /** The content, when it is one blob; else see `content_id`. Both null: empty. Copies share both. */
  blob: string | null;
  /** Of the pieces that make the content up. */
  content_id: string | null;
  encrypted: number;
  /** JSON of `ObjectAttributes`. */
  attributes: string;
  retain_until: number | null;
  retention_mode: 'GOVERNANCE' | 'COMPLIANCE' | null;
  legal_hold: number;
  upload_session_id: string | null;
  uploaded_at: number;
  created_at: number;
  updated_at: number;
  /** When it went to the trash. */
  deleted_at: number | null;
}

declare module '#core/db.ts' {
  interface Tables {
    storage_objects: ObjectTable;
  }
}

export type ObjectRow = ObjectTable;

export function findObject(db: Db | Tx, bucketId: string, id: string): Promise<ObjectRow | undefined> {
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('id', '=', id)
    .where('bucket_id', '=', bucketId)
    .executeTakeFirst();
}

const liveAt = (db: Db | Tx, bucketId: string, key: string) =>
  db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .where('state', '=', 'live');

export function findLive(db: Db | Tx, bucketId: string, key: string): Promise<ObjectRow | undefined> {
  return liveAt(db, bucketId, key).executeTakeFirst();
}

/** A bucket, unless it is deleted, and what it holds under a key. */
export async function findPlace(
  tx: Tx,
  bucketId: string,
  key: string,
): Promise<{ bucket: BucketRow | undefined; live: ObjectRow | undefined }> {
  const [[bucket], [live]] = await together(tx, presentBucket(tx, bucketId), liveAt(tx, bucketId, key));
  return { bucket, live };
}

/** The versions of a key that are not live, newest first. */
export function listOthers(
  db: Db | Tx,
  bucketId: string,
  key: string,
  state: 'marker' | 'old' | 'trash',
  limit?: number,
): Promise<ObjectRow[]> {
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('state', '=', state)
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (q) => q.limit(limit as number))
    .execute();
}

/** The version of a key that was written while the bucket was not versioned; never one in the trash. */
export function findNullVersion(db: Db | Tx, bucketId: string, key: string): Promise<ObjectRow | undefined> {
  const of = (state: ObjectState) =>
    db
      .selectFrom('storage_objects')
      .selectAll()
      .where('bucket_id', '=', bucketId)
      .where('key', '=', key)
      .where('state', '=', state)
      .where('null_version', '=', 1);
  return of('live').unionAll(of('marker')).unionAll(of('old')).executeTakeFirst();
}

export async function insertObject(tx: Tx, row: ObjectRow): Promise<void> {
  await tx.insertInto('storage_objects').values(row).execute();
}

/** The same, and counts the change in its bucket; see `addUsage`. */
export async function insertCounted(
  tx: Tx,
  row: ObjectRow,
  change: UsageChange,
): Promise<UsageRow | undefined> {
  const insert = tx.insertInto('storage_objects').values(row);
  const [, [usage]] = await together(tx, insert, usageChange(tx, row.bucket_id, change));
  return usage;
}

export async function updateObject(tx: Tx, id: string, changes: Partial<ObjectRow>): Promise<void> {
  await tx.updateTable('storage_objects').set(changes).where('id', '=', id).execute();
}

export async function removeObject(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('storage_objects').where('id', '=', id).execute();
}

/** The same, and hands its blobs to the sweeper. */
export async function removeWithBlobs(
  tx: Tx,
  id: string,
  blobs: readonly string[],
  dueAt: number,
): Promise<void> {
  await together(tx, tx.deleteFrom('storage_objects').where('id', '=', id), garbage(tx, blobs, dueAt));
}

/** Versions in that state, by key and id, behind a place: for going through all of them. */
export function walkObjects(
  db: Db,
  bucketId: string,
  state: ObjectState,
  after: { key: string; id: string } | undefined,
  limit: number,
): Promise<ObjectRow[]> {
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('state', '=', state)
    .$if(after !== undefined, (q) =>
      q
        .where('key', '>=', after?.key ?? '')
        .where((e) => e.or([e('key', '>', after?.key ?? ''), e('id', '>', after?.id ?? '')])),
    )
    .orderBy('key')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Of every bucket, by id, behind that one. */
export function walkAllObjects(db: Db, after: string | undefined, limit: number): Promise<ObjectRow[]> {
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .$if(after !== undefined, (q) => q.where('id', '>', after as string))
    .where('delete_marker', '=', 0)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Up to `limit` of a bucket, whatever their state: for emptying it. */
export function anyObjects(db: Db | Tx, bucketId: string, limit: number): Promise<ObjectRow[]> {
  const of = (isLive: boolean) =>
    db
      .selectFrom('storage_objects')
      .selectAll()
      .where('bucket_id', '=', bucketId)
      .where('state', isLive ? '=' : '<>', 'live')
      .limit(limit);
  return db
    .selectFrom(of(true).as('live'))
    .selectAll()
    .unionAll(db.selectFrom(of(false).as('others')).selectAll())
    .limit(limit)
    .execute();
}

/** Those that nothing holds. */
export function listTrashedBefore(db: Db, before: number, now: number, limit: number): Promise<ObjectRow[]> {
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('state', '=', 'trash')
    .where('deleted_at', '<', before)
    .where('legal_hold', '=', 0)
    .where((e) => e.or([e('retain_until', 'is', null), e('retain_until', '<=', now)]))
    .limit(limit)
    .execute();
}

export async function isContentShared(tx: Tx, contentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('storage_objects')
    .select('id')
    .where('content_id', '=', contentId)
    .executeTakeFirst();
  return row !== undefined;
}
