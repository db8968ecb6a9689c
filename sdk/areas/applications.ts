import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/applications';
const one = '/applications/{applicationId}';
const environments = '/applications/{applicationId}/environments';
const environment = '/applications/{applicationId}/environments/{environmentId}';

export const applications = (api: Requests) => ({
  list: (query?: Query<'get', typeof all>, options?: RequestOptions) => api.list(all, { query }, options),
  create: (body: Body<'post', typeof all>, options?: CreateOptions) => api.create(all, { body }, options),
  get: (applicationId: string, options?: RequestOptions) =>
    api.call('get', one, { path: { applicationId } }, options),
  update: (applicationId: string, body: Body<'patch', typeof one>, options?: RequestOptions) =>
    api.call('patch', one, { path: { applicationId }, body }, options),
  /** It can be restored for some time. */
  delete: (applicationId: string, options?: RequestOptions) =>
    api.call('delete', one, { path: { applicationId } }, options),
  restore: (applicationId: string, options?: RequestOptions) =>
    api.call('post', `${one}/restore`, { path: { applicationId } }, options),
  /** To another organization that the user owns. */
  transfer: (applicationId: string, organizationId: string, options?: RequestOptions) =>
    api.call('post', `${one}/transfer`, { path: { applicationId }, body: { organizationId } }, options),
  /** JPEG, PNG, WebP, GIF or AVIF. */
  setImage: (applicationId: string, body: Blob, options?: RequestOptions) =>
    api.call('put', `${one}/image`, { path: { applicationId }, body }, options),
  deleteImage: (applicationId: string, options?: RequestOptions) =>
    api.call('delete', `${one}/image`, { path: { applicationId } }, options),
});

export const applicationEnvironments = (api: Requests) => ({
  list: (applicationId: string, query?: Query<'get', typeof environments>, options?: RequestOptions) =>
    api.list(environments, { path: { applicationId }, query }, options),
  create: (applicationId: string, body: Body<'post', typeof environments>, options?: CreateOptions) =>
    api.create(environments, { path: { applicationId }, body }, options),
  get: (applicationId: string, environmentId: string, options?: RequestOptions) =>
    api.call('get', environment, { path: { applicationId, environmentId } }, options),
  update: (
    applicationId: string,
    environmentId: string,
    body: Body<'patch', typeof environment>,
    options?: RequestOptions,
  ) => api.call('patch', environment, { path: { applicationId, environmentId }, body }, options),
  delete: (applicationId: string, environmentId: string, options?: RequestOptions) =>
    api.call('delete', environment, { path: { applicationId, environmentId } }, options),
});
