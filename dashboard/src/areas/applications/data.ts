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
  const { environment } = useSearch({ from: applicationRoute });
  const { defaultEnvironmentSlug } = useApplication();
  const environments = useEnvironments();
  const named = environments.find(({ slug }) => slug === environment);
  return named ?? environments.find(({ slug }) => slug === defaultEnvironmentSlug) ?? environments[0];
}
