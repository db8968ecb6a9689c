import type { Static } from 'typebox';
import { isoTime } from '#core/clock.ts';
import type { LogStep, LogStore, LogTopPage } from '#core/log-store.ts';
import { type Column, readFilters } from './filters.ts';
import type { RequestStats, StatsQuery } from './schema.ts';
import { stepsOf } from './steps.ts';

const defaultTop = 10;
/** Of each list; they are made side by side. */
const topBudgetMilliseconds = 2000;

const topColumns = {
  paths: 'path',
  hostnames: 'hostname',
  countries: 'country',
  referrers: 'referrer',
  agents: 'agent',
} as const satisfies Record<string, Column>;

export async function requestStats(
  { logs, now }: { logs: LogStore; now: number },
  applicationId: string,
  query: Static<typeof StatsQuery>,
): Promise<Static<typeof RequestStats>> {
  const { filters, ...narrowed } = readFilters(query);
  const { from, to, step } = stepsOf(narrowed, query.interval ?? 'auto', { now });
  const range = { scope: applicationId, from, to, filters };
  const limit = query.top ?? defaultTop;
  const [found, ...lists] = await Promise.all([
    logs.series('requests', { ...range, stepMilliseconds: step }),
    ...Object.values(topColumns).map((column) =>
      limit === 0
        ? Promise.resolve({ rows: [], complete: true })
        : logs.top('requests', { ...range, column, limit, budgetMilliseconds: topBudgetMilliseconds }),
    ),
  ]);
  const byMoment = new Map(found.steps.map((each) => [each.at, each]));
  const series: { at: string; step: LogStep | undefined }[] = [];
  for (let at = from; at <= to; at += step) series.push({ at: isoTime(at), step: byMoment.get(at) });
  const names = Object.keys(topColumns) as (keyof typeof topColumns)[];
  return {
    from: isoTime(from),
    to: isoTime(to),
    intervalSeconds: step / 1000,
    total: toCounts(found.total),
    series: series.map(({ at, step: each }) => ({ at, ...toCounts(each) })),
    top: Object.fromEntries(names.map((name, at) => [name, toTop(lists[at] as LogTopPage)])) as Static<
      typeof RequestStats
    >['top'],
    topComplete: lists.every(({ complete }) => complete),
  };
}

/** What a step holds, as the API shows it. */
export function toCounts(step: LogStep | undefined) {
  const { groups = {}, sums = {}, count = 0, values = 0, total = 0 } = step ?? {};
  const family = (name: string) => groups[name] ?? 0;
  return {
    requests: count,
    families: {
      '1xx': family('1'),
      '2xx': family('2'),
      '3xx': family('3'),
      '4xx': family('4'),
      '5xx': family('5'),
      none: family('0'),
    },
    bytes: sums['bytes'] ?? 0,
    cacheHits: sums['cacheHit'] ?? 0,
    dropped: step?.dropped ?? 0,
    p50: step?.p50 ?? null,
    p95: step?.p95 ?? null,
    p99: step?.p99 ?? null,
    mean: values > 0 ? Number((total / values).toPrecision(4)) : null,
  };
}

function toTop({ rows }: LogTopPage) {
  return rows.map(({ value, count, groups, sums }) => ({
    value: value === null ? null : String(value),
    requests: count,
    errors: groups['5'] ?? 0,
    bytes: sums['bytes'] ?? 0,
  }));
}
