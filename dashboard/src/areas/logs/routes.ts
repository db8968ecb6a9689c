import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { drainsQuery, requestsQuery, statsQuery, topCount } from '#areas/logs/data.ts';
import { readLogsSearch } from '#areas/logs/search.ts';
import { applicationRoute } from '#shell/routes.ts';

const requestsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/logs',
  staticData: { title: 'Logs', wide: true },
  validateSearch: readLogsSearch,
  loader: ({ context: { queryClient, application }, location }) =>
    queryClient.prefetchInfiniteQuery(requestsQuery(application.id, readLogsSearch({ ...location.search }))),
  component: lazyRouteComponent(() => import('./requests.tsx'), 'Requests'),
});

const analyticsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/logs/analytics',
  staticData: { title: 'Analytics', wide: true },
  validateSearch: readLogsSearch,
  loader: ({ context: { queryClient, application }, location }) =>
    queryClient.prefetchQuery(statsQuery(application.id, readLogsSearch({ ...location.search }), topCount)),
  component: lazyRouteComponent(() => import('./analytics.tsx'), 'Analytics'),
});

const drainsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/logs/drains',
  staticData: { title: 'Log drains' },
  loader: ({ context: { queryClient, application } }) =>
    queryClient.prefetchQuery(drainsQuery(application.id)),
  component: lazyRouteComponent(() => import('./drains.tsx'), 'Drains'),
});

export const logRoutes = [requestsRoute, analyticsRoute, drainsRoute];
