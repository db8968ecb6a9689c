import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  applicationsQuery,
  applicationVariablesQuery,
  domainsQuery,
  effectiveQuery,
  hostnamesQuery,
} from '#areas/applications/queries.ts';
import { applicationRoute, organizationRoute } from '#shell/routes.ts';
import { type CreateSearch, readCreate, readFilter } from '#shell/search.ts';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/apps',
  staticData: { title: 'Applications', wide: true },
  validateSearch: (search: Record<string, unknown>) => ({ ...readFilter(search), ...readCreate(search) }),
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.prefetchInfiniteQuery(applicationsQuery(organization.id, undefined)),
  component: lazyRouteComponent(() => import('./applications.tsx'), 'Applications'),
});

const overviewRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/',
  staticData: { title: 'Application', environment: true },
  loader: ({ context: { queryClient, application } }) =>
    queryClient.prefetchQuery(hostnamesQuery(application.id)),
  component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
});

const dialogs = ['import', 'copy', 'export'] as const;
type Dialog = (typeof dialogs)[number];

interface VariablesSearch extends CreateSearch {
  filter?: string;
  /** The variable that is open, by its key. */
  variable?: string;
  /** The dialog that is open. */
  dialog?: Dialog;
}

const variablesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/variables',
  staticData: { title: 'Variables', wide: true, environment: true },
  validateSearch: (search: Record<string, unknown>): VariablesSearch => ({
    ...readFilter(search),
    ...readCreate(search),
    ...(typeof search['variable'] === 'string' ? { variable: search['variable'] } : {}),
    ...(dialogs.includes(search['dialog'] as Dialog) ? { dialog: search['dialog'] as Dialog } : {}),
  }),
  loader: ({ context: { queryClient, application } }) =>
    Promise.all([
      queryClient.prefetchQuery(applicationVariablesQuery(application.id)),
      queryClient.prefetchQuery(effectiveQuery(application.id, application.defaultEnvironmentSlug)),
    ]),
  component: lazyRouteComponent(() => import('./variables.tsx'), 'ApplicationVariables'),
});

interface CompareSearch {
  filter?: string;
  /** Slugs of environments. */
  left?: string;
  right?: string;
  /** Those that are the same too. */
  all?: true;
}

const compareRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/variables/compare',
  staticData: { title: 'Compare environments', wide: true },
  validateSearch: (search: Record<string, unknown>): CompareSearch => ({
    ...readFilter(search),
    ...(typeof search['left'] === 'string' ? { left: search['left'] } : {}),
    ...(typeof search['right'] === 'string' ? { right: search['right'] } : {}),
    ...(search['all'] === true ? { all: true } : {}),
  }),
  component: lazyRouteComponent(() => import('./compare-variables.tsx'), 'CompareVariables'),
});

const domainsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/domains',
  staticData: { title: 'Domains' },
  validateSearch: readCreate,
  loader: ({ context: { queryClient, application } }) =>
    Promise.all([
      queryClient.prefetchQuery(hostnamesQuery(application.id)),
      queryClient.prefetchQuery(domainsQuery(application.id)),
    ]),
  component: lazyRouteComponent(() => import('./domains.tsx'), 'Domains'),
});

const settingsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/settings',
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(() => import('./settings.tsx'), 'ApplicationSettings'),
});

/** Of an organization. */
export const applicationListRoutes = [listRoute];
/** Of one application. */
export const applicationRoutes = [overviewRoute, variablesRoute, compareRoute, domainsRoute, settingsRoute];
