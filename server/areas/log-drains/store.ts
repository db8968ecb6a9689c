import { countRows, type Db, type Tx } from '#core/db.ts';

interface LogDrainTable {
  id: string;
  application_id: string;
  name: string;
  type: 'ndjson' | 'otlp';
  /** Sealed: addresses of collectors may hold a key. */
  url: Uint8Array;
  /** Sealed JSON: an object of texts. */
  headers: Uint8Array;
  enabled: number;
  /** The last line that was delivered. */
  position_stored: number;
  position_id: string;
  /** When it is looked at next; a node that delivers moves it beyond the time that it takes. */
  due_at: number;
  failures: number;
  last_error: string | null;
  delivered_at: number | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    log_drains: LogDrainTable;
  }
}

export type DrainRow = LogDrainTable;

export function list(db: Db, applicationId: string): Promise<DrainRow[]> {
  return db
    .selectFrom('log_drains')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('id')
    .execute();
}

export function count(tx: Tx, applicationId: string): Promise<number> {
  return countRows(tx.selectFrom('log_drains').where('application_id', '=', applicationId));
}

export function find(db: Db | Tx, applicationId: string, id: string): Promise<DrainRow | undefined> {
  return db
    .selectFrom('log_drains')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insert(tx: Tx, row: DrainRow): Promise<void> {
  await tx.insertInto('log_drains').values(row).execute();
}

export async function update(tx: Tx, id: string, changes: Partial<DrainRow>): Promise<void> {
  await tx.updateTable('log_drains').set(changes).where('id', '=', id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('log_drains').where('id', '=', id).execute();
}

export async function dueIds(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('log_drains')
    .select('id')
    .where('enabled', '=', 1)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Claims a drain that is due until that moment; undefined when another node was faster. */
export async function claim(tx: Tx, id: string, now: number, until: number): Promise<DrainRow | undefined> {
  const row = await tx
    .selectFrom('log_drains')
    .selectAll()
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where('due_at', '<=', now)
    .executeTakeFirst();
  if (row) await update(tx, id, { due_at: until });
  return row;
}
