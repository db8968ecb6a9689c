import { type FollowOptions, followEvents } from '../event-stream.ts';
import { linesOf } from '../lines.ts';
import type { Item, Query } from '../operations.ts';
import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/applications/{applicationId}/requests';
type Logged = Item<typeof all>;

export const requestLogs = (api: Requests) => ({
  /** Newest first. */
  list: (applicationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { applicationId }, query }, options),
  get: (applicationId: string, requestId: string, options?: RequestOptions) =>
    api.call('get', `${all}/{requestId}`, { path: { applicationId, requestId } }, options),
  stats: (applicationId: string, query?: Query<'get', `${typeof all}/stats`>, options?: RequestOptions) =>
    api.call('get', `${all}/stats`, { path: { applicationId }, query }, options),
  /** Requests as they are answered, until the loop is left or the connection ends. */
  stream: (
    applicationId: string,
    query?: Query<'get', `${typeof all}/stream`>,
    options?: RequestOptions,
  ): Promise<AsyncIterable<Logged>> =>
    api.read(`${all}/stream`, { path: { applicationId }, query }, options, async (response) =>
      linesOf<Logged>(response, 'data: '),
    ),
  /** The same, and a connection that breaks is opened again behind the last request. */
  follow: (
    applicationId: string,
    query?: Query<'get', `${typeof all}/stream`>,
    options?: FollowOptions,
  ): AsyncGenerator<Logged> =>
    followEvents<Logged>(
      'request',
      (lastEventId) =>
        api.read(
          `${all}/stream`,
          { path: { applicationId }, query, headers: { 'last-event-id': lastEventId } },
          { signal: options?.signal, retries: 0 },
          async (response) => response,
        ),
      options,
    ),
  /** Every request that fits, newest first, as it arrives. */
  export: (
    applicationId: string,
    query?: Query<'get', `${typeof all}/export`>,
    options?: RequestOptions,
  ): Promise<AsyncIterable<Logged>> =>
    api.read(`${all}/export`, { path: { applicationId }, query }, options, async (response) =>
      linesOf<Logged>(response, ''),
    ),
});
