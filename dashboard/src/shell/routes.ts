import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { isStatus } from '#api/errors.ts';
import { sessionQuery } from '#api/session.ts';
import { applicationQuery, environmentsQuery } from '#areas/applications/data.ts';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { canOf, canOfApplications, permissionsQuery } from '#areas/organizations/permissions.ts';
import { lastOrganization, rememberOrganization } from '#shell/last-organization.ts';
import { NotFound } from '#shell/not-found.tsx';
import { RootLayout } from '#shell/root-layout.tsx';

/** The routes that screens hang below. A screen's own route stands in its area: `areas/<area>/routes.ts`. */

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Of the browser's tab. */
    title?: string;
    /** Uses the width of the window: screens that are a table or a log. */
    wide?: true;
    /** On screens of an application: what they show is of one environment, which the frame lets people choose. */
    environment?: true;
  }
}

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootLayout,
  notFoundComponent: NotFound,
});

/** Pages for people who are not signed in, or who were sent here by a link in an e-mail or by an OAuth app: a card in the middle. */
export const doorRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'door',
  component: lazyRouteComponent(() => import('#shell/door.tsx'), 'Door'),
});

/** Everything else: needs a session, has the sidebar. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!user) throw redirect({ to: '/sign-in', search: { next: location.href } });
    await context.queryClient.ensureQueryData(organizationsQuery);
  },
  component: lazyRouteComponent(() => import('#shell/shell.tsx'), 'Shell'),
  notFoundComponent: NotFound,
});

/** Addresses that lead nowhere keep the frame. */
export const elsewhereRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/$',
  staticData: { title: 'Page not found' },
  component: NotFound,
});

/** Leads to where the person was last. */
export const indexRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const organizations = await context.queryClient.ensureQueryData(organizationsQuery);
    const [first] = organizations;
    const last = organizations.find(({ slug }) => slug === lastOrganization()) ?? first;
    if (!last) throw redirect({ to: '/new-organization', replace: true });
    throw redirect({ to: '/o/$slug', params: { slug: last.slug }, replace: true });
  },
});

/** Screens of one organization: `context.organization` and `context.can`, or `useOrganization()` and `useCan()`. */
export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/o/$slug',
  beforeLoad: async ({ context, params }) => {
    const organizations = await context.queryClient.ensureQueryData(organizationsQuery);
    const organization = organizations.find(({ slug }) => slug === params.slug);
    if (!organization) throw notFound();
    const permissions = await context.queryClient.ensureQueryData({
      ...permissionsQuery(organization.id),
      revalidateIfStale: true,
    });
    rememberOrganization(organization.slug);
    return { organization, can: canOf(permissions) };
  },
  notFoundComponent: NotFound,
});

/**
 * Screens of one application: `context.application`, or `useApplication()`, `useEnvironment()`, and `useCan()` for what
 * belongs to an application. The environment stays in the address from screen to screen.
 */
export const applicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/apps/$applicationId',
  validateSearch: ({ environment }: Record<string, unknown>): { environment?: string } =>
    typeof environment === 'string' && environment !== '' ? { environment } : {},
  search: { middlewares: [retainSearchParams(['environment'])] },
  beforeLoad: async ({ context: { queryClient, organization }, params: { applicationId } }) => {
    const [application, environments, permissions] = await Promise.all([
      queryClient.ensureQueryData(applicationQuery(applicationId)),
      queryClient.ensureQueryData(environmentsQuery(applicationId)),
      queryClient.ensureQueryData(permissionsQuery(organization.id)),
    ]).catch((error: unknown) => {
      throw isStatus(error, 404) ? notFound() : error;
    });
    if (application.organizationId !== organization.id) throw notFound();
    return { application, environments, can: canOfApplications(permissions) };
  },
  component: lazyRouteComponent(() => import('#shell/application-frame.tsx'), 'ApplicationFrame'),
  notFoundComponent: NotFound,
});
