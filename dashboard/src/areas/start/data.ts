import type { Usage } from '@mainstay/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

export type Range = Usage['range'];

export const ranges: { value: Range; label: string; before: string }[] = [
  { value: '24h', label: '24 hours', before: 'the 24 hours before' },
  { value: '7d', label: '7 days', before: 'the 7 days before' },
  { value: '30d', label: '30 days', before: 'the 30 days before' },
];

export function readRange({ range }: Record<string, unknown>): { range?: Range } {
  return ranges.some(({ value }) => value === range) ? { range: range as Range } : {};
}

export const usageQuery = (organizationId: string, range: Range) =>
  queryOptions({
    queryKey: ['usage', organizationId, range],
    queryFn: ({ signal }) => api.organizations.usage(organizationId, { range }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export const deploymentUsageQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['deployment usage', organizationId],
    queryFn: ({ signal }) => api.deployments.usage(organizationId, { signal }),
    refetchInterval: 30_000,
  });

const lengths: Record<Range, { milliseconds: number; interval: 'hour' | 'day' }> = {
  '24h': { milliseconds: 86_400_000, interval: 'hour' },
  '7d': { milliseconds: 7 * 86_400_000, interval: 'hour' },
  '30d': { milliseconds: 30 * 86_400_000, interval: 'day' },
};

/** What the AI gateway cost, of its ledger, with as long a time before. */
export const aiCostQuery = (organizationId: string, range: Range) =>
  queryOptions({
    queryKey: ['ai cost', organizationId, range],
    queryFn: async ({ signal }) => {
      const { milliseconds, interval } = lengths[range];
      const now = Date.now();
      const from = new Date(now - 2 * milliseconds).toISOString();
      const { items } = await api.aiGateway.usageSeries(organizationId, { from, interval }, { signal });
      const isNow = ({ start }: { start: string }) => Date.parse(start) >= now - milliseconds;
      const sum = (some: typeof items) => some.reduce((all, { costMicros }) => all + costMicros, 0);
      return {
        micros: sum(items.filter(isNow)),
        previousMicros: sum(items.filter((item) => !isNow(item))),
        points: pointsOf(items.filter(isNow), now - milliseconds, interval),
      };
    },
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/** The API leaves out hours and days without a request. */
function pointsOf(
  items: readonly { start: string; costMicros: number }[],
  from: number,
  interval: 'hour' | 'day',
): number[] {
  const step = interval === 'hour' ? 3_600_000 : 86_400_000;
  const first = Math.ceil(from / step);
  const points = new Array<number>(Math.floor(Date.now() / step) - first + 1).fill(0);
  for (const { start, costMicros } of items) {
    const at = Math.floor(Date.parse(start) / step) - first;
    if (at >= 0 && at < points.length) points[at] = (points[at] ?? 0) + costMicros;
  }
  return points;
}

/** When each point begins, in seconds. */
export function timesOf({
  from,
  pointSeconds,
  counters,
}: Pick<Usage, 'from' | 'pointSeconds' | 'counters'>): number[] {
  const start = Date.parse(from) / 1000;
  return counters.requests.map((_, at) => start + at * pointSeconds);
}

/** Null where nothing was read. */
export function hitRates({
  cacheHits,
  cacheMisses,
}: Pick<Usage['counters'], 'cacheHits' | 'cacheMisses'>): (number | null)[] {
  return cacheHits.map((hits, at) => {
    const reads = hits + (cacheMisses[at] ?? 0);
    return reads === 0 ? null : hits / reads;
  });
}
