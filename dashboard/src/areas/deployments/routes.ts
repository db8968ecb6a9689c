import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  deploymentQuery,
  deploymentsQuery,
  filesQuery,
  functionsQuery,
  metricsQuery,
  routesQuery,
  scheduleRunsQuery,
  schedulesQuery,
} from '#areas/deployments/data.ts';
import { readRuntimeSearch } from '#areas/deployments/search.ts';
import { demands } from '#areas/organizations/permissions.ts';
import { applicationRoute } from '#shell/routes.ts';
import { type CreateSearch, readCreate } from '#shell/search.ts';

const staticData = { title: 'Deployments', wide: true } as const;

const listRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments',
  staticData,
  validateSearch: (search: Record<string, unknown>): CreateSearch => readCreate(search),
  beforeLoad: demands('listDeployments'),
  loader: ({ context: { queryClient, application } }) =>
    queryClient.prefetchInfiniteQuery(deploymentsQuery(application.id)),
  component: lazyRouteComponent(() => import('./deployments.tsx'), 'Deployments'),
});

const oneRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId',
  staticData,
  beforeLoad: demands('getDeployment'),
  loader: ({ context: { queryClient }, params: { deploymentId } }) =>
    queryClient.prefetchQuery(deploymentQuery(deploymentId)),
  component: lazyRouteComponent(() => import('./deployment.tsx'), 'DeploymentPage'),
});

const filesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId/files',
  staticData,
  beforeLoad: demands('listDeploymentFiles'),
  loader: ({ context: { queryClient }, params: { deploymentId } }) =>
    Promise.all([
      queryClient.prefetchQuery(deploymentQuery(deploymentId)),
      queryClient.prefetchQuery(functionsQuery(deploymentId)),
      queryClient.prefetchInfiniteQuery(filesQuery(deploymentId, '')),
    ]),
  component: lazyRouteComponent(() => import('./deployment-files.tsx'), 'DeploymentFiles'),
});

const routesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId/routes',
  staticData,
  beforeLoad: demands('listDeploymentRoutes'),
  loader: ({ context: { queryClient }, params: { deploymentId } }) =>
    Promise.all([
      queryClient.prefetchQuery(deploymentQuery(deploymentId)),
      queryClient.prefetchQuery(routesQuery(deploymentId)),
    ]),
  component: lazyRouteComponent(() => import('./deployment-routes.tsx'), 'DeploymentRoutes'),
});

const variablesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId/variables',
  staticData,
  beforeLoad: demands('listDeploymentVariables'),
  loader: ({ context: { queryClient }, params: { deploymentId } }) =>
    queryClient.prefetchQuery(deploymentQuery(deploymentId)),
  component: lazyRouteComponent(() => import('./deployment-variables.tsx'), 'DeploymentVariables'),
});

const logsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId/logs',
  staticData,
  validateSearch: readRuntimeSearch,
  beforeLoad: demands('listDeploymentRuntimeLogs'),
  loader: ({ context: { queryClient }, params: { deploymentId } }) =>
    queryClient.prefetchQuery(deploymentQuery(deploymentId)),
  component: lazyRouteComponent(() => import('./deployment-logs.tsx'), 'DeploymentLogs'),
});

const liveLogsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/logs/runtime',
  staticData: { title: 'Runtime logs', wide: true, environment: true },
  validateSearch: readRuntimeSearch,
  beforeLoad: demands('listDeploymentRuntimeLogs'),
  component: lazyRouteComponent(() => import('./live-logs.tsx'), 'LiveLogs'),
});

const metricsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId/metrics',
  staticData,
  validateSearch: readRuntimeSearch,
  beforeLoad: demands('getDeploymentMetrics'),
  loader: ({ context: { queryClient }, params: { deploymentId }, location }) =>
    Promise.all([
      queryClient.prefetchQuery(deploymentQuery(deploymentId)),
      queryClient.prefetchQuery(metricsQuery(deploymentId, readRuntimeSearch({ ...location.search }))),
    ]),
  component: lazyRouteComponent(() => import('./deployment-metrics.tsx'), 'DeploymentMetricsPage'),
});

const schedulesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/schedules',
  staticData: { title: 'Schedules', wide: true },
  beforeLoad: demands('listSchedules'),
  loader: ({ context: { queryClient, application } }) =>
    Promise.all([
      queryClient.prefetchQuery(schedulesQuery(application.id)),
      queryClient.prefetchInfiniteQuery(scheduleRunsQuery(application.id)),
    ]),
  component: lazyRouteComponent(() => import('./schedules.tsx'), 'Schedules'),
});

export const deploymentRoutes = [
  listRoute,
  schedulesRoute,
  oneRoute,
  logsRoute,
  liveLogsRoute,
  metricsRoute,
  filesRoute,
  routesRoute,
  variablesRoute,
];
