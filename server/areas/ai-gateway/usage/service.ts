import type { Clock } from '#core/clock.ts';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { toMicros } from '../catalogue/rates.ts';
import { windowStart } from '../ledger/amounts.ts';
import type { UsageEvent } from '../ledger/event.ts';
import type { Filters } from './schema.ts';
import {
  deleteOldEvents,
  type EventFilter,
  listEvents,
  listRollups,
  type RollupRow,
  rollupOf,
  sizes,
} from './store.ts';

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

/** This month so far, unless the query says otherwise. */
export function rangeOf(query: { from?: string; to?: string }, clock: Clock): { from: number; to: number } {
  const now = clock.now();
  const from = momentOf(query.from, 'from') ?? windowStart('month', now);
  const to = momentOf(query.to, 'to') ?? Math.max(now, from);
  if (to < from) throw new Problem('invalid_request', 'The query parameter "to" is before "from".');
  return { from, to };
}

interface Range {
  organizationId: string;
  applicationId: string | undefined;
  /** Inclusive. */
  from: number;
  to: number;
}

const pageSize = 1000;

/** Sums of the range: whole days and hours from roll-ups, the rest of an hour at either end from the rows themselves. */
export async function rollupsIn(db: Db, range: Range): Promise<RollupRow[]> {
  const { hour, day } = sizes;
  const end = range.to + 1;
  const firstHour = Math.ceil(range.from / hour) * hour;
  const lastHour = Math.floor(end / hour) * hour;
  if (firstHour >= lastHour) return ofEvents(db, range, range.from, range.to);
  const firstDay = Math.ceil(firstHour / day) * day;
  const lastDay = Math.floor(lastHour / day) * day;
  const rollups = (size: 'hour' | 'day', from: number, to: number) =>
    from < to ? listRollups(db, { ...range, size, from, to }) : [];
  const whole =
    firstDay < lastDay
      ? [
          ...(await rollups('hour', firstHour, firstDay)),
          ...(await rollups('day', firstDay, lastDay)),
          ...(await rollups('hour', lastDay, lastHour)),
        ]
      : await rollups('hour', firstHour, lastHour);
  const before = firstHour > range.from ? await ofEvents(db, range, range.from, firstHour - 1) : [];
  const after = lastHour < end ? await ofEvents(db, range, lastHour, range.to) : [];
  return [...before, ...whole, ...after];
}

/** The rows of at most an hour, as if each were a roll-up. An hour that lies in one piece is taken whole where it can be. */
async function ofEvents(db: Db, range: Range, from: number, to: number): Promise<RollupRow[]> {
  const rows: RollupRow[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await listEvents(db, { ...range, from, to }, { limit: pageSize, before });
    for (const { event } of page) rows.push(rollupOf(JSON.parse(event) as UsageEvent, 'hour'));
    if (page.length < pageSize) return rows;
    before = page.at(-1)?.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const groupFields = {
  model: 'model',
  provider: 'provider',
  user: 'user_id',
  application: 'application_id',
} as const;
export type GroupBy = keyof typeof groupFields;

export function summarize(rows: readonly RollupRow[]) {
  const sum = (
    field: 'requests' | 'successes' | 'errors' | 'input_tokens' | 'output_tokens' | 'nanos' | 'latency_ms',
  ) => rows.reduce((total, row) => total + row[field], 0);
  const requestCount = sum('requests');
  const [inputTokens, outputTokens] = [sum('input_tokens'), sum('output_tokens')];
  return {
    summary: {
      requestCount,
      successCount: sum('successes'),
      errorCount: sum('errors'),
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      billableCostMicros: toMicros(sum('nanos')),
      avgLatencyMs: requestCount === 0 ? 0 : Math.round(sum('latency_ms') / requestCount),
    },
    byModel: grouped(rows, 'model'),
    byProvider: grouped(rows, 'provider'),
    byUser: grouped(rows, 'user'),
  };
}

function grouped(rows: readonly RollupRow[], by: GroupBy) {
  const groups = Map.groupBy(rows, (row) => row[groupFields[by]]);
  return [...groups]
    .map(([label, members]) => {
      const sum = (field: 'requests' | 'input_tokens' | 'output_tokens' | 'nanos') =>
        members.reduce((total, row) => total + row[field], 0);
      const [inputTokens, outputTokens] = [sum('input_tokens'), sum('output_tokens')];
      return {
        label: label || 'none',
        requests: sum('requests'),
        tokens: inputTokens + outputTokens,
        inputTokens,
        outputTokens,
        costMicros: toMicros(sum('nanos')),
      };
    })
    .sort((a, b) => b.costMicros - a.costMicros || b.requests - a.requests || (a.label < b.label ? -1 : 1));
}

/** Sums by time, and by a group where one is asked for. Empty intervals are left out. */
export async function seriesOf(
  db: Db,
  range: Range,
  options: { interval: 'hour' | 'day'; groupBy: GroupBy | undefined },
) {
  const size = sizes[options.interval];
  const from = range.from - (range.from % size);
  const rows = await listRollups(db, { ...range, size: options.interval, from, to: range.to + 1 });
  const field = options.groupBy && groupFields[options.groupBy];
  const groups = Map.groupBy(rows, (row) => `${row.bucket} ${field ? row[field] : ''}`);
  return [...groups.values()]
    .map((members) => {
      const first = members[0] as RollupRow;
      const sum = (name: 'requests' | 'errors' | 'input_tokens' | 'output_tokens' | 'nanos' | 'latency_ms') =>
        members.reduce((total, row) => total + row[name], 0);
      const requests = sum('requests');
      return {
        bucket: first.bucket,
        start: isoTime(first.bucket),
        label: field ? first[field] || 'none' : '',
        requests,
        errors: sum('errors'),
        inputTokens: sum('input_tokens'),
        outputTokens: sum('output_tokens'),
        costMicros: toMicros(sum('nanos')),
        avgLatencyMs: requests === 0 ? 0 : Math.round(sum('latency_ms') / requests),
      };
    })
    .sort((a, b) => a.bucket - b.bucket || (a.label < b.label ? -1 : 1))
    .map(({ bucket: _, ...item }) => item);
}

/** A thousand at a time, so that nobody waits long for the writer. */
export async function sweepEvents(db: Db, before: number): Promise<void> {
  while ((await db.write((tx) => deleteOldEvents(tx, before, pageSize))) === pageSize);
}
