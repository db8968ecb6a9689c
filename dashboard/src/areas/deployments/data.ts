import type { Deployment } from '@mainstay/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { byPage } from '#api/pages.ts';
import { type RuntimeSearch, toFilters, toTimeKey } from '#areas/deployments/search.ts';
import { toTimes } from '#areas/logs/search.ts';

type Stream<Name extends 'streamLogs' | 'streamRuntimeLogs'> = Awaited<
  ReturnType<(typeof api.deployments)[Name]>
>;
type LineOf<Lines> = Lines extends AsyncIterable<infer Line> ? Line : never;
export type BuildLine = LineOf<Stream<'streamLogs'>>;
export type RuntimeLine = LineOf<Stream<'streamRuntimeLogs'>>;

const hasEnded = ({ status }: Deployment) => status === 'ACTIVE' || status === 'FAILED';

/** While something is under way its state is asked for again; what has ended stays as it is. */
const refreshMilliseconds = 1500;

export const deploymentsQuery = (applicationId: string) => ({
  queryKey: ['deployments', applicationId],
  ...byPage<Deployment>((cursor, signal) =>
    api.deployments.list({ applicationId, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  ),
});

export const deploymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployment', id],
    queryFn: ({ signal }) => api.deployments.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? refreshMilliseconds : false),
  });

/** Of one that has ended: all of it. */
export const logQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployment', id, 'log'],
    queryFn: async ({ signal }) => {
      const lines: BuildLine[] = [];
      for await (const line of await api.deployments.streamLogs(id, { signal })) lines.push(line);
      return lines;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const hostnamesOfQuery = (id: string, status: string) =>
  queryOptions({
    queryKey: ['deployment', id, 'hostnames', status],
    queryFn: ({ signal }) => api.deployments.hostnames(id, { signal }),
  });

export const functionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployment', id, 'functions'],
    queryFn: ({ signal }) => api.deployments.functions(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const filesQuery = (id: string, text: string) => ({
  queryKey: ['deployment', id, 'files', text],
  ...byPage((cursor, signal) =>
    api.deployments.files(
      id,
      { limit: 100, ...(text ? { query: text } : {}), ...(cursor ? { cursor } : {}) },
      { signal },
    ),
  ),
});

export const routesQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployment', id, 'routes'],
    queryFn: ({ signal }) => api.deployments.routes(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const usedVariablesQuery = (id: string, status: string) =>
  queryOptions({
    queryKey: ['deployment', id, 'variables', status],
    queryFn: ({ signal }) => api.deployments.variables(id, { signal }),
  });

export const runtimeLogsQuery = (id: string, search: RuntimeSearch) =>
  infiniteQueryOptions({
    queryKey: ['deployment', id, 'runtime logs', toFilters(search), toTimeKey(search)],
    ...byPage<RuntimeLine>((cursor, signal) =>
      api.deployments.runtimeLogs(
        id,
        { ...toFilters(search), ...toTimes(search), limit: 500, ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    ),
  });

export const metricsQuery = (id: string, search: RuntimeSearch) =>
  queryOptions({
    queryKey: ['deployment', id, 'metrics', search.function ?? '', toTimeKey(search)],
    queryFn: ({ signal }) => {
      const only = search.function === undefined ? {} : { function: search.function };
      return api.deployments.metrics(id, { ...only, ...toTimes(search) }, { signal });
    },
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  });

export const schedulesQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['schedules', applicationId],
    queryFn: ({ signal }) => api.schedules.list(applicationId, { signal }),
    refetchInterval: 10_000,
  });

export const scheduleRunsQuery = (applicationId: string) =>
  infiniteQueryOptions({
    queryKey: ['schedules', applicationId, 'runs'],
    ...byPage((cursor, signal) =>
      api.schedules.runs(applicationId, { limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
    refetchInterval: 10_000,
  });

/** Those that answer at hostnames of their environments, among the last ones. */
export const liveQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['deployments', applicationId, 'live'],
    queryFn: async ({ signal }) => {
      const { items } = await api.deployments.list(
        { applicationId, status: 'ACTIVE', limit: 100 },
        { signal },
      );
      return items.filter(({ live }) => live);
    },
  });

export const protectionQuery = (applicationId: string, environmentId: string) =>
  queryOptions({
    queryKey: ['protection', applicationId, environmentId],
    queryFn: ({ signal }) => api.environmentProtection.get(applicationId, environmentId, { signal }),
  });

export const isOver = hasEnded;

const partBytes = 10 * 1024 * 1024;

/** Sends an archive in parts and queues the deployment. `progress` counts from 0 to 1. */
export async function deployArchive(
  applicationId: string,
  environment: string | undefined,
  file: File,
  progress: (share: number) => void,
): Promise<Deployment> {
  const { id } = await api.deployments.create({ applicationId, ...(environment ? { environment } : {}) });
  const { uploadId } = await api.deployments.startUpload(id);
  const count = Math.max(1, Math.ceil(file.size / partBytes));
  const parts: { partNumber: number; etag: string }[] = [];
  for (let partNumber = 1; partNumber <= count; partNumber++) {
    const { url } = await api.deployments.uploadPart(id, { uploadId, partNumber });
    const { pathname, search } = new URL(url);
    const body = file.slice((partNumber - 1) * partBytes, partNumber * partBytes);
    const headers = { 'content-type': 'application/zip' };
    const response = await fetch(`${pathname}${search}`, { method: 'PUT', body, headers });
    if (!response.ok) throw new Error(`Part ${partNumber} was not accepted (${response.status}).`);
    parts.push({ partNumber, etag: response.headers.get('etag') ?? '' });
    progress(partNumber / count);
  }
  return api.deployments.completeUpload(id, { uploadId, parts });
}
