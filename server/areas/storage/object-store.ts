import { sql } from 'kysely';
import { type Db, type Tx, together } from '#core/db.ts';
import { firstOf, fixedQuery } from '#core/fixed-query.ts';
import { garbage, latest } from './blob-store.ts';
import { type BucketRow, bucketAt, type UsageChange, type UsageRow, usageChange } from './store.ts';

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
  /**
   * The content, when it is one blob; else see `content_id`. Copies share both. Both null: empty, or inline where there
   * is a length.
   */
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

/** Bytes of small objects. They go with the row. */
interface InlineTable {
  object_id: string;
  bytes: Uint8Array;
}

declare module '#core/db.ts' {
  interface Tables {
    storage_objects: ObjectTable;
    storage_inline: InlineTable;
  }
}

export type ObjectRow = ObjectTable;
/** With its bytes, where they are inline: whoever reads both at once never finds the one without the other. */
export type ReadableRow = ObjectRow & { inline?: Uint8Array | null };

export function isInline(row: Pick<ObjectRow, 'blob' | 'content_id' | 'content_length'>): boolean {
  return row.blob === null && row.content_id === null && row.content_length > 0;
}

export async function findInline(db: Db | Tx, objectId: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('storage_inline')
    .select('bytes')
    .where('object_id', '=', objectId)
    .executeTakeFirst();
  return row?.bytes;
}

export async function insertInline(tx: Tx, objectId: string, bytes: Uint8Array): Promise<void> {
  await tx.insertInto('storage_inline').values({ object_id: objectId, bytes }).execute();
}

export function findObject(db: Db | Tx, bucketId: string, id: string): Promise<ObjectRow | undefined> {
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('id', '=', id)
    .where('bucket_id', '=', bucketId)
    .executeTakeFirst();
}

interface Place {
  bucketId: string;
  key: string;
}

const liveAt = fixedQuery((db, { bucketId, key }: Place) =>
  db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .where('state', '=', 'live'),
);

export function findLive(db: Db | Tx, bucketId: string, key: string): Promise<ObjectRow | undefined> {
  return firstOf(db, liveAt(db, { bucketId, key }));
}

const readableAt = fixedQuery((db, { bucketId, key }: Place) =>
  db
    .selectFrom('storage_objects')
    .leftJoin('storage_inline', 'object_id', 'id')
    .selectAll('storage_objects')
    .select('bytes as inline')
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .where('state', '=', 'live'),
);

/** The same, to be read. */
export function findReadable(db: Db, bucketId: string, key: string): Promise<ReadableRow | undefined> {
  return firstOf(db, readableAt(db, { bucketId, key }));
}

/** A bucket, unless it is deleted, and what it holds under a key. */
export async function findPlace(
  tx: Tx,
  bucketId: string,
  key: string,
): Promise<{ bucket: BucketRow | undefined; live: ObjectRow | undefined }> {
  const [[bucket], [live]] = await together(
    tx,
    bucketAt(tx, { id: bucketId }),
    liveAt(tx, { bucketId, key }),
  );
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

const insertion = fixedQuery((db, row: ObjectRow) => db.insertInto('storage_objects').values(row));

const inlineInsertion = fixedQuery((db, row: InlineTable) => db.insertInto('storage_inline').values(row));

/** Counts a version that takes the place of the live one, if there is one; nothing in a bucket that is deleted. */
const replacementCount = fixedQuery((db, { bucketId, key, size }: Place & { size: number }) => {
  const live = sql`storage_objects where bucket_id = ${bucketId} and key = ${key} and state = 'live'`;
  return db
    .updateTable('storage_usage')
    .set({
      live_objects: sql`live_objects + 1 - (select count(*) from ${live})`,
      live_bytes: sql`live_bytes + ${size} - coalesce((select content_length from ${live}), 0)`,
    })
    .where('bucket_id', '=', bucketId)
    .where(sql<boolean>`exists (select 1 from storage_buckets where id = ${bucketId} and deleted_at is null)`)
    .returningAll();
});

/** Hands the blob of the live version, and those of its renditions, to the sweeper. */
const liveToGarbage = fixedQuery((db, { bucketId, key, dueAt }: Place & { dueAt: number }) =>
  db
    .insertInto('storage_garbage')
    .columns(['blob', 'due_at'])
    .expression(
      db
        .selectFrom('storage_objects')
        .select([sql<string>`blob`.as('blob'), sql<number>`cast(${dueAt} as bigint)`.as('due_at')])
        .where('bucket_id', '=', bucketId)
        .where('key', '=', key)
        .where('state', '=', 'live')
        .where('blob', 'is not', null)
        .unionAll(
          db
            .selectFrom('storage_renditions as r')
            .innerJoin('storage_objects as o', 'o.id', 'r.object_id')
            .select(['r.blob', sql<number>`cast(${dueAt} as bigint)`.as('due_at')])
            .where('o.bucket_id', '=', bucketId)
            .where('o.key', '=', key)
            .where('o.state', '=', 'live'),
        ),
    )
    .onConflict(latest),
);

const liveRemoval = fixedQuery((db, { bucketId, key }: Place) =>
  db
    .deleteFrom('storage_objects')
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .where('state', '=', 'live'),
);

/**
 * Puts a version in the place of the live one, which goes with all but its pieces, and counts it: one message to SQLite's
 * thread. Says what it has found, and the counts as they are then; no bucket, or no counts: it is deleted.
 */
export async function replaceLive(
  tx: Tx,
  row: ObjectRow,
  { inline, dueAt }: { inline: Uint8Array | undefined; dueAt: number },
): Promise<{ bucket: BucketRow | undefined; live: ObjectRow | undefined; usage: UsageRow | undefined }> {
  const at = { bucketId: row.bucket_id, key: row.key };
  const [[bucket], [live], [usage]] = await together(
    tx,
    bucketAt(tx, { id: row.bucket_id }),
    liveAt(tx, at),
    replacementCount(tx, { ...at, size: row.content_length }),
    liveToGarbage(tx, { ...at, dueAt }),
    liveRemoval(tx, at),
    insertion(tx, row),
    ...(inline ? [inlineInsertion(tx, { object_id: row.id, bytes: inline })] : []),
  );
  return { bucket, live, usage };
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
