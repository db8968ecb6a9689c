import type { RequestLog, RequestStats } from '@mainstay/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { byPage } from '#api/pages.ts';
import { type LogsSearch, toQuery } from '#areas/logs/search.ts';

/** What the address says beside the rows themselves changes nothing of what is loaded. */
function keyOf({ live: _live, request: _request, ...rest }: LogsSearch) {
  return rest;
}

export const requestsQuery = (applicationId: string, search: LogsSearch) =>
  infiniteQueryOptions({
    queryKey: ['requests', applicationId, keyOf(search)],
    ...byPage<RequestLog>((cursor, signal) =>
      api.requestLogs.list(
        applicationId,
        { ...toQuery(search), limit: 100, ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    ),
  });

export const requestQuery = (applicationId: string, id: string) =>
  queryOptions({
    queryKey: ['request', applicationId, id],
    queryFn: ({ signal }) => api.requestLogs.get(applicationId, id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** How many of each ranking the analytics show. */
export const topCount = 10;

export const statsQuery = (applicationId: string, search: LogsSearch, top: number) =>
  queryOptions({
    queryKey: ['request stats', applicationId, keyOf(search), top],
    queryFn: ({ signal }) => api.requestLogs.stats(applicationId, { ...toQuery(search), top }, { signal }),
    placeholderData: (before) => before,
  });

export const drainsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['log drains', applicationId],
    queryFn: ({ signal }) => api.logDrains.list(applicationId, { signal }),
  });

type Families = RequestStats['total']['families'];

/** Requests by how they ended, for a stacked chart: failures are at the bottom, where few of them are still seen. */
export function familySeries(steps: readonly { families: Families }[]) {
  const of = (count: (families: Families) => number) => steps.map(({ families }) => count(families));
  return [
    { label: 'Answered', values: of((f) => f['1xx'] + f['2xx'] + f['3xx']) },
    { label: '4xx', values: of((f) => f['4xx']), tone: 'warning' as const },
    { label: '5xx', values: of((f) => f['5xx'] + f.none), tone: 'danger' as const },
  ];
}
