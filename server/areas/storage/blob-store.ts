import { type OnConflictBuilder, sql } from 'kysely';
import type { Db, Tables, Tx } from '#core/db.ts';

/** Which blobs contents are made of, and which of them are to be deleted. */

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
    storage_pieces: PieceTable;
    storage_garbage: GarbageTable;
  }
}

export type PieceRow = PieceTable;

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

/** By number, from there on. */
export function piecesFrom(
  db: Db | Tx,
  contentId: string,
  number: number,
  limit: number,
): Promise<Pick<PieceRow, 'start' | 'size'>[]> {
  return db
    .selectFrom('storage_pieces')
    .select(['start', 'size'])
    .where('content_id', '=', contentId)
    .where('number', '>=', number)
    .orderBy('number')
    .limit(limit)
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
export const latest = (c: OnConflictBuilder<Tables, 'storage_garbage'>) =>
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

/** At least one. */
export const garbage = (tx: Tx, blobs: readonly string[], dueAt: number) =>
  tx
    .insertInto('storage_garbage')
    .values(blobs.map((blob) => ({ blob, due_at: dueAt })))
    .onConflict(latest);

export async function insertGarbage(tx: Tx, blobs: readonly string[], dueAt: number): Promise<void> {
  if (blobs.length > 0) await garbage(tx, blobs, dueAt).execute();
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
