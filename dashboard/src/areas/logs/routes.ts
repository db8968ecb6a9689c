import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readLogsSearch } from '#areas/logs/search.ts';
import { applicationRoute } from '#shell/routes.ts';

const requestsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/logs',
  staticData: { title: 'Logs', wide: true },
  validateSearch: readLogsSearch,
  component: lazyRouteComponent(() => import('./requests.tsx'), 'Requests'),
});

const analyticsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/logs/analytics',
  staticData: { title: 'Analytics', wide: true },
  validateSearch: readLogsSearch,
  component: lazyRouteComponent(() => import('./analytics.tsx'), 'Analytics'),
});

const drainsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/logs/drains',
  staticData: { title: 'Log drains' },
  component: lazyRouteComponent(() => import('./drains.tsx'), 'Drains'),
});

export const logRoutes = [requestsRoute, analyticsRoute, drainsRoute];
