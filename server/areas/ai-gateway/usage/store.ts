import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';
import type { UsageEvent } from '../ledger/event.ts';

interface EventTable {
  id: string;
  organization_id: string;
  application_id: string | null;
  request_id: string;
  model: string;
  provider: string | null;
  status: string;
  user_id: string | null;
  end_user_id: string | null;
  started_at: number;
  /** JSON of the whole `UsageEvent`. */
  event: string;
}

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
    ai_events: EventTable;
    ai_rollups: RollupTable;
  }
}

export type RollupRow = RollupTable;

const sizes = { hour: 3_600_000, day: 86_400_000 } as const;

/** Writes settled events and adds them to the roll-ups. Each in one statement of constant text. */
export async function insertEvents(tx: Tx, engine: Db['engine'], events: readonly UsageEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    id: event.id,
    organization_id: event.organizationId,
    application_id: event.applicationId,
    request_id: event.requestId,
    model: event.modelRequested,
    provider: event.provider,
    status: event.status,
    user_id: event.authenticatedUserId,
    end_user_id: event.callerEndUserId,
    started_at: event.startedAt,
    event: JSON.stringify(event),
  }));
  await insertRows(tx, engine, 'ai_events', eventColumns, rows, sql``);
  await insertRows(
    tx,
    engine,
    'ai_rollups',
    rollupColumns,
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

const eventColumns = {
  ...{ id: 'uuid', organization_id: 'uuid', application_id: 'uuid', request_id: 'text', model: 'text' },
  ...{ provider: 'text', status: 'text', user_id: 'text', end_user_id: 'text', started_at: 'bigint' },
  event: 'text',
};
const rollupColumns = {
  ...{ organization_id: 'uuid', bucket: 'bigint', size: 'text', application_id: 'text', model: 'text' },
  ...{ provider: 'text', user_id: 'text', requests: 'bigint', successes: 'bigint', errors: 'bigint' },
  ...{ input_tokens: 'bigint', output_tokens: 'bigint', nanos: 'bigint', latency_ms: 'bigint' },
};

async function insertRows(
  tx: Tx,
  engine: Db['engine'],
  table: string,
  columns: Record<string, string>,
  rows: readonly object[],
  conflict: ReturnType<typeof sql>,
): Promise<void> {
  const json = JSON.stringify(rows);
  const names = sql.raw(Object.keys(columns).join(', '));
  const typed = sql.raw(Object.entries(columns).map(([name, type]) => `${name} ${type}`).join(', '));
  const paths = sql.raw(Object.keys(columns).map((name) => `value->>'${name}'`).join(', '));
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

const sums = [
  'requests',
  'successes',
  'errors',
  'input_tokens',
  'output_tokens',
  'nanos',
  'latency_ms',
] as const;

export function rollupOf(event: UsageEvent, size: 'hour' | 'day'): RollupRow {
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
