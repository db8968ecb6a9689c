import type { Query } from '../operations.ts';
import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/applications/{applicationId}/requests';

export const requestLogs = (api: Requests) => ({
  /** Newest first. */
  list: (applicationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { applicationId }, query }, options),
  get: (applicationId: string, requestId: string, options?: RequestOptions) =>
    api.call('get', `${all}/{requestId}`, { path: { applicationId, requestId } }, options),
});
