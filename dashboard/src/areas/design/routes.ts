import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '#shell/routes.ts';

const designRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/design',
  staticData: { title: 'Components' },
  component: lazyRouteComponent(() => import('./design.tsx'), 'Design'),
});

export const designRoutes = [designRoute];
