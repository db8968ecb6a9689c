import { type FollowOptions, followEvents } from '../event-stream.ts';
import { linesOf } from '../lines.ts';
import type { Answer, Body, Item, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/deployments';
const one = '/deployments/{deploymentId}';
const runtimeLogs = `${one}/runtime-logs` as const;
type RuntimeLine = Item<typeof runtimeLogs>;
type BuildLine = Answer<'get', `${typeof one}/logs`>['items'][number];
const latest = '/organizations/{organizationId}/deployments/latest';
const usage = '/organizations/{organizationId}/deployments/usage';

export const deployments = (api: Requests) => ({
  /** Newest first. */
  list: (query?: Query<'get', typeof all>, options?: RequestOptions) => api.list(all, { query }, options),
  /** The latest and the live one of applications, of those deployed last unless they are named. */
  latest: (organizationId: string, query?: Query<'get', typeof latest>, options?: RequestOptions) =>
    api.call('get', latest, { path: { organizationId }, query }, options),
  /** Build minutes, processes and domains of an organization, with their limits. */
  usage: (organizationId: string, options?: RequestOptions) =>
    api.call('get', usage, { path: { organizationId } }, options),
  /** It waits for its archive: `startUpload`, a PUT to the address of each part, `completeUpload`. */
  create: (body: Body<'post', typeof all>, options?: CreateOptions) => api.create(all, { body }, options),
  get: (deploymentId: string, options?: RequestOptions) =>
    api.call('get', one, { path: { deploymentId } }, options),
  hostnames: (deploymentId: string, options?: RequestOptions) =>
    api.call('get', `${one}/hostnames`, { path: { deploymentId } }, options),
  logs: (deploymentId: string, query?: Query<'get', `${typeof one}/logs`>, options?: RequestOptions) =>
    api.call('get', `${one}/logs`, { path: { deploymentId }, query }, options),
  /** The same from its first line on, as it is printed, until the deployment has ended. */
  streamLogs: (deploymentId: string, options?: RequestOptions): Promise<AsyncIterable<BuildLine>> =>
    api.read(`${one}/logs/stream`, { path: { deploymentId } }, options, async (response) =>
      linesOf<BuildLine>(response, 'data: '),
    ),
  /** The same, and a connection that breaks is opened again behind the last line: each line comes once. */
  followLogs: (deploymentId: string, options?: FollowOptions): AsyncGenerator<BuildLine> =>
    followEvents<BuildLine>(
      'line',
      (lastEventId) =>
        api.read(
          `${one}/logs/stream`,
          { path: { deploymentId }, headers: { 'last-event-id': lastEventId } },
          { signal: options?.signal, retries: 0 },
          async (response) => response,
        ),
      options,
    ),
  /** What its functions print, newest first. */
  runtimeLogs: (deploymentId: string, query?: Query<'get', typeof runtimeLogs>, options?: RequestOptions) =>
    api.list(runtimeLogs, { path: { deploymentId }, query }, options),
  /** What its functions print, until the loop is left or the connection ends. */
  streamRuntimeLogs: (
    deploymentId: string,
    query?: Query<'get', `${typeof runtimeLogs}/stream`>,
    options?: RequestOptions,
  ): Promise<AsyncIterable<RuntimeLine>> =>
    api.read(`${runtimeLogs}/stream`, { path: { deploymentId }, query }, options, async (response) =>
      linesOf<RuntimeLine>(response, 'data: '),
    ),
  /** The same, and a connection that breaks is opened again behind the last line. */
  followRuntimeLogs: (
    deploymentId: string,
    query?: Query<'get', `${typeof runtimeLogs}/stream`>,
    options?: FollowOptions,
  ): AsyncGenerator<RuntimeLine> =>
    followEvents<RuntimeLine>(
      'line',
      (lastEventId) =>
        api.read(
          `${runtimeLogs}/stream`,
          { path: { deploymentId }, query, headers: { 'last-event-id': lastEventId } },
          { signal: options?.signal, retries: 0 },
          async (response) => response,
        ),
      options,
    ),
  /** Every line that fits, newest first, as it arrives. */
  exportRuntimeLogs: (
    deploymentId: string,
    query?: Query<'get', `${typeof runtimeLogs}/export`>,
    options?: RequestOptions,
  ): Promise<AsyncIterable<RuntimeLine>> =>
    api.read(`${runtimeLogs}/export`, { path: { deploymentId }, query }, options, async (response) =>
      linesOf<RuntimeLine>(response, ''),
    ),
  /** Requests, durations, and what the processes of its functions did and used, by step and by function. */
  metrics: (deploymentId: string, query?: Query<'get', `${typeof one}/metrics`>, options?: RequestOptions) =>
    api.call('get', `${one}/metrics`, { path: { deploymentId }, query }, options),
  startUpload: (deploymentId: string, options?: RequestOptions) =>
    api.repeat(`${one}/upload/start`, { path: { deploymentId } }, options),
  uploadPart: (
    deploymentId: string,
    body: Body<'post', `${typeof one}/upload/part`>,
    options?: RequestOptions,
  ) => api.repeat(`${one}/upload/part`, { path: { deploymentId }, body }, options),
  completeUpload: (
    deploymentId: string,
    body: Body<'post', `${typeof one}/upload/complete`>,
    options?: RequestOptions,
  ) => api.repeat(`${one}/upload/complete`, { path: { deploymentId }, body }, options),
  /** Ends one that is not active yet. */
  cancel: (deploymentId: string, options?: RequestOptions) =>
    api.call('post', `${one}/cancel`, { path: { deploymentId } }, options),
  promote: (deploymentId: string, options?: RequestOptions) =>
    api.call('post', `${one}/promote`, { path: { deploymentId } }, options),
  /** Makes this earlier deployment the live one again. */
  rollback: (deploymentId: string, options?: RequestOptions) =>
    api.call('post', `${one}/rollback`, { path: { deploymentId } }, options),
  /** The same files with the variables of today; `environment`: to another one, which is how a preview goes to production. */
  redeploy: (
    deploymentId: string,
    query?: Query<'post', `${typeof one}/redeploy`>,
    options?: CreateOptions,
  ) => api.create(`${one}/redeploy`, { path: { deploymentId }, query }, options),
  /** Published files, by path. */
  files: (deploymentId: string, query?: Query<'get', `${typeof one}/files`>, options?: RequestOptions) =>
    api.list(`${one}/files`, { path: { deploymentId }, query }, options),
  functions: (deploymentId: string, options?: RequestOptions) =>
    api.call('get', `${one}/functions`, { path: { deploymentId } }, options),
  /** As they were compiled. */
  routes: (deploymentId: string, options?: RequestOptions) =>
    api.call('get', `${one}/routes`, { path: { deploymentId } }, options),
  /** Which rule takes a URL, and why the others do not. */
  testRoutes: (
    deploymentId: string,
    body: Body<'post', `${typeof one}/routes/test`>,
    options?: RequestOptions,
  ) => api.call('post', `${one}/routes/test`, { path: { deploymentId }, body }, options),
  /** Names and sources of what it was deployed with; never values. */
  variables: (deploymentId: string, options?: RequestOptions) =>
    api.call('get', `${one}/variables`, { path: { deploymentId } }, options),
  imageCache: (
    deploymentId: string,
    query?: Query<'get', `${typeof one}/image-cache`>,
    options?: RequestOptions,
  ) => api.call('get', `${one}/image-cache`, { path: { deploymentId }, query }, options),
  purgeImageCache: (
    deploymentId: string,
    query?: Query<'delete', `${typeof one}/image-cache`>,
    options?: RequestOptions,
  ) => api.call('delete', `${one}/image-cache`, { path: { deploymentId }, query }, options),
  delete: (deploymentId: string, options?: RequestOptions) =>
    api.call('delete', one, { path: { deploymentId } }, options),
});
