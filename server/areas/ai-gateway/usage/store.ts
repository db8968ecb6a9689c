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

/** Milliseconds. */
export const sizes = { hour: 3_600_000, day: 86_400_000 } as const;

/** Writes settled events and adds them to the roll-ups. Each in one statement of constant text. */
export async function insertEvents(
  tx: Tx,
  engine: Db['engine'],
  events: readonly UsageEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    id: event.id,
    organization_id: event.organizationId,
    application_id: event.applicationId,
    request_id: event.requestId,
    model: event.modelServed ?? event.modelRequested,
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

export interface EventFilter {
  organizationId: string;
  applicationId?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  status?: string | undefined;
  requestId?: string | undefined;
  userId?: string | undefined;
  endUserId?: string | undefined;
  /** Milliseconds, both inclusive. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The least id of that millisecond: ids begin with the time. */
function firstIdOf(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

function filtered(db: Db, filter: EventFilter) {
  const { applicationId, model, provider, status, requestId, userId, endUserId, from, to } = filter;
  return db
    .selectFrom('ai_events')
    .where('organization_id', '=', filter.organizationId)
    .$if(applicationId !== undefined, (query) => query.where('application_id', '=', applicationId as string))
    .$if(model !== undefined, (query) => query.where('model', '=', model as string))
    .$if(provider !== undefined, (query) => query.where('provider', '=', provider as string))
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(requestId !== undefined, (query) => query.where('request_id', '=', requestId as string))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId as string))
    .$if(endUserId !== undefined, (query) => query.where('end_user_id', '=', endUserId as string))
    .$if(from !== undefined, (query) => query.where('id', '>=', firstIdOf(from as number)))
    .$if(to !== undefined, (query) => query.where('id', '<', firstIdOf((to as number) + 1)));
}

/** Newest first, those before this one. */
export async function listEvents(
  db: Db,
  filter: EventFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ id: string; event: string }[]> {
  return filtered(db, filter)
    .select(['id', 'event'])
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before as string))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

export async function countEvents(db: Db, filter: EventFilter, most: number): Promise<number> {
  const some = filtered(db, filter)
    .select('id')
    .limit(most + 1)
    .as('some');
  const row = await db.selectFrom(some).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return Number(row.n);
}

export function findEvent(
  db: Db,
  organizationId: string,
  id: string,
): Promise<{ event: string } | undefined> {
  return db
    .selectFrom('ai_events')
    .select('event')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
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

/** Roll-ups of that size whose bucket begins in the range; `to` is exclusive. */
export function listRollups(
  db: Db,
  filter: {
    organizationId: string;
    applicationId: string | undefined;
    size: 'hour' | 'day';
    from: number;
    to: number;
  },
): Promise<RollupRow[]> {
  const { applicationId } = filter;
  return db
    .selectFrom('ai_rollups')
    .selectAll()
    .where('organization_id', '=', filter.organizationId)
    .where('size', '=', filter.size)
    .where('bucket', '>=', filter.from)
    .where('bucket', '<', filter.to)
    .$if(applicationId !== undefined, (query) => query.where('application_id', '=', applicationId as string))
    .execute();
}

/** Deletes so many of the oldest before that time; how many it was. */
export async function deleteOldEvents(tx: Tx, before: number, limit: number): Promise<number> {
  const old = tx
    .selectFrom('ai_events')
    .select('id')
    .where('id', '<', firstIdOf(before))
    .orderBy('id')
    .limit(limit);
  const { numDeletedRows } = await tx.deleteFrom('ai_events').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
