import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import type { Range } from '#areas/start/data.ts';

export const overviewQuery = queryOptions({
  queryKey: ['instance', 'overview'],
  queryFn: ({ signal }) => api.admin.overview({ signal }),
  refetchInterval: 10_000,
});

export const instanceUsageQuery = (range: Range) =>
  queryOptions({
    queryKey: ['instance', 'usage', range],
    queryFn: ({ signal }) => api.admin.usage({ range }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export const settingsQuery = queryOptions({
  queryKey: ['instance', 'settings'],
  queryFn: ({ signal }) => api.admin.settings({ signal }),
});

export const oauthAppsQuery = queryOptions({
  queryKey: ['instance', 'oauth apps'],
  queryFn: ({ signal }) => api.admin.oauthClients({ signal }).then(({ items }) => items),
});

export const entitlementsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['instance', 'products', organizationId],
    queryFn: ({ signal }) => api.admin.products(organizationId, { signal }).then(({ items }) => items),
  });

/** The search finds by id too. */
export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['instance', 'organizations', 'one', id],
    queryFn: async ({ signal }) => {
      const { items } = await api.admin.organizations({ search: id, limit: 1 }, { signal });
      return items.find((one) => one.id === id) ?? null;
    },
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['instance', 'users', 'one', id],
    queryFn: async ({ signal }) => {
      const { items } = await api.admin.users({ search: id, limit: 1 }, { signal });
      return items.find((one) => one.id === id) ?? null;
    },
  });
