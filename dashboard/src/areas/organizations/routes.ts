import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { deletedOrganizationsQuery } from '#areas/organizations/data.ts';
import { organizationRoute, signedInRoute } from '#shell/routes.ts';
import { readFilter } from '#shell/search.ts';

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/o',
  staticData: { title: 'Organizations', wide: true },
  validateSearch: readFilter,
  loader: ({ context }) => context.queryClient.ensureQueryData(deletedOrganizationsQuery),
  component: lazyRouteComponent(() => import('./organizations.tsx'), 'Organizations'),
});

const newRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/new-organization',
  staticData: { title: 'New organization' },
  component: lazyRouteComponent(() => import('./new-organization.tsx'), 'NewOrganization'),
});

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings',
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(() => import('./settings.tsx'), 'OrganizationSettings'),
});

/** Of a person. */
export const organizationsRoutes = [listRoute, newRoute];
/** Of one organization. */
export const organizationRoutes = [settingsRoute];
