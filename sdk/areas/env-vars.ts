import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/organizations/{organizationId}/env-vars';
const one = '/organizations/{organizationId}/env-vars/{envVarId}';

export const envVars = (api: Requests) => ({
  list: (organizationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { organizationId }, query }, options),
  create: (organizationId: string, body: Body<'post', typeof all>, options?: CreateOptions) =>
    api.create(all, { path: { organizationId }, body }, options),
  update: (
    organizationId: string,
    envVarId: string,
    body: Body<'patch', typeof one>,
    options?: RequestOptions,
  ) => api.call('patch', one, { path: { organizationId, envVarId }, body }, options),
  delete: (organizationId: string, envVarId: string, options?: RequestOptions) =>
    api.call('delete', one, { path: { organizationId, envVarId } }, options),
  versions: (organizationId: string, envVarId: string, options?: RequestOptions) =>
    api.list(`${one}/versions`, { path: { organizationId, envVarId } }, options),
  restore: (organizationId: string, envVarId: string, version: number, options?: RequestOptions) =>
    api.call(
      'post',
      `${one}/versions/{version}/restore`,
      { path: { organizationId, envVarId, version } },
      options,
    ),
  /** Many at once, in dotenv syntax. */
  import: (organizationId: string, body: Body<'post', `${typeof all}/import`>, options?: RequestOptions) =>
    api.call('post', `${all}/import`, { path: { organizationId }, body }, options),
  /** `content` has dotenv syntax; the sensitive variables are not in it. */
  export: (organizationId: string, options?: RequestOptions) =>
    api.read(`${all}/export`, { path: { organizationId } }, options, async (response) => ({
      content: await response.text(),
      omittedSensitive: Number(response.headers.get('x-omitted-sensitive') ?? 0),
    })),
  /** What an application would see. */
  resolved: (organizationId: string, options?: RequestOptions) =>
    api.call('get', `${all}/resolved`, { path: { organizationId } }, options),
});
