import type { RequestOptions } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '#api/client.ts';
import { byPage } from '#api/pages.ts';
import { useApplication } from '#areas/applications/data.ts';

/** The cache of one application, as admins of its organization reach it; each look is in the audit log. */
export function useApplicationCache() {
  const { id } = useApplication();
  return useMemo(
    () => ({
      applicationId: id,
      path: `/applications/${id}/fastcache`,
      stats: (options?: RequestOptions) => api.applicationCache.stats(id, options),
      keys: (query?: Parameters<typeof api.applicationCache.keys>[1], options?: RequestOptions) =>
        api.applicationCache.keys(id, query, options),
      get: (key: string, options?: RequestOptions) => api.applicationCache.get(id, key, options),
      set: (
        body: Parameters<typeof api.applicationCache.set>[1],
        conditions?: Parameters<typeof api.applicationCache.set>[2],
      ) => api.applicationCache.set(id, body, conditions),
      delete: (key: string) => api.applicationCache.delete(id, key),
      deleteByPrefix: (prefix: string) => api.applicationCache.deleteByPrefix(id, prefix),
    }),
    [id],
  );
}

export type OpenCache = ReturnType<typeof useApplicationCache>;
export type CachedItem = NonNullable<Awaited<ReturnType<OpenCache['get']>>>;

export const statsQuery = (cache: OpenCache) =>
  queryOptions({
    queryKey: ['cache', cache.applicationId, 'stats'],
    queryFn: ({ signal }) => cache.stats({ signal }),
    refetchInterval: 5_000,
  });

export const keysQuery = (cache: OpenCache, prefix: string | undefined) => ({
  queryKey: ['cache', cache.applicationId, 'keys', prefix],
  ...byPage((cursor, signal) =>
    cache.keys({ limit: 100, ...(prefix ? { prefix } : {}), ...(cursor ? { cursor } : {}) }, { signal }),
  ),
});

export const itemQuery = (cache: OpenCache, key: string) =>
  queryOptions({
    queryKey: ['cache', cache.applicationId, 'item', key],
    // Query takes no undefined for an answer.
    queryFn: async ({ signal }) => (await cache.get(key, { signal })) ?? null,
    staleTime: 0,
  });

/** As the API takes it: whole seconds from now, 0 for never. */
export function secondsUntil(expiresAt: Date | null): number {
  return expiresAt === null ? 0 : Math.max(1, Math.round((expiresAt.getTime() - Date.now()) / 1000));
}
