import type { ApiKey } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

/** Whose keys: an organization's, or, without one, the person's own. */
export type KeyOwner = string | null;

export const keysQuery = (owner: KeyOwner) =>
  queryOptions({
    queryKey: ['keys', owner],
    queryFn: async ({ signal }) => {
      const items: ApiKey[] = [];
      const query = owner === null ? {} : { organizationId: owner };
      for await (const key of api.apiKeys.list({ ...query, limit: 100 }, { signal })) items.push(key);
      return items;
    },
  });

/** Scopes that the person can give, explained. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  queryFn: ({ signal }) => api.apiKeys.scopes({ signal }).then(({ items }) => items),
  staleTime: Number.POSITIVE_INFINITY,
});

export const keysPath = (owner: KeyOwner) =>
  owner === null ? '/api-keys' : `/api-keys?organizationId=${owner}`;
