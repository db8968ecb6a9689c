import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sessionQuery } from '#api/session.ts';
import { failedDomainsQuery, latestQuery } from '#areas/applications/queries.ts';
import { overviewQuery } from '#areas/instance/data.ts';
import { keysQuery } from '#areas/keys/data.ts';
import { invitationsQuery } from '#areas/members/data.ts';
import { feedsQuery } from '#areas/reputation/data.ts';
import { budgetsQuery } from '#areas/start/budgets.ts';
import { deploymentUsageQuery, readRange, usageQuery } from '#areas/start/data.ts';
import { organizationRoute } from '#shell/routes.ts';

const startRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  staticData: { title: 'Overview' },
  validateSearch: readRange,
  // All that decides how tall a part of the screen is, so that nothing moves after it is drawn.
  loader: ({ context: { queryClient, organization, can }, location }) => {
    const { id } = organization;
    const isOperator = queryClient.getQueryData(sessionQuery.queryKey)?.user?.operator === true;
    return Promise.all([
      queryClient.prefetchQuery(usageQuery(id, readRange({ ...location.search }).range ?? '24h')),
      can('listApiKeys') &&
        queryClient.prefetchQuery(keysQuery({ type: 'organization', organizationId: id })),
      can('listInvitations') && queryClient.prefetchQuery(invitationsQuery(id)),
      can('listLatestDeployments') && queryClient.prefetchQuery(latestQuery(id)),
      can('listOrganizationDomains') && queryClient.prefetchQuery(failedDomainsQuery(id)),
      can('listAiBudgets') && queryClient.prefetchQuery(budgetsQuery(id)),
      isOperator && queryClient.prefetchQuery(overviewQuery),
      isOperator && queryClient.prefetchQuery(feedsQuery),
    ]);
  },
  component: lazyRouteComponent(() => import('./start.tsx'), 'Start'),
});

const usageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/usage',
  staticData: { title: 'Usage', wide: true },
  validateSearch: readRange,
  loader: ({ context: { queryClient, organization, can }, location }) => {
    const { id } = organization;
    return Promise.all([
      queryClient.prefetchQuery(usageQuery(id, readRange({ ...location.search }).range ?? '24h')),
      can('getDeploymentUsage') && queryClient.prefetchQuery(deploymentUsageQuery(id)),
    ]);
  },
  component: lazyRouteComponent(() => import('./usage.tsx'), 'UsagePage'),
});

export const startRoutes = [startRoute, usageRoute];
