import type { Organization } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { api } from '#api/client.ts';

const pageSize = 100;

async function all(query: { deleted?: boolean }, signal: AbortSignal): Promise<Organization[]> {
  const items: Organization[] = [];
  for await (const one of api.organizations.list({ limit: pageSize, ...query } as never, { signal }))
    items.push(one);
  return items;
}

/** Those that the person is a member of, by name. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async ({ signal }) => (await all({}, signal)).sort((a, b) => a.name.localeCompare(b.name)),
});

/** Those that the person owned and may still bring back. */
export const deletedOrganizationsQuery = queryOptions({
  queryKey: ['organizations', 'deleted'],
  queryFn: ({ signal }) => all({ deleted: true }, signal),
});

/** The organization of the address, on screens below /o/$slug. */
export function useOrganization(): Organization {
  return useRouteContext({ from: '/signed-in/o/$slug', select: (context) => context.organization });
}
