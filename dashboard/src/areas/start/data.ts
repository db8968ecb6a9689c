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

/** When each point begins, in seconds. */
export function timesOf({
  from,
  pointSeconds,
  counters,
}: Pick<Usage, 'from' | 'pointSeconds' | 'counters'>): number[] {
  const start = Date.parse(from) / 1000;
  return counters.requests.map((_, at) => start + at * pointSeconds);
}
