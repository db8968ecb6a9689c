import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { useEnvironments } from '#areas/applications/data.ts';
import type { VariableHome } from '#areas/variables/data.ts';

/** The scope of the application itself, where forms choose one; environments stand by their ids. */
export const wholeApplication = 'application';

export function useScopeOptions() {
  return [
    { value: wholeApplication, label: 'All environments' },
    ...useEnvironments().map(({ id, name }) => ({ value: id, label: `${name} only` })),
  ];
}

/** Of a body: nothing for the application itself. */
export function placeOf(scope: string): { environmentId?: string } {
  return scope === wholeApplication ? {} : { environmentId: scope };
}

/** Everything that shows variables of the application, of whatever scope. */
export function useRefreshVariables(applicationId: string): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['variables', applicationId] });
}

export const applicationHome = (applicationId: string): VariableHome => ({
  path: `/applications/${applicationId}/env-vars`,
  queryKey: ['variables', applicationId],
  versions: (id, signal) =>
    api.applicationEnvVars.versions(applicationId, id, { signal }).then(({ items }) => items),
  restore: (id, version) => api.applicationEnvVars.restore(applicationId, id, version),
});
