import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demands } from '#areas/organizations/permissions.ts';
import { variablesQuery } from '#areas/variables/data.ts';
import { organizationRoute } from '#shell/routes.ts';
import { type CreateSearch, type FilterSearch, readCreate, readFilter } from '#shell/search.ts';

interface VariablesSearch extends FilterSearch, CreateSearch {
  /** Shows values as applications see them: references replaced. */
  resolved?: true;
  dialog?: 'import' | 'export';
  /** The id of the variable whose history is open. */
  history?: string;
}

const variablesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/variables',
  staticData: { title: 'Environment variables', wide: true },
  validateSearch: (search: Record<string, unknown>): VariablesSearch => {
    const { resolved, dialog, history } = search;
    return {
      ...readFilter(search),
      ...readCreate(search),
      ...(resolved === true ? { resolved } : {}),
      ...(dialog === 'import' || dialog === 'export' ? { dialog } : {}),
      ...(typeof history === 'string' ? { history } : {}),
    };
  },
  beforeLoad: demands('listOrganizationEnvVars'),
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.ensureQueryData(variablesQuery(organization.id)),
  component: lazyRouteComponent(() => import('./variables.tsx'), 'Variables'),
});

export const variableRoutes = [variablesRoute];
