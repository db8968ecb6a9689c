import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { sessionQuery } from '#api/session.ts';
import { catalogueQuery, priceListsQuery, providersQuery } from '#areas/ai-gateway/data.ts';
import { readAuditSearch } from '#areas/audit-log/search.ts';
import {
  entitlementsQuery,
  instanceUsageQuery,
  oauthAppsQuery,
  organizationQuery,
  overviewQuery,
  settingsQuery,
  userQuery,
} from '#areas/instance/data.ts';
import { feedsQuery } from '#areas/reputation/data.ts';
import { readRange } from '#areas/start/data.ts';
import { signedInRoute } from '#shell/routes.ts';
import {
  type CreateSearch,
  type FilterSearch,
  type ListSearch,
  readCreate,
  readFilter,
  readList,
} from '#shell/search.ts';

/** For operators of the instance. The API refuses everybody else; this only spares them the sight of it. */
const instanceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/instance',
  beforeLoad: async ({ context }) => {
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!user?.operator) throw notFound();
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/',
  staticData: { title: 'Instance' },
  validateSearch: readRange,
  loader: ({ context: { queryClient }, location }) =>
    Promise.all([
      queryClient.ensureQueryData(overviewQuery),
      queryClient.prefetchQuery(instanceUsageQuery(readRange({ ...location.search }).range ?? '24h')),
    ]),
  component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
});

const usersRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/users',
  staticData: { title: 'Users', wide: true },
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./users.tsx'), 'Users'),
});

const userRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/users/$userId',
  staticData: { title: 'User' },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(userQuery(params.userId)),
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
});

const waitlistRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/waitlist',
  staticData: { title: 'Waitlist', wide: true },
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./users.tsx'), 'Waitlist'),
});

const organizationsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/organizations',
  staticData: { title: 'Organizations', wide: true },
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./organizations.tsx'), 'InstanceOrganizations'),
});

const entitlementsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/organizations/$organizationId',
  staticData: { title: 'Entitlements' },
  loader: ({ context: { queryClient }, params: { organizationId } }) =>
    Promise.all([
      queryClient.prefetchQuery(entitlementsQuery(organizationId)),
      queryClient.prefetchQuery(organizationQuery(organizationId)),
    ]),
  component: lazyRouteComponent(() => import('./entitlements.tsx'), 'Entitlements'),
});

const feedsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/threat-feeds',
  staticData: { title: 'Threat feeds', wide: true },
  validateSearch: readFilter,
  loader: ({ context }) => context.queryClient.ensureQueryData(feedsQuery),
  component: lazyRouteComponent(() => import('./threat-feeds.tsx'), 'ThreatFeeds'),
});

const overridesRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/threat-feeds/overrides',
  staticData: { title: 'Instance overrides', wide: true },
  validateSearch: (search: Record<string, unknown>): FilterSearch & CreateSearch => ({
    ...readFilter(search),
    ...readCreate(search),
  }),
  component: lazyRouteComponent(() => import('./instance-overrides.tsx'), 'InstanceOverrides'),
});

const oauthAppsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/oauth-apps',
  staticData: { title: 'OAuth apps', wide: true },
  validateSearch: (search: Record<string, unknown>): FilterSearch => readFilter(search),
  loader: ({ context }) => context.queryClient.ensureQueryData(oauthAppsQuery),
  component: lazyRouteComponent(() => import('./oauth-apps.tsx'), 'OAuthApps'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/audit-log',
  staticData: { title: 'Audit log', wide: true },
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./instance-audit-log.tsx'), 'InstanceAuditLog'),
});

const settingsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/settings',
  staticData: { title: 'Settings' },
  loader: ({ context }) => context.queryClient.ensureQueryData(settingsQuery),
  component: lazyRouteComponent(() => import('./settings.tsx'), 'InstanceSettings'),
});

const aiProvidersRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ai',
  staticData: { title: 'AI providers' },
  validateSearch: (search: Record<string, unknown>): CreateSearch => readCreate(search),
  loader: ({ context }) => context.queryClient.prefetchQuery(providersQuery(undefined)),
  component: lazyRouteComponent(() => import('./ai-providers.tsx'), 'InstanceAiProviders'),
});

const aiCatalogueRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ai/models',
  staticData: { title: 'Models and prices', wide: true },
  validateSearch: (search: Record<string, unknown>): ListSearch<'source'> => readList(search, ['source']),
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.prefetchQuery(catalogueQuery), queryClient.prefetchQuery(priceListsQuery)]),
  component: lazyRouteComponent(() => import('./ai-catalogue.tsx'), 'AiCatalogue'),
});

export const instanceRoutes = [
  instanceRoute.addChildren([
    overviewRoute,
    usersRoute,
    userRoute,
    waitlistRoute,
    organizationsRoute,
    entitlementsRoute,
    feedsRoute,
    overridesRoute,
    oauthAppsRoute,
    aiProvidersRoute,
    aiCatalogueRoute,
    auditLogRoute,
    settingsRoute,
  ]),
];
