import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/organizations';
const one = '/organizations/{organizationId}';

export const organizations = (api: Requests) => ({
  list: (query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { query }, options, 'from'),
  create: (body: Body<'post', typeof all>, options?: CreateOptions) => api.create(all, { body }, options),
  get: (organizationId: string, options?: RequestOptions) =>
    api.call('get', one, { path: { organizationId } }, options),
  update: (organizationId: string, body: Body<'patch', typeof one>, options?: RequestOptions) =>
    api.call('patch', one, { path: { organizationId }, body }, options),
  /** It can be restored for as long as the instance keeps what was deleted. */
  delete: (organizationId: string, options?: RequestOptions) =>
    api.call('delete', one, { path: { organizationId } }, options),
  restore: (organizationId: string, options?: RequestOptions) =>
    api.call('post', `${one}/restore`, { path: { organizationId } }, options),
  /** What the caller may do in it: the operations that its role, scopes and products allow. */
  permissions: (organizationId: string, options?: RequestOptions) =>
    api.call('get', `${one}/permissions`, { path: { organizationId } }, options),
  /** Requests, errors, tokens and cache hits over time, of its programs. */
  usage: (organizationId: string, query?: Query<'get', `${typeof one}/usage`>, options?: RequestOptions) =>
    api.call('get', `${one}/usage`, { path: { organizationId }, query }, options),
  /** JPEG, PNG, WebP, GIF or AVIF. */
  setImage: (organizationId: string, body: Blob, options?: RequestOptions) =>
    api.call('put', `${one}/image`, { path: { organizationId }, body }, options),
  deleteImage: (organizationId: string, options?: RequestOptions) =>
    api.call('delete', `${one}/image`, { path: { organizationId } }, options),
});
