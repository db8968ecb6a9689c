import { countRows, type Db, type Tx } from '#core/db.ts';

interface RenditionTable {
  object_id: string;
  /** Size, fit, format and quality. */
  spec: string;
  blob: string;
  size: number;
  content_type: string;
  encrypted: number;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    storage_renditions: RenditionTable;
  }
}

export type RenditionRow = RenditionTable;

export function findRendition(db: Db, objectId: string, spec: string): Promise<RenditionRow | undefined> {
  return db
    .selectFrom('storage_renditions')
    .selectAll()
    .where('object_id', '=', objectId)
    .where('spec', '=', spec)
    .executeTakeFirst();
}

/** False when there is one already, the object is gone, or it has `max` of them. */
export async function insertRendition(tx: Tx, row: RenditionRow, max: number): Promise<boolean> {
  const object = await tx
    .selectFrom('storage_objects')
    .select('id')
    .where('id', '=', row.object_id)
    .executeTakeFirst();
  const count = await countRows(tx.selectFrom('storage_renditions').where('object_id', '=', row.object_id));
  if (!object || count >= max) return false;
  const result = await tx
    .insertInto('storage_renditions')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Of an object that is being removed; their blobs are the caller's. */
export async function takeRenditions(tx: Tx, objectId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('storage_renditions')
    .select('blob')
    .where('object_id', '=', objectId)
    .execute();
  if (rows.length > 0) await tx.deleteFrom('storage_renditions').where('object_id', '=', objectId).execute();
  return rows.map(({ blob }) => blob);
}
