import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/applications/{applicationId}/env-vars';
const one = '/applications/{applicationId}/env-vars/{envVarId}';

/** Variables of an application and of its environments. */
export const applicationEnvVars = (api: Requests) => ({
  list: (applicationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { applicationId }, query }, options),
  create: (applicationId: string, body: Body<'post', typeof all>, options?: CreateOptions) =>
    api.create(all, { path: { applicationId }, body }, options),
  update: (
    applicationId: string,
    envVarId: string,
    body: Body<'patch', typeof one>,
    options?: RequestOptions,
  ) => api.call('patch', one, { path: { applicationId, envVarId }, body }, options),
  delete: (applicationId: string, envVarId: string, options?: RequestOptions) =>
    api.call('delete', one, { path: { applicationId, envVarId } }, options),
  versions: (applicationId: string, envVarId: string, options?: RequestOptions) =>
    api.list(`${one}/versions`, { path: { applicationId, envVarId } }, options),
  restore: (applicationId: string, envVarId: string, version: number, options?: RequestOptions) =>
    api.call(
      'post',
      `${one}/versions/{version}/restore`,
      { path: { applicationId, envVarId, version } },
      options,
    ),
  /** What the application sees, the nearest scope winning, without sensitive variables. */
  pull: (applicationId: string, query?: Query<'get', `${typeof all}/pull`>, options?: RequestOptions) =>
    api.call('get', `${all}/pull`, { path: { applicationId }, query }, options),
  /** The same with the names of sensitive variables. */
  resolved: (
    applicationId: string,
    query?: Query<'get', `${typeof all}/resolved`>,
    options?: RequestOptions,
  ) => api.call('get', `${all}/resolved`, { path: { applicationId }, query }, options),
  /** What two environments see, key by key. */
  compare: (applicationId: string, query: Query<'get', `${typeof all}/compare`>, options?: RequestOptions) =>
    api.call('get', `${all}/compare`, { path: { applicationId }, query }, options),
  /** From one environment to another, sensitive ones too. */
  copy: (applicationId: string, body: Body<'post', `${typeof all}/copy`>, options?: CreateOptions) =>
    api.create(`${all}/copy`, { path: { applicationId }, body }, options),
  /** Many at once, in dotenv syntax. */
  import: (applicationId: string, body: Body<'post', `${typeof all}/import`>, options?: RequestOptions) =>
    api.call('post', `${all}/import`, { path: { applicationId }, body }, options),
  /** `content` has dotenv syntax; the sensitive variables are not in it. */
  export: (applicationId: string, query?: Query<'get', `${typeof all}/export`>, options?: RequestOptions) =>
    api.read(`${all}/export`, { path: { applicationId }, query }, options, async (response) => ({
      content: await response.text(),
      omittedSensitive: Number(response.headers.get('x-omitted-sensitive') ?? 0),
    })),
});
