import type { Body } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/applications/{applicationId}/log-drains';
const one = `${all}/{drainId}` as const;

export const logDrains = (api: Requests) => ({
  list: (applicationId: string, options?: RequestOptions) =>
    api.call('get', all, { path: { applicationId } }, options),
  create: (applicationId: string, body: Body<'post', typeof all>, options?: CreateOptions) =>
    api.create(all, { path: { applicationId }, body }, options),
  get: (applicationId: string, drainId: string, options?: RequestOptions) =>
    api.call('get', one, { path: { applicationId, drainId } }, options),
  update: (
    applicationId: string,
    drainId: string,
    body: Body<'patch', typeof one>,
    options?: RequestOptions,
  ) => api.call('patch', one, { path: { applicationId, drainId }, body }, options),
  delete: (applicationId: string, drainId: string, options?: RequestOptions) =>
    api.call('delete', one, { path: { applicationId, drainId } }, options),
  /** Sends one made-up request to it. */
  test: (applicationId: string, drainId: string, options?: RequestOptions) =>
    api.call('post', `${one}/test`, { path: { applicationId, drainId } }, options),
});
