import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';
import type { Amount } from './amounts.ts';

interface LedgerTable {
  budget_id: string;
  /** Milliseconds. */
  window_start: number;
  used_nanos: number;
  used_requests: number;
  used_tokens: number;
  /** What processes hold of it: the sum of their leases. */
  held_nanos: number;
  held_requests: number;
  held_tokens: number;
  /** The highest threshold in percent that was warned of. */
  warned: number;
}

interface LeaseTable {
  process_id: string;
  budget_id: string;
  window_start: number;
  nanos: number;
  requests: number;
  tokens: number;
}

interface PendingTable {
  id: string;
  process_id: string;
  organization_id: string;
  /** JSON of `Hold[]`. */
  holds: string;
  /** JSON of the event. */
  event: string;
}

declare module '#core/db.ts' {
  interface Tables {
    ai_ledger: LedgerTable;
    ai_processes: { id: string; beat_at: number };
    ai_leases: LeaseTable;
    ai_pending: PendingTable;
  }
}

export type LedgerRow = LedgerTable;
export type PendingRow = PendingTable;

/** One window of one budget, and what a request holds of it. */
export interface Hold extends Amount {
  budgetId: string;
  windowStart: number;
}

export async function beat(tx: Tx, processId: string, now: number): Promise<void> {
  await tx
    .insertInto('ai_processes')
    .values({ id: processId, beat_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ beat_at: now }))
    .execute();
}

export async function isAlive(tx: Tx, processId: string): Promise<boolean> {
  const row = await tx.selectFrom('ai_processes').select('id').where('id', '=', processId).executeTakeFirst();
  return row !== undefined;
}

export function silentProcesses(db: Db, before: number): Promise<{ id: string }[]> {
  return db.selectFrom('ai_processes').select('id').where('beat_at', '<', before).execute();
}

export async function deleteProcess(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('ai_processes').where('id', '=', id).execute();
}

/** Empty rows for windows that nobody has used yet. */
export async function openWindow(tx: Tx, budgetId: string, windowStart: number): Promise<void> {
  await tx
    .insertInto('ai_ledger')
    .values({
      budget_id: budgetId,
      window_start: windowStart,
      ...{ used_nanos: 0, used_requests: 0, used_tokens: 0 },
      ...{ held_nanos: 0, held_requests: 0, held_tokens: 0 },
      warned: 0,
    })
    .onConflict((conflict) => conflict.columns(['budget_id', 'window_start']).doNothing())
    .execute();
}

export function ledgerRow(
  db: Db | Tx,
  budgetId: string,
  windowStart: number,
): Promise<LedgerRow | undefined> {
  return db
    .selectFrom('ai_ledger')
    .selectAll()
    .where('budget_id', '=', budgetId)
    .where('window_start', '=', windowStart)
    .executeTakeFirst();
}

/** Adds to what was used and to what is held of a window, and returns the row as it is then; undefined: it is gone. */
export function moveLedger(
  tx: Tx,
  budgetId: string,
  windowStart: number,
  { used, held }: { used: Amount; held: Amount },
): Promise<LedgerRow | undefined> {
  return tx
    .updateTable('ai_ledger')
    .set((row) => ({
      used_nanos: row('used_nanos', '+', used.nanos),
      used_requests: row('used_requests', '+', used.requests),
      used_tokens: row('used_tokens', '+', used.tokens),
      held_nanos: row('held_nanos', '+', held.nanos),
      held_requests: row('held_requests', '+', held.requests),
      held_tokens: row('held_tokens', '+', held.tokens),
    }))
    .where('budget_id', '=', budgetId)
    .where('window_start', '=', windowStart)
    .returningAll()
    .executeTakeFirst();
}

export async function setWarned(
  tx: Tx,
  budgetId: string,
  windowStart: number,
  percent: number,
): Promise<void> {
  await tx
    .updateTable('ai_ledger')
    .set({ warned: percent })
    .where('budget_id', '=', budgetId)
    .where('window_start', '=', windowStart)
    .execute();
}

export async function moveLease(
  tx: Tx,
  processId: string,
  budgetId: string,
  windowStart: number,
  by: Amount,
): Promise<void> {
  await tx
    .insertInto('ai_leases')
    .values({ process_id: processId, budget_id: budgetId, window_start: windowStart, ...by })
    .onConflict((conflict) =>
      conflict.columns(['process_id', 'budget_id', 'window_start']).doUpdateSet((row) => ({
        nanos: row('ai_leases.nanos', '+', by.nanos),
        requests: row('ai_leases.requests', '+', by.requests),
        tokens: row('ai_leases.tokens', '+', by.tokens),
      })),
    )
    .execute();
}

export function leasesOf(tx: Tx, processId: string): Promise<LeaseTable[]> {
  return tx.selectFrom('ai_leases').selectAll().where('process_id', '=', processId).execute();
}

/** Written in one statement of constant text, whatever their number. */
export async function insertPending(
  tx: Tx,
  engine: Db['engine'],
  rows: readonly PendingRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const json = JSON.stringify(rows);
  const columns = sql.raw('id, process_id, organization_id, holds, event');
  const values =
    engine === 'postgres'
      ? sql`select ${columns} from json_to_recordset(${json}::json)
          as r(id uuid, process_id uuid, organization_id uuid, holds text, event text)`
      : sql`select value->>'id', value->>'process_id', value->>'organization_id', value->>'holds', value->>'event'
          from json_each(${json})`;
  await sql`insert into ai_pending (${columns}) ${values}`.execute(tx);
}

/** The ids of those that were still there: what a sweeper has closed already is not closed again. */
export async function takePending(
  tx: Tx,
  engine: Db['engine'],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const json = JSON.stringify(ids);
  const wanted =
    engine === 'postgres'
      ? sql`select value::uuid from json_array_elements_text(${json}::json)`
      : sql`select value from json_each(${json})`;
  const { rows } = await sql<{ id: string }>`
    delete from ai_pending where id in (${wanted}) returning id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

export function pendingOfProcess(tx: Tx, processId: string, limit: number): Promise<PendingRow[]> {
  return tx
    .selectFrom('ai_pending')
    .selectAll()
    .where('process_id', '=', processId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function updatePendingEvent(tx: Tx, id: string, event: string): Promise<void> {
  await tx.updateTable('ai_pending').set({ event }).where('id', '=', id).execute();
}

export async function deleteOldWindows(tx: Tx, before: number): Promise<void> {
  await tx
    .deleteFrom('ai_ledger')
    .where('window_start', '<', before)
    .where('held_requests', '=', 0)
    .where('held_nanos', '=', 0)
    .where('held_tokens', '=', 0)
    .execute();
}
