import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

export const productsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['products', organizationId],
    queryFn: ({ signal }) => api.products.list(organizationId, { signal }).then(({ items }) => items),
  });
