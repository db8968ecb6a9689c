import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { keysQuery } from '#areas/keys/data.ts';
import { membersQuery } from '#areas/organizations/data.ts';
import { organizationRoute } from '#shell/routes.ts';

const startRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  staticData: { title: 'Overview' },
  loader: ({ context: { queryClient, organization } }) =>
    Promise.all([
      queryClient.prefetchQuery(keysQuery(organization.id)),
      queryClient.ensureQueryData(membersQuery(organization.id)),
    ]),
  component: lazyRouteComponent(() => import('./start.tsx'), 'Start'),
});

export const startRoutes = [startRoute];
