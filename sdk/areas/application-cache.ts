import { ApiError } from '../errors.ts';
import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';
import { type CachedItem, type Conditions, readItem } from './fastcache.ts';

const all = '/applications/{applicationId}/fastcache';

/** The cache of an application, for admins of its organization; each look is in the audit log. */
export const applicationCache = (api: Requests) => ({
  /** Undefined when there is no item with this key. */
  get: async (
    applicationId: string,
    key: string,
    options: RequestOptions = {},
  ): Promise<CachedItem | undefined> => {
    try {
      return await api.read(all, { path: { applicationId }, query: { key } }, options, readItem);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  },
  /** A condition that does not hold is an ApiError of status 412. */
  set: (
    applicationId: string,
    body: Body<'post', typeof all>,
    { ifMatch, ifNoneMatch, ...options }: Conditions & CreateOptions = {},
  ) => {
    const headers = { 'if-match': ifMatch, 'if-none-match': ifNoneMatch };
    return api.create(all, { path: { applicationId }, body, headers }, options);
  },
  delete: (applicationId: string, key: string, options?: RequestOptions) =>
    api.call('delete', all, { path: { applicationId }, query: { key } }, options),
  /** All whose keys begin so; answers how many there were. */
  deleteByPrefix: (applicationId: string, prefix: string, options?: RequestOptions) =>
    api.call('delete', all, { path: { applicationId }, query: { prefix } }, options),
  keys: (applicationId: string, query?: Query<'get', `${typeof all}/keys`>, options?: RequestOptions) =>
    api.list(`${all}/keys`, { path: { applicationId }, query }, options),
  stats: (applicationId: string, options?: RequestOptions) =>
    api.call('get', `${all}/stats`, { path: { applicationId } }, options),
});
