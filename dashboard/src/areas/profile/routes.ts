import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { optionsQuery } from '#api/session.ts';
import { passkeysQuery, sessionsQuery } from '#areas/profile/data.ts';
import { signedInRoute } from '#shell/routes.ts';

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  staticData: { title: 'Profile' },
  loader: ({ context }) => context.queryClient.ensureQueryData(optionsQuery),
  component: lazyRouteComponent(() => import('./profile.tsx'), 'Profile'),
});

const securityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/security',
  staticData: { title: 'Security' },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(passkeysQuery), queryClient.ensureQueryData(sessionsQuery)]),
  component: lazyRouteComponent(() => import('./security.tsx'), 'Security'),
});

export const profileRoutes = [profileRoute, securityRoute];
