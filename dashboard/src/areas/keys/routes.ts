import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { keysQuery, scopesQuery } from '#areas/keys/data.ts';
import { demands } from '#areas/organizations/permissions.ts';
import { organizationRoute, signedInRoute } from '#shell/routes.ts';
import { type CreateSearch, type ListSearch, readCreate, readList } from '#shell/search.ts';

export type KeysSearch = ListSearch<'status'> & CreateSearch;

const validateSearch = (search: Record<string, unknown>): KeysSearch => ({
  ...readList(search, ['status']),
  ...readCreate(search),
});

const organizationKeysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/keys',
  staticData: { title: 'API keys', wide: true },
  validateSearch,
  beforeLoad: demands('listApiKeys'),
  loader: ({ context: { queryClient, organization } }) =>
    Promise.all([
      queryClient.prefetchQuery(keysQuery(organization.id)),
      queryClient.prefetchQuery(scopesQuery),
    ]),
  component: lazyRouteComponent(() => import('./organization-keys.tsx'), 'OrganizationKeys'),
});

const personalKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys',
  staticData: { title: 'Personal API keys', wide: true },
  validateSearch,
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.prefetchQuery(keysQuery(null)), queryClient.prefetchQuery(scopesQuery)]),
  component: lazyRouteComponent(() => import('./personal-keys.tsx'), 'PersonalKeys'),
});

/** Of one organization. */
export const keyRoutes = [organizationKeysRoute];
/** Of a person. */
export const personalKeyRoutes = [personalKeysRoute];
