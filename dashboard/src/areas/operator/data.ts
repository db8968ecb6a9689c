import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

export const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: ({ signal }) => api.admin.overview({ signal }),
  refetchInterval: 10_000,
});

export const settingsQuery = queryOptions({
  queryKey: ['operator', 'settings'],
  queryFn: ({ signal }) => api.admin.settings({ signal }),
});

export const programsQuery = queryOptions({
  queryKey: ['operator', 'programs'],
  queryFn: ({ signal }) => api.admin.oauthClients({ signal }).then(({ items }) => items),
});

export const entitlementsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['operator', 'products', organizationId],
    queryFn: ({ signal }) => api.admin.products(organizationId, { signal }).then(({ items }) => items),
  });
