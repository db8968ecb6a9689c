import type { Static } from 'typebox';
import type { Clock } from '#core/clock.ts';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { LogFilter, LogPosition, LogStore } from '#core/log-store.ts';
import type { ColumnOf } from '#core/log-streams.ts';
import { Problem } from '#core/problem.ts';
import { readRange } from '#core/time-range.ts';
import { toMicros } from '../catalogue/rates.ts';
import { windowStart } from '../ledger/amounts.ts';
import type { Filters, UsageEvent } from './schema.ts';
import { type Counted, type Rollup, rollupOf, type Sums, sizes, sumRollups, sums } from './store.ts';

type Shown = Static<typeof UsageEvent>;

export interface EventFilter {
  organizationId: string;
  applicationId: string | undefined;
  model: string | undefined;
  provider: string | undefined;
  status: string | undefined;
  requestId: string | undefined;
  userId: string | undefined;
  endUserId: string | undefined;
  /** Milliseconds, both inclusive. */
  from: number | undefined;
  to: number | undefined;
}

export function filterOf(organizationId: string, query: Filters): EventFilter {
  return {
    organizationId,
    applicationId: query.applicationId?.toLowerCase(),
    model: query.model,
    provider: query.provider,
    status: query.status,
    requestId: query.requestId,
    userId: query.authenticatedUserId?.toLowerCase(),
    endUserId: query.callerEndUserId,
    ...readRange(query),
  };
}

/** As the log store takes it. */
function searchOf(filter: EventFilter) {
  const filters: LogFilter<ColumnOf<'ai-usage'>>[] = [];
  const add = (column: ColumnOf<'ai-usage'>, value: string | undefined) => {
    if (value !== undefined) filters.push({ column, in: [value] });
  };
  add('applicationId', filter.applicationId);
  add('model', filter.model);
  add('provider', filter.provider);
  add('status', filter.status);
  add('requestId', filter.requestId);
  add('authenticatedUserId', filter.userId);
  add('callerEndUserId', filter.endUserId);
  const { organizationId: scope, from, to } = filter;
  return { scope, from, to, filters, order: 'newest' as const };
}

/** After so much work a page may be short; the next one continues where it ended. */
const budgetMilliseconds = 2000;

/** A page of settled events, newest first. */
export async function searchEvents(
  logs: LogStore,
  filter: EventFilter,
  page: { limit: number; after: LogPosition | undefined; count: boolean },
) {
  const found = await logs.search('ai-usage', { ...searchOf(filter), ...page, budgetMilliseconds });
  return { events: found.lines.map(({ body }) => body as Shown), next: found.next, total: found.total };
}

/** All of them, a page at a time: the next one is read when the last was taken. */
export async function* eachEvent(
  logs: LogStore,
  filter: EventFilter,
  limit = exportPage,
): AsyncGenerator<Shown[]> {
  let after: LogPosition | undefined;
  do {
    const { events, next } = await searchEvents(logs, filter, { limit, after, count: false });
    if (events.length > 0) yield events;
    after = next;
  } while (after);
}

const exportPage = 500;
/** Of events that are summed up and let go. */
const sumPage = 2500;

/** This month so far, unless the query says otherwise. */
export function rangeOf(
  query: { from?: string; to?: string },
  clock: Clock,
): { from: number; to: number; now: number } {
  const now = clock.now();
  const range = readRange(query);
  const from = range.from ?? windowStart('month', now);
  const to = range.to ?? Math.max(now, from);
  if (to < from) throw new Problem('invalid_request', 'The query parameter "to" is before "from".');
  return { from, to, now };
}

interface Range {
  organizationId: string;
  applicationId: string | undefined;
  /** Inclusive. */
  from: number;
  to: number;
  now: number;
}

const byNames = ['application_id', 'model', 'provider'] as const;
/** What is told of each group. */
const groupSums = ['requests', 'input_tokens', 'output_tokens', 'nanos'] as const;

type GroupSums = Pick<Sums, (typeof groupSums)[number]>;
type NameSum = Pick<Rollup, (typeof byNames)[number]> & Sums;
type UserSum = Pick<Rollup, 'user_id'> & GroupSums;

/** Whole days and hours come from roll-ups, the rest of an hour at either end from the events themselves. */
export async function summarize({ db, logs }: { db: Db; logs: LogStore }, range: Range) {
  const names: NameSum[] = [];
  const users: UserSum[] = [];
  const { events, rollups } = spansOf(range);
  const { organizationId, applicationId } = range;
  // Events first: each is in the roll-ups before it is in the log.
  for (const { from, to, sign } of events) {
    const filter = { ...filterOf(organizationId, {}), applicationId, from, to: to - 1 };
    for await (const page of eachEvent(logs, filter, sumPage))
      for (const event of page) {
        const row = rollupOf(countedOf(event), 'hour');
        names.push(times(row, sums, sign));
        users.push(times(row, groupSums, sign));
      }
  }
  for (const { size, from, to, sign } of rollups) {
    const filter = { organizationId, applicationId, size, from, to };
    for (const row of await sumRollups(db, filter, byNames, sums)) names.push(times(row, sums, sign));
    for (const row of await sumRollups(db, filter, ['user_id'], groupSums))
      users.push(times(row, groupSums, sign));
  }
  return {
    summary: summed(names),
    byModel: grouped(names, 'model'),
    byProvider: grouped(names, 'provider'),
    byApplication: grouped(names, 'application_id'),
    byUser: grouped(users, 'user_id').slice(0, maxUsers),
  };
}

