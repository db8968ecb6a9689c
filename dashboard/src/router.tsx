import { createRouter } from '@tanstack/react-router';
import { queryClient } from '#api/queries.ts';
import { aiGatewayRoutes } from '#areas/ai-gateway/routes.ts';
import { applicationListRoutes, applicationRoutes } from '#areas/applications/routes.ts';
import { auditLogRoutes } from '#areas/audit-log/routes.ts';
import { cacheRoutes } from '#areas/cache/routes.ts';
import { deploymentRoutes } from '#areas/deployments/routes.ts';
import { designRoutes } from '#areas/design/routes.ts';
import { instanceRoutes } from '#areas/instance/routes.ts';
import { applicationKeyRoutes, keyRoutes, personalKeyRoutes } from '#areas/keys/routes.ts';
import { logRoutes } from '#areas/logs/routes.ts';
import { invitationRoutes, memberRoutes } from '#areas/members/routes.ts';
import { organizationRoutes, organizationsRoutes } from '#areas/organizations/routes.ts';
import { productRoutes } from '#areas/products/routes.ts';
import { profileRoutes } from '#areas/profile/routes.ts';
import { reputationRoutes } from '#areas/reputation/routes.ts';
import { signInRoutes } from '#areas/sign-in/routes.ts';
import { startRoutes } from '#areas/start/routes.ts';
import { storageRoutes } from '#areas/storage/routes.ts';
import { variableRoutes } from '#areas/variables/routes.ts';
import { whoisRoutes } from '#areas/whois/routes.ts';
import { arrive } from '#shell/arrive.ts';
import { PageError } from '#shell/page-error.tsx';
import {
  applicationRoute,
  doorRoute,
  elsewhereRoute,
  indexRoute,
  organizationRoute,
  rootRoute,
  signedInRoute,
} from '#shell/routes.ts';
import { PageSkeleton } from '#ui/skeleton.tsx';

/** Every screen: those of an organization, those of a person, those at the door. A new area is a line here. */
const routeTree = rootRoute.addChildren([
  ...designRoutes,
  doorRoute.addChildren([...signInRoutes, ...invitationRoutes]),
  signedInRoute.addChildren([
    indexRoute,
    elsewhereRoute,
    ...organizationsRoutes,
    ...personalKeyRoutes,
    ...profileRoutes,
    ...instanceRoutes,
    organizationRoute.addChildren([
      ...startRoutes,
      ...memberRoutes,
      ...keyRoutes,
      ...organizationRoutes,
      ...variableRoutes,
      ...reputationRoutes,
      ...whoisRoutes,
      ...productRoutes,
      ...auditLogRoutes,
      ...aiGatewayRoutes,
      ...applicationListRoutes,
      applicationRoute.addChildren([
        ...applicationRoutes,
        ...cacheRoutes,
        ...applicationKeyRoutes,
        ...logRoutes,
        ...deploymentRoutes,
        ...storageRoutes,
      ]),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // How fresh data is, Query knows.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingMinMs: 200,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
});
arrive(router);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
