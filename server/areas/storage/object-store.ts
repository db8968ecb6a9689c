import { type OnConflictBuilder, sql } from 'kysely';
import type { Db, Tables, Tx } from '#core/db.ts';

/** Versions of objects, the pieces of large ones, and blobs that are to be deleted. */

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

interface PieceTable {
  content_id: string;
  /** Of S3's multipart: the part number. */
  number: number;
  blob: string;
  /** Where it begins in the content; set for parts when the upload is completed. */
  start: number;
  size: number;
  /** JSON: ETag and checksums of a part. */
  details: string;
  created_at: number;
}

interface GarbageTable {
  blob: string;
  due_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    storage_objects: ObjectTable;
    storage_pieces: PieceTable;
    storage_garbage: GarbageTable;
  }
}

export type ObjectRow = ObjectTable;
export type PieceRow = PieceTable;

export function findObject(db: Db | Tx, bucketId: string, id: string): Promise<ObjectRow | undefined> {
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('id', '=', id)
    .where('bucket_id', '=', bucketId)
    .executeTakeFirst();
}

export function findLive(db: Db | Tx, bucketId: string, key: string): Promise<ObjectRow | undefined> {
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .where('state', '=', 'live')
    .executeTakeFirst();
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

export async function updateObject(tx: Tx, id: string, changes: Partial<ObjectRow>): Promise<void> {
  await tx.updateTable('storage_objects').set(changes).where('id', '=', id).execute();
}

export async function removeObject(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('storage_objects').where('id', '=', id).execute();
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

export async function isContentShared(tx: Tx, contentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('storage_objects')
    .select('id')
    .where('content_id', '=', contentId)
    .executeTakeFirst();
  return row !== undefined;
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

/** By `start`, those that overlap the range. */
export function listPieces(
  db: Db | Tx,
  contentId: string,
  range: { start: number; end: number } = { start: 0, end: Number.MAX_SAFE_INTEGER },
): Promise<PieceRow[]> {
  return db
    .selectFrom('storage_pieces')
    .selectAll()
    .where('content_id', '=', contentId)
    .where('start', '<', range.end)
    .where(sql<boolean>`start + size > ${range.start}`)
    .orderBy('number')
    .execute();
}

/** By number: the parts of an upload that has not placed them yet, too. */
export function listAllPieces(
  db: Db | Tx,
  contentId: string,
  page: { after: number; limit: number } = { after: 0, limit: 20_000 },
): Promise<PieceRow[]> {
  return db
    .selectFrom('storage_pieces')
    .selectAll()
    .where('content_id', '=', contentId)
    .where('number', '>', page.after)
    .orderBy('number')
    .limit(page.limit)
    .execute();
}

export function findPiece(db: Db | Tx, contentId: string, number: number): Promise<PieceRow | undefined> {
  return db
    .selectFrom('storage_pieces')
    .selectAll()
    .where('content_id', '=', contentId)
    .where('number', '=', number)
    .executeTakeFirst();
}

/** Lays the pieces one behind the other, by number. */
export async function placePieces(tx: Tx, contentId: string): Promise<void> {
  await sql`
    update storage_pieces set start = placed.start
    from (
      select number, sum(size) over (order by number) - size as start
      from storage_pieces where content_id = ${contentId}
    ) as placed
    where storage_pieces.content_id = ${contentId} and storage_pieces.number = placed.number`.execute(tx);
}

export async function insertPieces(tx: Tx, rows: readonly PieceRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('storage_pieces').values(rows).execute();
}

export async function removePiece(tx: Tx, contentId: string, number: number): Promise<void> {
  await tx
    .deleteFrom('storage_pieces')
    .where('content_id', '=', contentId)
    .where('number', '=', number)
    .execute();
}

/** A blob that another copy has used meanwhile stays as long as the last one needs it. */
const latest = (c: OnConflictBuilder<Tables, 'storage_garbage'>) =>
  c.column('blob').doUpdateSet({ due_at: sql`excluded.due_at` });

/** Hands the blobs of a content to the sweeper and forgets its pieces. */
export async function discardPieces(tx: Tx, contentId: string, dueAt: number): Promise<void> {
  await tx
    .insertInto('storage_garbage')
    .columns(['blob', 'due_at'])
    .expression((e) =>
      e
        .selectFrom('storage_pieces')
        .select(['blob', sql<number>`cast(${dueAt} as bigint)`.as('due_at')])
        .where('content_id', '=', contentId),
    )
    .onConflict(latest)
    .execute();
  await tx.deleteFrom('storage_pieces').where('content_id', '=', contentId).execute();
}

export async function insertGarbage(tx: Tx, blobs: readonly string[], dueAt: number): Promise<void> {
  if (blobs.length === 0) return;
  await tx
    .insertInto('storage_garbage')
    .values(blobs.map((blob) => ({ blob, due_at: dueAt })))
    .onConflict(latest)
    .execute();
}

export async function dueGarbage(db: Db | Tx, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('storage_garbage')
    .select('blob')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ blob }) => blob);
}

export async function removeGarbage(tx: Tx, blobs: readonly string[]): Promise<void> {
  if (blobs.length > 0) await tx.deleteFrom('storage_garbage').where('blob', 'in', blobs).execute();
}

/** Which of these blobs a row names: of an object, of a piece, of a rendition. */
export async function referenced(db: Db | Tx, blobs: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  if (blobs.length === 0) return found;
  for (const table of ['storage_objects', 'storage_pieces', 'storage_renditions'] as const) {
    const rows = await db
      .selectFrom(table as 'storage_pieces')
      .select('blob')
      .where('blob', 'in', blobs)
      .execute();
    for (const { blob } of rows) found.add(blob);
  }
  return found;
}

/** Which of these are waiting to be deleted. */
export async function awaitingDeletion(db: Db, blobs: readonly string[]): Promise<Set<string>> {
  if (blobs.length === 0) return new Set();
  const rows = await db.selectFrom('storage_garbage').select('blob').where('blob', 'in', blobs).execute();
  return new Set(rows.map(({ blob }) => blob));
}
