import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

export const overviewQuery = queryOptions({
  queryKey: ['instance', 'overview'],
  queryFn: ({ signal }) => api.admin.overview({ signal }),
  refetchInterval: 10_000,
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
