import type { EnvVar, EnvVarVersion } from '@mainstay/sdk';
import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';

export const variablesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['variables', organizationId],
    queryFn: ({ signal }) => api.envVars.list(organizationId, {}, { signal }).then(({ items }) => items),
  });

/** What an application would see: references replaced. */
export const resolvedQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['variables', organizationId, 'resolved'],
    queryFn: ({ signal }) => api.envVars.resolved(organizationId, { signal }),
  });

export const variablesPath = (organizationId: string) => `/organizations/${organizationId}/env-vars`;

/** Where variables are kept, for the dialogs that organizations and applications share. */
export interface VariableHome {
  /** Of the API. */
  path: string;
  /** What the queries that show them begin with. */
  queryKey: QueryKey;
  versions(id: string, signal: AbortSignal): Promise<EnvVarVersion[]>;
  restore(id: string, version: number): Promise<unknown>;
}

export const organizationHome = (organizationId: string): VariableHome => ({
  path: variablesPath(organizationId),
  queryKey: ['variables', organizationId],
  versions: (id, signal) => api.envVars.versions(organizationId, id, { signal }).then(({ items }) => items),
  restore: (id, version) => api.envVars.restore(organizationId, id, version),
});

type Change = Parameters<typeof api.envVars.update>[2];

/** Changes one, shown at once. Undo restores the version before it, the only way back to a value that nobody sees. */
export function useChange() {
  const { id } = useOrganization();
  const { queryKey } = variablesQuery(id);
  return useAction({
    run: ({ variable, change }: { variable: EnvVar; change: Change }) =>
      api.envVars.update(id, variable.id, change),
    refresh: [queryKey],
    optimistic: {
      queryKey,
      update: (old: EnvVar[], { variable, change }: { variable: EnvVar; change: Change }) =>
        old.map((one) => (one.id === variable.id ? { ...one, ...hidden(one, change) } : one)),
    },
    done: (changed) => `${changed.key} changed`,
    undo: async (changed) => {
      const { items } = await api.envVars.versions(id, changed.id);
      const before = items[1];
      if (before) await api.envVars.restore(id, changed.id, before.version);
    },
  });
}

/** A value that is sensitive is not shown even until the answer comes. */
function hidden(variable: EnvVar, change: Change): Change | (Omit<Change, 'value'> & { value: null }) {
  return (change.sensitive ?? variable.sensitive) ? { ...change, value: null } : change;
}
