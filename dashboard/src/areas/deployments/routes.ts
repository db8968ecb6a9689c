import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
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
  component: lazyRouteComponent(() => import('./deployments.tsx'), 'Deployments'),
});

const oneRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId',
  staticData,
  beforeLoad: demands('getDeployment'),
  component: lazyRouteComponent(() => import('./deployment.tsx'), 'DeploymentPage'),
});

const filesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId/files',
  staticData,
  beforeLoad: demands('listDeploymentFiles'),
  component: lazyRouteComponent(() => import('./deployment-files.tsx'), 'DeploymentFiles'),
});

const routesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId/routes',
  staticData,
  beforeLoad: demands('listDeploymentRoutes'),
  component: lazyRouteComponent(() => import('./deployment-routes.tsx'), 'DeploymentRoutes'),
});

const variablesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/deployments/$deploymentId/variables',
  staticData,
  beforeLoad: demands('listDeploymentVariables'),
  component: lazyRouteComponent(() => import('./deployment-variables.tsx'), 'DeploymentVariables'),
});

export const deploymentRoutes = [listRoute, oneRoute, filesRoute, routesRoute, variablesRoute];
