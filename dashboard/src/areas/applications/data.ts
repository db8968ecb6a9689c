import type { Application, Environment } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { useRouteContext, useSearch } from '@tanstack/react-router';
import { api } from '#api/client.ts';

const applicationRoute = '/signed-in/o/$slug/apps/$applicationId';

export const applicationQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['application', applicationId],
    queryFn: ({ signal }) => api.applications.get(applicationId, { signal }),
  });

export const environmentsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['environments', applicationId],
    queryFn: async ({ signal }) => {
      const items: Environment[] = [];
      for await (const one of api.environments.list(applicationId, {}, { signal })) items.push(one);
      return items;
    },
  });

/** The application of the address, on screens below /o/$slug/apps/$applicationId. */
export function useApplication(): Application {
  return useRouteContext({ from: applicationRoute, select: (context) => context.application });
}

/** Those of the application of the address. */
export function useEnvironments(): Environment[] {
  return useRouteContext({ from: applicationRoute, select: (context) => context.environments });
}

/** The one that the selector shows: that of the address (`?environment=preview`), else the application's default. */
export function useEnvironment(): Environment | undefined {
  const search = useSearch({ from: applicationRoute });
  return environmentOf({ application: useApplication(), environments: useEnvironments() }, search);
}

/** What `useEnvironment()` says where there are no hooks: in loaders of routes. */
export function environmentOf(
  { application, environments }: { application: Application; environments: readonly Environment[] },
  search: { environment?: unknown },
): Environment | undefined {
  const find = (wanted: unknown) => environments.find(({ slug }) => slug === wanted);
  return find(search.environment) ?? find(application.defaultEnvironmentSlug) ?? environments[0];
}
