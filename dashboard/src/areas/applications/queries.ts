import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { byPage } from '#api/pages.ts';

/** What lists of applications, and all that is kept of one, begin with. */
export const applicationsKey = (organizationId: string) => ['applications', organizationId] as const;

export const applicationsQuery = (organizationId: string, query: string | undefined) => ({
  queryKey: [...applicationsKey(organizationId), 'list', query ?? ''],
  ...byPage((cursor, signal) =>
    api.applications.list(
      { organizationId, limit: 100, ...(query ? { query } : {}), ...(cursor ? { cursor } : {}) },
      { signal },
    ),
  ),
});

export const deletedApplicationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...applicationsKey(organizationId), 'deleted'],
    queryFn: ({ signal }) =>
      api.applications
        .list({ organizationId, deleted: true, limit: 100 }, { signal })
        .then(({ items }) => items),
  });

export const hostnamesQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['hostnames', applicationId],
    queryFn: ({ signal }) => api.hostnames.list(applicationId, { limit: 100 }, { signal }),
  });

export const availabilityQuery = (applicationId: string, label: string) =>
  queryOptions({
    queryKey: ['hostnames', applicationId, 'availability', label],
    queryFn: ({ signal }) => api.hostnames.availability(applicationId, label, { signal }),
    enabled: label.trim() !== '',
  });

export const domainsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['domains', applicationId],
    queryFn: ({ signal }) => api.domains.list(applicationId, {}, { signal }).then(({ items }) => items),
    // While somebody sets records the screen follows.
    refetchInterval: ({ state }) =>
      state.data?.some((domain) => domain.state === 'pending') ? 15_000 : false,
  });

export const applicationVariablesQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['variables', applicationId, 'own'],
    queryFn: ({ signal }) =>
      api.applicationEnvVars.list(applicationId, {}, { signal }).then(({ items }) => items),
  });

/** What the application sees in an environment; under the application's variables, which it changes with. */
export const effectiveQuery = (applicationId: string, environment: string) =>
  queryOptions({
    queryKey: ['variables', applicationId, 'effective', environment],
    queryFn: ({ signal }) => api.applicationEnvVars.resolved(applicationId, { environment }, { signal }),
  });

/** What two environments see, key by key. */
export const comparisonQuery = (applicationId: string, left: string, right: string) =>
  queryOptions({
    queryKey: ['variables', applicationId, 'compare', left, right],
    queryFn: ({ signal }) =>
      api.applicationEnvVars.compare(applicationId, { left, right }, { signal }).then(({ items }) => items),
    placeholderData: (before) => before,
  });

/** The latest and the live deployment of each; those deployed last unless they are named. */
export const latestQuery = (organizationId: string, ids?: readonly string[]) =>
  queryOptions({
    queryKey: ['deployments', 'latest', organizationId, ids ?? 'last'],
    queryFn: ({ signal }) =>
      api.deployments
        .latest(organizationId, ids ? { applicationIds: ids.join(',') } : {}, { signal })
        .then(({ items }) => items),
    refetchInterval: 30_000,
  });

/** What an organization stores, or one application of it. */
export const storedQuery = (organizationId: string, applicationId?: string) =>
  queryOptions({
    queryKey: ['storage', 'totals', organizationId, applicationId ?? ''],
    queryFn: ({ signal }) =>
      api.storage.totals(organizationId, applicationId ? { applicationId } : {}, { signal }),
  });

/** Of every application of the organization: those that lead nowhere. */
export const failedDomainsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['domains', 'failed', organizationId],
    queryFn: ({ signal }) =>
      api.domains
        .listOfOrganization(organizationId, { state: 'failed' }, { signal })
        .then(({ items }) => items),
  });
