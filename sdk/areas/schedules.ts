import type { Query } from '../operations.ts';
import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/applications/{applicationId}/schedules';

export const schedules = (api: Requests) => ({
  /** Of its live deployments. */
  list: (applicationId: string, options?: RequestOptions) =>
    api.call('get', all, { path: { applicationId } }, options),
  /** Calls its function now; resolves when the call has begun. */
  run: (applicationId: string, scheduleId: string, options?: RequestOptions) =>
    api.call('post', `${all}/{scheduleId}/run`, { path: { applicationId, scheduleId } }, options),
  /** What came of them, newest first. */
  runs: (applicationId: string, query?: Query<'get', `${typeof all}/runs`>, options?: RequestOptions) =>
    api.list(`${all}/runs`, { path: { applicationId }, query }, options),
});
