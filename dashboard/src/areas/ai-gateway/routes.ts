import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  aliasesQuery,
  budgetsQuery,
  modelsQuery,
  policyQuery,
  policySubjectOf,
  providersQuery,
  requestQuery,
  requestsQuery,
  seriesQuery,
  summaryQuery,
} from '#areas/ai-gateway/data.ts';
import {
  defaultRange,
  readPlayground,
  readPolicySubject,
  readRequests,
  readUsage,
} from '#areas/ai-gateway/search.ts';
import { demands } from '#areas/organizations/permissions.ts';
import { organizationRoute } from '#shell/routes.ts';
import { type CreateSearch, type ListSearch, readCreate, readList } from '#shell/search.ts';

const usageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai',
  staticData: { title: 'AI gateway', wide: true },
  validateSearch: readUsage,
  beforeLoad: demands('getAiUsageSummary'),
  loader: ({ context: { queryClient, organization }, location }) => {
    const { range = defaultRange, by = 'model' } = readUsage({ ...location.search });
    return Promise.all([
      queryClient.prefetchQuery(summaryQuery(organization.id, range)),
      queryClient.prefetchQuery(seriesQuery(organization.id, range, by)),
    ]);
  },
  component: lazyRouteComponent(() => import('./usage.tsx'), 'Usage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/requests',
  staticData: { title: 'AI requests', wide: true },
  validateSearch: readRequests,
  beforeLoad: demands('listAiUsageRequests'),
  loader: ({ context: { queryClient, organization }, location }) =>
    queryClient.prefetchInfiniteQuery(requestsQuery(organization.id, readRequests({ ...location.search }))),
  component: lazyRouteComponent(() => import('./requests.tsx'), 'Requests'),
});

const requestRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/requests/$eventId',
  staticData: { title: 'AI request' },
  beforeLoad: demands('getAiUsageRequest'),
  loader: ({ context: { queryClient, organization }, params }) =>
    queryClient.ensureQueryData(requestQuery(organization.id, params.eventId)),
  component: lazyRouteComponent(() => import('./request-page.tsx'), 'RequestPage'),
});

const modelsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/models',
  staticData: { title: 'AI models', wide: true },
  validateSearch: (search: Record<string, unknown>): ListSearch<'owner' | 'capability' | 'zdr'> =>
    readList(search, ['owner', 'capability', 'zdr']),
  beforeLoad: demands('getAiUsageSummary'),
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.prefetchQuery(modelsQuery(organization.id)),
  component: lazyRouteComponent(() => import('./models.tsx'), 'Models'),
});

const providersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/providers',
  staticData: { title: 'AI providers' },
  validateSearch: (search: Record<string, unknown>): CreateSearch => readCreate(search),
  beforeLoad: demands('listAiProviders'),
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.prefetchQuery(providersQuery(organization.id)),
  component: lazyRouteComponent(() => import('./organization-providers.tsx'), 'OrganizationProviders'),
});

const budgetsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/budgets',
  staticData: { title: 'AI budgets' },
  validateSearch: (search: Record<string, unknown>): CreateSearch => readCreate(search),
  beforeLoad: demands('listAiBudgets'),
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.prefetchQuery(budgetsQuery(organization.id)),
  component: lazyRouteComponent(() => import('./budgets.tsx'), 'Budgets'),
});

const policiesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/policies',
  staticData: { title: 'AI policies' },
  validateSearch: readPolicySubject,
  beforeLoad: demands('getAiPolicy'),
  loader: ({ context: { queryClient, organization }, location }) => {
    const subject = policySubjectOf(readPolicySubject({ ...location.search }));
    return queryClient.prefetchQuery(policyQuery(organization.id, subject));
  },
  component: lazyRouteComponent(() => import('./policies.tsx'), 'Policies'),
});

const aliasesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/aliases',
  staticData: { title: 'AI aliases' },
  validateSearch: (search: Record<string, unknown>): CreateSearch => readCreate(search),
  beforeLoad: demands('listAiAliases'),
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.prefetchQuery(aliasesQuery(organization.id)),
  component: lazyRouteComponent(() => import('./aliases.tsx'), 'Aliases'),
});

const explainRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/explain',
  staticData: { title: 'Explain an AI request' },
  beforeLoad: demands('explainAiRequest'),
  component: lazyRouteComponent(() => import('./explain.tsx'), 'Explain'),
});

const playgroundRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/ai/playground',
  staticData: { title: 'AI playground', wide: true },
  validateSearch: readPlayground,
  beforeLoad: demands('getAiUsageSummary'),
  component: lazyRouteComponent(() => import('./playground.tsx'), 'Playground'),
});

export const aiGatewayRoutes = [
  usageRoute,
  requestsRoute,
  requestRoute,
  modelsRoute,
  providersRoute,
  budgetsRoute,
  policiesRoute,
  aliasesRoute,
  explainRoute,
  playgroundRoute,
];
