import type { ApiKey, ScopeInfo } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

/** Whose keys: an organization's, an application's, or the person's own. */
export type KeyOwner =
  | { type: 'user' }
  | { type: 'organization'; organizationId: string }
  | { type: 'application'; applicationId: string; organizationId: string };

/** As the API takes it, in a body and in a query. */
export function ownerFields(owner: KeyOwner): { organizationId?: string; applicationId?: string } {
  if (owner.type === 'application') return { applicationId: owner.applicationId };
  return owner.type === 'organization' ? { organizationId: owner.organizationId } : {};
}

export const keysQuery = (owner: KeyOwner) =>
  queryOptions({
    queryKey: ['keys', ownerFields(owner)],
    queryFn: async ({ signal }) => {
      const items: ApiKey[] = [];
      for await (const key of api.apiKeys.list({ ...ownerFields(owner), limit: 100 }, { signal }))
        items.push(key);
      return items;
    },
  });

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: ({ signal }) => api.apiKeys.get(id, { signal }),
  });

/** Scopes that the person can give, explained. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  queryFn: ({ signal }) => api.apiKeys.scopes({ signal }).then(({ items }) => items),
  staleTime: Number.POSITIVE_INFINITY,
});

export function keysPath(owner: KeyOwner): string {
  const query = new URLSearchParams(ownerFields(owner)).toString();
  return query === '' ? '/api-keys' : `/api-keys?${query}`;
}

/** Those that a key of the owner can hold, without those of products that the organization does not have. */
export function offeredTo(
  owner: KeyOwner,
  scopes: readonly ScopeInfo[],
  products: readonly string[] | undefined,
): ScopeInfo[] {
  return scopes
    .filter(({ actors }) => actors.includes(owner.type))
    .filter(({ product }) => product === null || products === undefined || products.includes(product));
}

/** The owner's keys cannot use it themselves: they only hand it on to keys of applications. */
export function isHandedOn({ type }: KeyOwner, { usableBy }: ScopeInfo): boolean {
  return type !== 'application' && usableBy.includes('application') && !usableBy.includes(type);
}

const day = 86_400_000;

/** A key in its last week asks for somebody. */
export function statusOf({ expiresAt }: ApiKey): 'active' | 'expiring' | 'expired' {
  if (expiresAt === null) return 'active';
  const left = Date.parse(expiresAt) - Date.now();
  return left <= 0 ? 'expired' : left < 7 * day ? 'expiring' : 'active';
}
