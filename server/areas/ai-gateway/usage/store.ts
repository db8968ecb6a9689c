import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';
import type { UsageEvent } from '../ledger/event.ts';

interface RollupTable {
  organization_id: string;
  bucket: number;
  size: 'hour' | 'day';
  /** Empty: none. The same of the other names. */
  application_id: string;
  model: string;
  provider: string;
  user_id: string;
  requests: number;
  successes: number;
  errors: number;
  input_tokens: number;
  output_tokens: number;
  nanos: number;
  latency_ms: number;
}

declare module '#core/db.ts' {
  interface Tables {
    ai_rollups: RollupTable;
  }
}

export type RollupRow = RollupTable;

/** Milliseconds. */
export const sizes = { hour: 3_600_000, day: 86_400_000 } as const;

/** Adds settled events to the roll-ups, in one statement of constant text. */
export async function addToRollups(
  tx: Tx,
  engine: Db['engine'],
  events: readonly UsageEvent[],
): Promise<void> {
  await insertRows(
    tx,
    engine,
    { table: 'ai_rollups', columns: rollupColumns },
    rollupsOf(events),
    sql`on conflict (organization_id, size, bucket, application_id, model, provider, user_id) do update set
      requests = ai_rollups.requests + excluded.requests,
      successes = ai_rollups.successes + excluded.successes,
      errors = ai_rollups.errors + excluded.errors,
      input_tokens = ai_rollups.input_tokens + excluded.input_tokens,
      output_tokens = ai_rollups.output_tokens + excluded.output_tokens,
      nanos = ai_rollups.nanos + excluded.nanos,
      latency_ms = ai_rollups.latency_ms + excluded.latency_ms`,
  );
}

const rollupColumns = {
  ...{ organization_id: 'uuid', bucket: 'bigint', size: 'text', application_id: 'text', model: 'text' },
  ...{ provider: 'text', user_id: 'text', requests: 'bigint', successes: 'bigint', errors: 'bigint' },
  ...{ input_tokens: 'bigint', output_tokens: 'bigint', nanos: 'bigint', latency_ms: 'bigint' },
};

/** Any number of rows in one statement of constant text. */
export async function insertRows(
  tx: Tx,
  engine: Db['engine'],
  { table, columns }: { table: string; columns: Readonly<Record<string, string>> },
  rows: readonly object[],
  conflict: ReturnType<typeof sql>,
): Promise<void> {
  const json = JSON.stringify(rows);
  const names = sql.raw(Object.keys(columns).join(', '));
  const typed = sql.raw(
    Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  );
  const paths = sql.raw(
    Object.keys(columns)
      .map((name) => `value->>'${name}'`)
      .join(', '),
  );
  const source =
    engine === 'postgres'
      ? sql`select ${names} from json_to_recordset(${json}::json) as r(${typed})`
      : sql`select ${paths} from json_each(${json}) where true`;
  await sql`insert into ${sql.table(table)} (${names}) ${source} ${conflict}`.execute(tx);
}

function rollupsOf(events: readonly UsageEvent[]): RollupRow[] {
  const rows = new Map<string, RollupRow>();
  for (const event of events) {
    for (const size of ['hour', 'day'] as const) {
      const row = rollupOf(event, size);
      const { organization_id, bucket, application_id, model, provider, user_id } = row;
      const key = JSON.stringify([organization_id, size, bucket, application_id, model, provider, user_id]);
      const known = rows.get(key);
      if (!known) rows.set(key, row);
      else for (const field of sums) known[field] += row[field];
    }
  }
  return [...rows.values()];
}

export const sums = [
  'requests',
  'successes',
  'errors',
  'input_tokens',
  'output_tokens',
  'nanos',
  'latency_ms',
] as const;

/** What of an event is summed up. */
export type Counted = Pick<
  UsageEvent,
  | 'organizationId'
  | 'applicationId'
  | 'modelServed'
  | 'modelRequested'
  | 'provider'
  | 'callerEndUserId'
  | 'authenticatedUserId'
  | 'status'
  | 'inputTokens'
  | 'outputTokens'
  | 'billableNanos'
  | 'latencyMs'
  | 'startedAt'
>;

export function rollupOf(event: Counted, size: 'hour' | 'day'): RollupRow {
  return {
    organization_id: event.organizationId,
    bucket: event.startedAt - (event.startedAt % sizes[size]),
    size,
    application_id: event.applicationId ?? '',
    model: event.modelServed ?? event.modelRequested,
    provider: event.provider ?? '',
    user_id: event.callerEndUserId ?? event.authenticatedUserId ?? '',
    requests: 1,
    successes: event.status === 'success' ? 1 : 0,
    errors: event.status === 'error' ? 1 : 0,
    input_tokens: event.inputTokens,
    output_tokens: event.outputTokens,
    nanos: event.billableNanos,
    latency_ms: event.latencyMs ?? 0,
  };
}

/** Requests under way, newest first. Few: what a process has open, and jobs. */
export function listPending(
  db: Db,
  organizationId: string,
  limit: number,
): Promise<{ id: string; event: string }[]> {
  return db
    .selectFrom('ai_pending')
    .select(['id', 'event'])
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export interface RollupFilter {
  organizationId: string;
  applicationId: string | undefined;
  size: 'hour' | 'day';
  /** Of the beginning of a bucket; `to` is exclusive. */
  from: number;
  to: number;
}

const dimensions = ['bucket', 'application_id', 'model', 'provider', 'user_id'] as const;
type Dimension = (typeof dimensions)[number];
export type Sums = Pick<RollupRow, (typeof sums)[number]>;

/** The sums of those buckets for each value of these columns. */
export async function sumRollups<D extends Dimension>(
  db: Db,
  { organizationId, applicationId, size, from, to }: RollupFilter,
  by: readonly D[],
): Promise<(Pick<RollupRow, D> & Sums)[]> {
  if (from >= to) return [];
  const rows = await db
    .selectFrom('ai_rollups')
    .select(by as readonly Dimension[])
    .select((row) => sums.map((name) => row.fn.sum<number>(name).as(name)))
    .where('organization_id', '=', organizationId)
    .where('size', '=', size)
    .where('bucket', '>=', from)
    .where('bucket', '<', to)
    .$if(applicationId !== undefined, (query) => query.where('application_id', '=', applicationId as string))
    .groupBy(by as readonly Dimension[])
    .execute();
  // PostgreSQL sums whole numbers to a numeric, which comes as text.
  for (const row of rows as unknown as Sums[]) for (const name of sums) row[name] = Number(row[name]);
  return rows as unknown as (Pick<RollupRow, D> & Sums)[];
}