interface Span {
  from: number;
  /** Exclusive. */
  to: number;
  /** -1: it is too much of what another span holds. */
  sign: 1 | -1;
}

/**
 * What sums up to the range with few rows: each of its ends is reached from the nearest beginning of a day by whole hours
 * and from the nearest beginning of an hour by events, forwards or backwards.
 */
function spansOf(range: Range): { events: Span[]; rollups: (Span & { size: 'hour' | 'day' })[] } {
  const { hour, day } = sizes;
  const { from } = range;
  // Nothing is behind this moment: the day that it lies in is taken as a whole.
  const end = range.to >= range.now ? Math.ceil((range.to + 1) / day) * day : range.to + 1;
  const near = (moment: number, size: number) => Math.round(moment / size) * size;
  if (end - from <= hour) return { events: spans([from, end]), rollups: [] };
  const hours = [near(from, hour), near(end, hour)] as const;
  const days = [near(from, day), near(end, day)] as const;
  const byDays = spans([hours[0], days[0]], [days[1], hours[1]]);
  const cost = byDays.reduce((rows, span) => rows + (span.to - span.from) / hour, (days[1] - days[0]) / day);
  const isShort = days[0] > days[1] || (hours[1] - hours[0]) / hour <= cost;
  const ofSize = (size: 'hour' | 'day', some: Span[]) => some.map((span) => ({ ...span, size }));
  return {
    events: spans([from, hours[0]], [hours[1], end]),
    rollups: isShort
      ? ofSize('hour', spans(hours))
      : [...ofSize('hour', byDays), ...ofSize('day', spans(days))],
  };
}

/** From one moment to the other, which may lie before it. */
function spans(...ways: (readonly [number, number])[]): Span[] {
  return ways
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => (from < to ? { from, to, sign: 1 } : { from: to, to: from, sign: -1 }));
}

function times<R extends Partial<Sums>>(row: R, names: readonly (keyof Sums)[], sign: 1 | -1): R {
  if (sign === 1) return row;
  const negative = { ...row } as Partial<Sums>;
  for (const name of names) negative[name] = -(row[name] ?? 0);
  return negative as R;
}

/** Those who cost the most are shown. */
const maxUsers = 1000;

function countedOf(shown: Shown): Counted {
  return { ...shown, billableNanos: shown.costNanos, startedAt: Date.parse(shown.startedAt) };
}

function total<N extends keyof Sums>(rows: readonly Pick<Sums, N>[], names: readonly N[]): Pick<Sums, N> {
  const all = Object.fromEntries(names.map((name) => [name, 0])) as Pick<Sums, N>;
  for (const row of rows) for (const name of names) (all[name] as number) += row[name];
  return all;
}

function summed(rows: readonly Sums[]) {
  const { requests, successes, errors, input_tokens, output_tokens, nanos, latency_ms } = total(rows, sums);
  return {
    requestCount: requests,
    successCount: successes,
    errorCount: errors,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    totalTokens: input_tokens + output_tokens,
    billableCostMicros: toMicros(nanos),
    avgLatencyMs: requests === 0 ? 0 : Math.round(latency_ms / requests),
  };
}

function grouped<R extends GroupSums>(rows: readonly R[], by: keyof R & string) {
  return [...Map.groupBy(rows, (row) => row[by] as string)]
    .map(([label, members]) => {
      const { requests, input_tokens, output_tokens, nanos } = total<keyof GroupSums>(members, groupSums);
      return {
        label: label || 'none',
        requests,
        tokens: input_tokens + output_tokens,
        inputTokens: input_tokens,
        outputTokens: output_tokens,
        costMicros: toMicros(nanos),
      };
    })
    .filter(({ requests }) => requests > 0)
    .sort((a, b) => b.costMicros - a.costMicros || b.requests - a.requests || (a.label < b.label ? -1 : 1));
}

const groupFields = {
  model: 'model',
  provider: 'provider',
  user: 'user_id',
  application: 'application_id',
} as const;
export type GroupBy = keyof typeof groupFields;

/** Sums by time, and by a group where one is asked for. Empty intervals are left out. */
export async function seriesOf(
  db: Db,
  range: Range,
  options: { interval: 'hour' | 'day'; groupBy: GroupBy | undefined },
) {
  const size = sizes[options.interval];
  const from = range.from - (range.from % size);
  const filter = { ...range, size: options.interval, from, to: range.to + 1 };
  const field = options.groupBy && groupFields[options.groupBy];
  const rows = await sumRollups(db, filter, field ? ['bucket', field] : ['bucket'], sums);
  return rows
    .map((row) => ({ ...row, label: field ? (row as Record<string, unknown>)[field] || 'none' : '' }))
    .sort((a, b) => a.bucket - b.bucket || (String(a.label) < String(b.label) ? -1 : 1))
    .map((row) => ({
      start: isoTime(row.bucket),
      label: String(row.label),
      requests: row.requests,
      errors: row.errors,
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      costMicros: toMicros(row.nanos),
      avgLatencyMs: row.requests === 0 ? 0 : Math.round(row.latency_ms / row.requests),
    }));
}
