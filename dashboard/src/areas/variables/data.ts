import type { EnvVar } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
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

export const versionsQuery = (organizationId: string, id: string) =>
  queryOptions({
    queryKey: ['variables', organizationId, 'versions', id],
    queryFn: ({ signal }) => api.envVars.versions(organizationId, id, { signal }).then(({ items }) => items),
  });

export const exportQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['variables', organizationId, 'export'],
    queryFn: ({ signal }) => api.envVars.export(organizationId, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

export const variablesPath = (organizationId: string) => `/organizations/${organizationId}/env-vars`;

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
    done: (changed) => `${changed.key} is changed`,
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
