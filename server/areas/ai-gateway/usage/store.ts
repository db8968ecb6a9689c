import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';
import type { UsageEvent } from '../ledger/event.ts';
import { toUsageLine } from './render.ts';

export type Sums = Record<(typeof sums)[number], number>;

interface Bucket extends Sums {
  organization_id: string;
  bucket: number;
  size: 'hour' | 'day';
  /** Empty: none. The same of the other names. */
  application_id: string;
}

interface NameRollup extends Bucket {
  model: string;
  provider: string;
}

interface UserRollup extends Bucket {
  user_id: string;
}

export interface OutboxRow {
  /** Of the first event. */
  id: string;
  /** JSON: the list of lines as the log store takes them; in rows of earlier versions one `UsageEvent`. */
  event: string;
}

declare module '#core/db.ts' {
  interface Tables {
    /** Settled events that the log store may not have yet, many in a row. */
    ai_outbox: OutboxRow;
    ai_name_rollups: NameRollup;
    ai_user_rollups: UserRollup;
  }
}

export type Rollup = NameRollup & UserRollup;

/** Milliseconds. */
export const sizes = { hour: 3_600_000, day: 86_400_000 } as const;

/** Of which a row is made: as text some 50 KB. */
const eventsPerRow = 32;

/** Writes settled events, in the transaction that settles them, and adds them to the roll-ups. */
export async function insertEvents(
  tx: Tx,
  engine: Db['engine'],
  events: readonly UsageEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows: OutboxRow[] = [];
  for (let at = 0; at < events.length; at += eventsPerRow) {
    const some = events.slice(at, at + eventsPerRow);
    rows.push({ id: (some[0] as UsageEvent).id, event: JSON.stringify(some.map(toUsageLine)) });
  }
  await tx.insertInto('ai_outbox').values(rows).execute();
  await addEvents(tx, engine, events);
}

/** Adds events to the sums. */
export async function addEvents(tx: Tx, engine: Db['engine'], events: readonly UsageEvent[]): Promise<void> {
  const rows = events.flatMap((event) => [rollupOf(event, 'hour'), rollupOf(event, 'day')]);
  await addToRollups(tx, engine, nameRollups, rows);
  const ofAll = rows.map((row) => ({ ...row, application_id: everyApplication }));
  await addToRollups(tx, engine, userRollups, [...rows, ...ofAll]);
}

/** In place of the application, in the sums of a user over all of them: lists of users need not add them up. */
const everyApplication = '*';

/** Those of them that were written and not moved yet. Asked for a few, after a failure. */
export async function writtenEvents(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  for (const id of ids) {
    // Lines begin so; inside of strings quotes are escaped.
    const row = await tx
      .selectFrom('ai_outbox')
      .select('id')
      .where('event', 'like', `%{"id":"${id}","organizationId":%`)
      .executeTakeFirst();
    if (row) written.add(id);
  }
  return written;
}

/** The oldest rows that were not moved to the log store yet. */
export function outboxRows(db: Db, limit: number): Promise<OutboxRow[]> {
  return db.selectFrom('ai_outbox').selectAll().orderBy('id').limit(limit).execute();
}

/** By a statement of constant text: one for each number of ids would stay prepared. */
export async function deleteMoved(tx: Tx, engine: Db['engine'], ids: readonly string[]): Promise<void> {
  const json = JSON.stringify(ids);
  const moved =
    engine === 'postgres'
      ? sql`select value::uuid from json_array_elements_text(${json}::json)`
      : sql`select value from json_each(${json})`;
  await sql`delete from ai_outbox where id in (${moved})`.execute(tx);
}

interface RollupShape {
  table: 'ai_name_rollups' | 'ai_user_rollups';
  by: readonly ('application_id' | 'model' | 'provider' | 'user_id')[];
}

const nameRollups: RollupShape = { table: 'ai_name_rollups', by: ['application_id', 'model', 'provider'] };
const userRollups: RollupShape = { table: 'ai_user_rollups', by: ['application_id', 'user_id'] };

/** In one statement of constant text. */
async function addToRollups(
  tx: Tx,
  engine: Db['engine'],
  { table, by }: RollupShape,
  rows: readonly Rollup[],
): Promise<void> {
  const key = ['organization_id', 'size', 'bucket', ...by] as const;
  const types = key.map((name) => [name, keyTypes[name] ?? 'text']);
  const columns = Object.fromEntries([...types, ...sums.map((name) => [name, 'bigint'])]);
  const whole = new Map<string, Rollup>();
  for (const row of rows) {
    const id = JSON.stringify(key.map((name) => row[name]));
    const known = whole.get(id);
    if (!known) whole.set(id, { ...row });
    else for (const field of sums) known[field] += row[field];
  }
  const added = sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');
  const conflict = sql`on conflict (${sql.raw(key.join(', '))}) do update set ${sql.raw(added)}`;
  await insertRows(tx, engine, { table, columns }, [...whole.values()], conflict);
}

const keyTypes: Record<string, string> = { organization_id: 'uuid', bucket: 'bigint' };

/** Any number of rows in one statement of constant text. */
async function insertRows(
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

export function rollupOf(event: Counted, size: 'hour' | 'day'): Rollup {
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

type Dimension = 'bucket' | RollupShape['by'][number];

/** These sums of those buckets for each value of these columns. */
export async function sumRollups<D extends Dimension, N extends keyof Sums>(
  db: Db,
  { organizationId, applicationId, size, from, to }: RollupFilter,
  by: readonly D[],
  names: readonly N[],
): Promise<(Pick<Rollup, D> & Pick<Sums, N>)[]> {
  if (from >= to) return [];
  const isOfUsers = (by as readonly Dimension[]).includes('user_id');
  const { table } = isOfUsers ? userRollups : nameRollups;
  const application = applicationId ?? (isOfUsers ? everyApplication : undefined);
  const columns = by as readonly Dimension[] as readonly 'bucket'[];
  const rows = await db
    .selectFrom(table as 'ai_name_rollups')
    .select(columns)
    .select((row) => (names as readonly (keyof Sums)[]).map((name) => row.fn.sum<number>(name).as(name)))
    .where('organization_id', '=', organizationId)
    .where('size', '=', size)
    .where('bucket', '>=', from)
    .where('bucket', '<', to)
    .$if(application !== undefined, (query) => query.where('application_id', '=', application as string))
    .groupBy(columns)
    .execute();
  // PostgreSQL sums whole numbers to a numeric, which comes as text.
  for (const row of rows as unknown as Sums[]) for (const name of names) row[name] = Number(row[name]);
  return rows as unknown as (Pick<Rollup, D> & Pick<Sums, N>)[];
}
