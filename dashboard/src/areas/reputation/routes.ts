import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demands } from '#areas/organizations/permissions.ts';
import { feedsQuery } from '#areas/reputation/data.ts';
import { organizationRoute } from '#shell/routes.ts';
import { type CreateSearch, type FilterSearch, readCreate, readFilter } from '#shell/search.ts';

const lookUpRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/lookups',
  staticData: { title: 'Web reputation' },
  validateSearch: ({ names }: Record<string, unknown>): { names?: string } =>
    typeof names === 'string' && names !== '' ? { names } : {},
  component: lazyRouteComponent(() => import('./reputation.tsx'), 'Reputation'),
});

const feedsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/lookups/threat-feeds',
  staticData: { title: 'Threat feeds' },
  validateSearch: readFilter,
  loader: ({ context }) => context.queryClient.ensureQueryData(feedsQuery),
  component: lazyRouteComponent(() => import('./feeds.tsx'), 'Feeds'),
});

const overridesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/lookups/overrides',
  staticData: { title: 'Overrides of web reputation' },
  validateSearch: (search: Record<string, unknown>): FilterSearch & CreateSearch => ({
    ...readFilter(search),
    ...readCreate(search),
  }),
  beforeLoad: demands('listReputationOverrides'),
  component: lazyRouteComponent(() => import('./overrides.tsx'), 'Overrides'),
});

export const reputationRoutes = [lookUpRoute, feedsRoute, overridesRoute];
