import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/api-keys';
const one = '/api-keys/{apiKeyId}';

export const apiKeys = (api: Requests) => ({
  list: (query?: Query<'get', typeof all>, options?: RequestOptions) => api.list(all, { query }, options),
  /** The answer holds the secret, which is never shown again. */
  create: (body: Body<'post', typeof all>, options?: CreateOptions) => api.create(all, { body }, options),
  /** What can be given to keys, explained. */
  scopes: (options?: RequestOptions) => api.call('get', `${all}/scopes`, {}, options),
  get: (apiKeyId: string, options?: RequestOptions) => api.call('get', one, { path: { apiKeyId } }, options),
  delete: (apiKeyId: string, options?: RequestOptions) =>
    api.call('delete', one, { path: { apiKeyId } }, options),
  createSecret: (apiKeyId: string, options?: CreateOptions) =>
    api.create(`${one}/secrets`, { path: { apiKeyId } }, options),
  deleteSecret: (apiKeyId: string, secretId: string, options?: RequestOptions) =>
    api.call('delete', `${one}/secrets/{secretId}`, { path: { apiKeyId, secretId } }, options),
});
