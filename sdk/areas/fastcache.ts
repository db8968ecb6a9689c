import { ApiError } from '../errors.ts';
import type { Answer, Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

/** By HTTP's own means: an entity tag as `get` gives it, or `*` (RFC 9110, 13.1). */
export interface Conditions {
  /** Write or delete only the item that has this tag: compare and set. */
  ifMatch?: string | undefined;
  /** `*`: write only where there is no item. */
  ifNoneMatch?: string | undefined;
}

export type CachedItem = Answer<'get', '/fastcache'> & {
  etag: string | null;
  /** When it leaves; null: never. */
  expiresAt: Date | null;
};

export const fastcache = (api: Requests) => ({
  /** Undefined where there is no such item, or it has expired. */
  get: async (key: string, options?: RequestOptions): Promise<CachedItem | undefined> => {
    try {
      return await api.read('/fastcache', { query: { key } }, options, readItem);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  },
  /** A condition that does not hold is an ApiError of status 412. */
  set: (
    body: Body<'post', '/fastcache'>,
    { ifMatch, ifNoneMatch, ...options }: Conditions & CreateOptions = {},
  ) => {
    const headers = { 'if-match': ifMatch, 'if-none-match': ifNoneMatch };
    // A condition would fail by what the first attempt wrote; without one the same write may be made twice.
    const isConditional = ifMatch !== undefined || ifNoneMatch !== undefined;
    if (isConditional || options.idempotencyKey !== undefined)
      return api.create('/fastcache', { body, headers }, options);
    return api.repeat('/fastcache', { body }, options);
  },
  delete: (key: string, { ifMatch, ...options }: Pick<Conditions, 'ifMatch'> & RequestOptions = {}) =>
    api.call('delete', '/fastcache', { query: { key }, headers: { 'if-match': ifMatch } }, options),
  /** All whose keys begin so; answers how many there were. */
  deleteByPrefix: (prefix: string, options?: RequestOptions) =>
    api.call('delete', '/fastcache', { query: { prefix } }, options),
  increment: (body: Body<'post', '/fastcache/increment'>, options?: CreateOptions) =>
    api.create('/fastcache/increment', { body }, options),
  /** Up to 100 operations; an answer for each, in order. */
  batch: (operations: Body<'post', '/fastcache/batch'>['operations'], options?: CreateOptions) =>
    api.create('/fastcache/batch', { body: { operations } }, options),
  keys: (query?: Query<'get', '/fastcache/keys'>, options?: RequestOptions) =>
    api.list('/fastcache/keys', { query }, options),
  stats: (options?: RequestOptions) => api.call('get', '/fastcache/stats', {}, options),
});

export async function readItem(response: Response): Promise<CachedItem> {
  const expires = response.headers.get('expires');
  return {
    ...((await response.json()) as Answer<'get', '/fastcache'>),
    etag: response.headers.get('etag'),
    expiresAt: expires === null ? null : new Date(expires),
  };
}
