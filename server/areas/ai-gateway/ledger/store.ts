import { type Kysely, sql } from 'kysely';
import type { Db, Tables, Tx } from '#core/db.ts';
import { fixedSql } from '#core/fixed-query.ts';
import type { Amount } from './amounts.ts';
import type { UsageEvent } from './event.ts';

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

interface ProcessTable {
  id: string;
  beat_at: number;
  /** Of the machine's start that it runs in; null: the system does not say. */
  boot_id: string | null;
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
    ai_processes: ProcessTable;
    ai_leases: LeaseTable;
    ai_pending: PendingTable;
  }
}

export type LedgerRow = LedgerTable;
export type LeaseRow = LeaseTable;
export type PendingRow = PendingTable;
export type ProcessRow = ProcessTable;

/** One window of one budget, and what a request holds of it. */
export interface Hold extends Amount {
  budgetId: string;
  windowStart: number;
}

/** A process begins. Its row is the right to hold leases and requests: it is made once, and gone once it was swept. */
export async function insertProcess(
  tx: Tx,
  process: { id: string; beat_at: number; boot_id: string | null },
): Promise<void> {
  await tx.insertInto('ai_processes').values(process).execute();
}

/** Whether the process was still there to say that it lives. */
export async function beat(tx: Tx, processId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('ai_processes')
    .set({ beat_at: now })
    .where('id', '=', processId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function findProcess(tx: Tx, id: string): Promise<ProcessRow | undefined> {
  return tx.selectFrom('ai_processes').selectAll().where('id', '=', id).executeTakeFirst();
}

export function silentProcesses(db: Db, before: number): Promise<{ id: string }[]> {
  return db.selectFrom('ai_processes').select('id').where('beat_at', '<', before).execute();
}

/** Its leases go with it: give them back first. */
export async function deleteProcess(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('ai_processes').where('id', '=', id).execute();
}

/** An empty row for a window that nobody has used yet; none where the budget was deleted. */
export async function openWindow(tx: Tx, budgetId: string, windowStart: number): Promise<void> {
  await sql`insert into ai_ledger (budget_id, window_start, used_nanos, used_requests, used_tokens, held_nanos,
      held_requests, held_tokens, warned)
    select id, ${sql.lit(windowStart)}, 0, 0, 0, 0, 0, 0, 0 from ai_budgets where id = ${budgetId}
    on conflict (budget_id, window_start) do nothing`.execute(tx);
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

/** The leases of a window of all processes but this that spoke since then. */
export function leasesOfOthers(
  tx: Tx,
  processId: string,
  window: { budgetId: string; windowStart: number },
  aliveSince: number,
): Promise<LeaseTable[]> {
  return tx
    .selectFrom('ai_leases')
    .innerJoin('ai_processes', 'ai_processes.id', 'ai_leases.process_id')
    .selectAll('ai_leases')
    .where('budget_id', '=', window.budgetId)
    .where('window_start', '=', window.windowStart)
    .where('process_id', '!=', processId)
    .where('beat_at', '>=', aliveSince)
    .execute();
}

/** What the requests under way of an organization hold. */
export function pendingHolds(
  tx: Tx,
  organizationId: string,
): Promise<Pick<PendingRow, 'process_id' | 'holds'>[]> {
  return tx
    .selectFrom('ai_pending')
    .select(['process_id', 'holds'])
    .where('organization_id', '=', organizationId)
    .execute();
}

export function pendingOf(tx: Tx, processId: string): Promise<Pick<PendingRow, 'id' | 'holds'>[]> {
  return tx.selectFrom('ai_pending').select(['id', 'holds']).where('process_id', '=', processId).execute();
}

/** A row before it is written: what is JSON in it becomes text together with the others. */
export interface NewPending extends Omit<PendingRow, 'holds' | 'event'> {
  holds: readonly Hold[];
  event: UsageEvent;
}

const pendingInsert = {
  sqlite: fixedSql<{ json: string }>(
    ({ json }) => sql`insert into ai_pending (id, process_id, organization_id, holds, event)
      select value->>'id', value->>'process_id', value->>'organization_id', value->>'holds', value->>'event'
      from json_each(${json})`,
  ),
  postgres: fixedSql<{ json: string }>(
    ({ json }) => sql`insert into ai_pending (id, process_id, organization_id, holds, event)
      select id, process_id, organization_id, holds, event from json_to_recordset(${json}::json)
        as r(id uuid, process_id uuid, organization_id uuid, holds text, event text)`,
  ),
};

/** Written in one statement of constant text, whatever their number. */
export async function insertPending(
  tx: Kysely<Tables>,
  engine: Db['engine'],
  rows: readonly NewPending[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.executeQuery(pendingInsert[engine](tx, { json: JSON.stringify(rows) }).compile());
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

export async function deleteOldWindows(tx: Tx, before: number): Promise<void> {
  await tx
    .deleteFrom('ai_ledger')
    .where('window_start', '<', before)
    .where('held_requests', '=', 0)
    .where('held_nanos', '=', 0)
    .where('held_tokens', '=', 0)
    .execute();
}

/** Of a lease what counts against a limit of its budget. */
export async function limitedUnits(tx: Tx, lease: LeaseRow): Promise<Amount> {
  const limits = await tx
    .selectFrom('ai_budgets')
    .select(['max_cost_micros', 'max_requests', 'max_tokens'])
    .where('id', '=', lease.budget_id)
    .executeTakeFirst();
  return {
    nanos: limits?.max_cost_micros == null ? 0 : lease.nanos,
    requests: limits?.max_requests == null ? 0 : lease.requests,
    tokens: limits?.max_tokens == null ? 0 : lease.tokens,
  };
}
