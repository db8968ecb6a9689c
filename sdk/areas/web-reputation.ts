import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const overrides = '/organizations/{organizationId}/web-reputation/overrides';
const override = '/organizations/{organizationId}/web-reputation/overrides/{overrideId}';

/** Up to five domains or addresses a look-up; the order of the answers need not be that of the question. */
export const webReputation = (api: Requests) => ({
  domains: (domain: string[], options?: RequestOptions) =>
    api.call('get', '/web-reputation/domain', { query: { domain } }, options),
  /** Which lists and rules made the status. */
  explainDomains: (domain: string[], options?: RequestOptions) =>
    api.call('get', '/web-reputation/domain/explanation', { query: { domain } }, options),
  emails: (email: string[], options?: RequestOptions) =>
    api.call('get', '/web-reputation/email', { query: { email } }, options),
  /** What was probably meant, where the provider is mistyped. */
  suggestEmails: (email: string[], options?: RequestOptions) =>
    api.call('get', '/web-reputation/email/suggestion', { query: { email } }, options),
  feeds: (options?: RequestOptions) => api.list('/web-reputation/feeds', {}, options),
  overrides: (organizationId: string, query?: Query<'get', typeof overrides>, options?: RequestOptions) =>
    api.list(overrides, { path: { organizationId }, query }, options),
  createOverride: (organizationId: string, body: Body<'post', typeof overrides>, options?: CreateOptions) =>
    api.create(overrides, { path: { organizationId }, body }, options),
  updateOverride: (
    organizationId: string,
    overrideId: string,
    body: Body<'patch', typeof override>,
    options?: RequestOptions,
  ) => api.call('patch', override, { path: { organizationId, overrideId }, body }, options),
  deleteOverride: (organizationId: string, overrideId: string, options?: RequestOptions) =>
    api.call('delete', override, { path: { organizationId, overrideId } }, options),
});
