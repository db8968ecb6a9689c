import type { Query } from '../operations.ts';
import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/organizations/{organizationId}/audit-log';

export const auditLog = (api: Requests) => ({
  list: (organizationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { organizationId }, query }, options),
  /** What there is to filter by. */
  facets: (organizationId: string, options?: RequestOptions) =>
    api.call('get', `${all}/facets`, { path: { organizationId } }, options),
});
