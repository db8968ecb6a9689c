import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { keyQuery, keysQuery, scopesQuery } from '#areas/keys/data.ts';
import { demands } from '#areas/organizations/permissions.ts';
import { applicationRoute, organizationRoute, signedInRoute } from '#shell/routes.ts';
import { type CreateSearch, type ListSearch, readCreate, readList } from '#shell/search.ts';

export type KeysSearch = ListSearch<'status'> & CreateSearch;

const validateSearch = (search: Record<string, unknown>): KeysSearch => ({
  ...readList(search, ['status']),
  ...readCreate(search),
});
const staticData = { title: 'API keys', wide: true } as const;

const organizationKeysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/keys',
  staticData,
  validateSearch,
  beforeLoad: demands('listApiKeys'),
  loader: ({ context: { queryClient, organization } }) =>
    Promise.all([
      queryClient.prefetchQuery(keysQuery({ type: 'organization', organizationId: organization.id })),
      queryClient.prefetchQuery(scopesQuery),
    ]),
  component: lazyRouteComponent(() => import('./organization-keys.tsx'), 'OrganizationKeys'),
});

const organizationKeyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/keys/$keyId',
  staticData: { title: 'API key' },
  beforeLoad: demands('listApiKeys'),
  loader: ({ context: { queryClient }, params: { keyId } }) => queryClient.ensureQueryData(keyQuery(keyId)),
  component: lazyRouteComponent(() => import('./organization-keys.tsx'), 'OrganizationKey'),
});

const applicationKeysRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/keys',
  staticData,
  validateSearch,
  beforeLoad: demands('listApiKeys'),
  loader: ({ context: { queryClient, organization, application } }) =>
    Promise.all([
      queryClient.prefetchQuery(
        keysQuery({ type: 'application', applicationId: application.id, organizationId: organization.id }),
      ),
      queryClient.prefetchQuery(scopesQuery),
    ]),
  component: lazyRouteComponent(() => import('./application-keys.tsx'), 'ApplicationKeys'),
});

const applicationKeyRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/keys/$keyId',
  staticData: { title: 'API key' },
  beforeLoad: demands('listApiKeys'),
  loader: ({ context: { queryClient }, params: { keyId } }) => queryClient.ensureQueryData(keyQuery(keyId)),
  component: lazyRouteComponent(() => import('./application-keys.tsx'), 'ApplicationKey'),
});

const personalKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys',
  staticData: { title: 'Personal API keys', wide: true },
  validateSearch,
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.prefetchQuery(keysQuery({ type: 'user' })),
      queryClient.prefetchQuery(scopesQuery),
    ]),
  component: lazyRouteComponent(() => import('./personal-keys.tsx'), 'PersonalKeys'),
});

const personalKeyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys/$keyId',
  staticData: { title: 'Personal API key' },
  loader: ({ context: { queryClient }, params: { keyId } }) => queryClient.ensureQueryData(keyQuery(keyId)),
  component: lazyRouteComponent(() => import('./personal-keys.tsx'), 'PersonalKey'),
});

export const keyRoutes = [organizationKeysRoute, organizationKeyRoute];
export const applicationKeyRoutes = [applicationKeysRoute, applicationKeyRoute];
export const personalKeyRoutes = [personalKeysRoute, personalKeyRoute];
