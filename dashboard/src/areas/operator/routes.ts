import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { sessionQuery } from '#api/session.ts';
import { readAuditSearch } from '#areas/audit-log/search.ts';
import { overviewQuery, programsQuery, settingsQuery } from '#areas/operator/data.ts';
import { feedsQuery } from '#areas/reputation/data.ts';
import { signedInRoute } from '#shell/routes.ts';
import { type CreateSearch, type FilterSearch, readCreate, readFilter } from '#shell/search.ts';

/** For operators of the instance. The API refuses everybody else; this only spares them the sight of it. */
const operatorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operator',
  beforeLoad: async ({ context }) => {
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!user?.operator) throw notFound();
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  staticData: { title: 'Instance' },
  loader: ({ context }) => context.queryClient.ensureQueryData(overviewQuery),
  component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
});

const usersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/users',
  staticData: { title: 'Users' },
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./users.tsx'), 'Users'),
});

const waitlistRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/waitlist',
  staticData: { title: 'Waitlist' },
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./users.tsx'), 'Waitlist'),
});

const tenantsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/organizations',
  staticData: { title: 'All organizations' },
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./tenants.tsx'), 'Tenants'),
});

const entitlementsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/organizations/$organizationId',
  staticData: { title: 'Entitlements' },
  component: lazyRouteComponent(() => import('./entitlements.tsx'), 'Entitlements'),
});

const feedsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/lists',
  staticData: { title: 'Lists' },
  validateSearch: readFilter,
  loader: ({ context }) => context.queryClient.ensureQueryData(feedsQuery),
  component: lazyRouteComponent(() => import('./lists.tsx'), 'Lists'),
});

const overridesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/overrides',
  staticData: { title: 'Overrides for everybody' },
  validateSearch: (search: Record<string, unknown>): FilterSearch & CreateSearch => ({
    ...readFilter(search),
    ...readCreate(search),
  }),
  component: lazyRouteComponent(() => import('./overrides-for-all.tsx'), 'OverridesForAll'),
});

const programsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/programs',
  staticData: { title: 'Programs' },
  validateSearch: (search: Record<string, unknown>): FilterSearch => readFilter(search),
  loader: ({ context }) => context.queryClient.ensureQueryData(programsQuery),
  component: lazyRouteComponent(() => import('./programs.tsx'), 'Programs'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/audit-log',
  staticData: { title: 'Audit log of the instance' },
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./instance-audit-log.tsx'), 'InstanceAuditLog'),
});

const settingsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/settings',
  staticData: { title: 'Settings of the instance' },
  loader: ({ context }) => context.queryClient.ensureQueryData(settingsQuery),
  component: lazyRouteComponent(() => import('./settings.tsx'), 'InstanceSettings'),
});

export const operatorRoutes = [
  operatorRoute.addChildren([
    overviewRoute,
    usersRoute,
    waitlistRoute,
    tenantsRoute,
    entitlementsRoute,
    feedsRoute,
    overridesRoute,
    programsRoute,
    auditLogRoute,
    settingsRoute,
  ]),
];
