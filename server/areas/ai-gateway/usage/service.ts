import type { Static } from 'typebox';
import type { Clock } from '#core/clock.ts';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { LogFilter, LogPosition, LogStore } from '#core/log-store.ts';
import type { ColumnOf } from '#core/log-streams.ts';
import { Problem } from '#core/problem.ts';
import { toMicros } from '../catalogue/rates.ts';
import { windowStart } from '../ledger/amounts.ts';
import type { Filters, UsageEvent } from './schema.ts';
import { type Counted, type Rollup, rollupOf, type Sums, sizes, sumRollups, sums } from './store.ts';

type Shown = Static<typeof UsageEvent>;

/** A moment of a query: ISO 8601, or a date, which stands for its beginning or its end. */
function momentOf(text: string | undefined, name: 'from' | 'to'): number | undefined {
  if (text === undefined) return undefined;
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = isDate || isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new Problem(
      'invalid_request',
      `The query parameter "${name}" is neither a date nor an ISO 8601 time.`,
    );
  return isDate && name === 'to' ? time + sizes.day - 1 : time;
}

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
    from: momentOf(query.from, 'from'),
    to: momentOf(query.to, 'to'),
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
export async function* eachEvent(logs: LogStore, filter: EventFilter): AsyncGenerator<Shown[]> {
  let after: LogPosition | undefined;
  do {
    const { events, next } = await searchEvents(logs, filter, { limit: exportPage, after, count: false });
    if (events.length > 0) yield events;
    after = next;
  } while (after);
}

const exportPage = 500;

/** This month so far, unless the query says otherwise. */
export function rangeOf(
  query: { from?: string; to?: string },
  clock: Clock,
): { from: number; to: number; now: number } {
  const now = clock.now();
  const from = momentOf(query.from, 'from') ?? windowStart('month', now);
  const to = momentOf(query.to, 'to') ?? Math.max(now, from);
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

type Sum = Partial<Pick<Rollup, (typeof byNames)[number] | 'user_id'>> & Sums;

/** Sums of the range: whole days and hours from roll-ups, the rest of an hour at either end from the events themselves. */
export async function summarize({ db, logs }: { db: Db; logs: LogStore }, range: Range) {
  const { hour, day } = sizes;
  const end = range.to + 1;
  const firstHour = Math.ceil(range.from / hour) * hour;
  // Nothing is behind this moment: the hour that it lies in is taken as a whole.
  const lastHour = range.to >= range.now ? Math.ceil(end / hour) * hour : Math.floor(end / hour) * hour;
  const names: Sum[] = [];
  const users: Sum[] = [];
  const addEvents = async (from: number, to: number) => {
    if (from > to) return;
    const everything = filterOf(range.organizationId, {});
    const filter = { ...everything, applicationId: range.applicationId, from, to };
    for await (const events of eachEvent(logs, filter))
      for (const event of events) {
        const row = rollupOf(countedOf(event), 'hour');
        names.push(row);
        users.push(row);
      }
  };
  const addRollups = async (size: 'hour' | 'day', from: number, to: number) => {
    names.push(...(await sumRollups(db, { ...range, size, from, to }, byNames)));
    users.push(...(await sumRollups(db, { ...range, size, from, to }, ['user_id'])));
  };
  if (firstHour >= lastHour) await addEvents(range.from, range.to);
  else {
    const firstDay = Math.ceil(firstHour / day) * day;
    const lastDay = Math.floor(lastHour / day) * day;
    await addEvents(range.from, firstHour - 1);
    if (firstDay < lastDay) {
      await addRollups('hour', firstHour, firstDay);
      await addRollups('day', firstDay, lastDay);
      await addRollups('hour', lastDay, lastHour);
    } else await addRollups('hour', firstHour, lastHour);
    await addEvents(lastHour, range.to);
  }
  return {
    summary: summed(names),
    byModel: grouped(names, 'model'),
    byProvider: grouped(names, 'provider'),
    byApplication: grouped(names, 'application_id'),
    byUser: grouped(users, 'user_id').slice(0, maxUsers),
  };
}

/** Those who cost the most are shown. */
const maxUsers = 1000;

function countedOf(shown: Shown): Counted {
  return { ...shown, billableNanos: shown.costNanos, startedAt: Date.parse(shown.startedAt) };
}

function total(rows: readonly Sums[]): Sums {
  const all = Object.fromEntries(sums.map((name) => [name, 0])) as Sums;
  for (const row of rows) for (const name of sums) all[name] += row[name];
  return all;
}

function summed(rows: readonly Sums[]) {
  const { requests, successes, errors, input_tokens, output_tokens, nanos, latency_ms } = total(rows);
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

function grouped(rows: readonly Sum[], by: keyof Sum & string) {
  return [...Map.groupBy(rows, (row) => row[by] as string)]
    .map(([label, members]) => {
      const { requests, input_tokens, output_tokens, nanos } = total(members);
      return {
        label: label || 'none',
        requests,
        tokens: input_tokens + output_tokens,
        inputTokens: input_tokens,
        outputTokens: output_tokens,
        costMicros: toMicros(nanos),
      };
    })
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
  const rows = await sumRollups(db, filter, field ? ['bucket', field] : ['bucket']);
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
