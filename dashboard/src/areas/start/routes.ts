import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { keysQuery } from '#areas/keys/data.ts';
import { readRange } from '#areas/start/data.ts';
import { organizationRoute } from '#shell/routes.ts';

const startRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  staticData: { title: 'Overview' },
  validateSearch: readRange,
  loader: ({ context: { queryClient, organization, can } }) =>
    can('listApiKeys')
      ? queryClient.prefetchQuery(keysQuery({ type: 'organization', organizationId: organization.id }))
      : undefined,
  component: lazyRouteComponent(() => import('./start.tsx'), 'Start'),
});

export const startRoutes = [startRoute];
