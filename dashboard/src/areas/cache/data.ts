import { type Client, createClient } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { byPage } from '#api/pages.ts';

/**
 * A cache belongs to an application, and the API lets nobody else into it: who wants to look needs a token of a key of
 * that application. It is kept in the memory of this page only, and gone when the page is.
 */
let open: OpenCache | undefined;
/** Sets apart what is known of one cache from what is known of another. */
let entrance = 0;
const listeners = new Set<() => void>();

export interface OpenCache {
  cache: Client['fastcache'];
  entrance: number;
}

export type CachedItem = NonNullable<Awaited<ReturnType<OpenCache['cache']['get']>>>;

/** Rejects with what the API says to the token. */
export async function enterCache(token: string): Promise<void> {
  const { fastcache: cache } = createClient({ baseUrl: location.origin, token });
  await cache.stats();
  entrance += 1;
  open = { cache, entrance };
  for (const listener of listeners) listener();
}

export function leaveCache(): void {
  open = undefined;
  for (const listener of listeners) listener();
}

export function useOpenCache(): OpenCache | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}

export const statsQuery = ({ cache, entrance }: OpenCache) =>
  queryOptions({
    queryKey: ['cache', entrance, 'stats'],
    queryFn: ({ signal }) => cache.stats({ signal }),
    refetchInterval: 5_000,
  });

export const keysQuery = ({ cache, entrance }: OpenCache, prefix: string | undefined) => ({
  queryKey: ['cache', entrance, 'keys', prefix],
  ...byPage((cursor, signal) =>
    cache.keys({ limit: 100, ...(prefix ? { prefix } : {}), ...(cursor ? { cursor } : {}) }, { signal }),
  ),
});

export const itemQuery = ({ cache, entrance }: OpenCache, key: string) =>
  queryOptions({
    queryKey: ['cache', entrance, 'item', key],
    // Query takes no undefined for an answer.
    queryFn: async ({ signal }) => (await cache.get(key, { signal })) ?? null,
    staleTime: 0,
  });

/** As the API takes it: whole seconds from now, 0 for never. */
export function secondsUntil(expiresAt: Date | null): number {
  return expiresAt === null ? 0 : Math.max(1, Math.round((expiresAt.getTime() - Date.now()) / 1000));
}
