import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const overrides = '/organizations/{organizationId}/web-reputation/overrides';
const override = '/organizations/{organizationId}/web-reputation/overrides/{overrideId}';

export interface LookUpOptions extends RequestOptions {
  /** Whose overrides hold; those of the token's own organization when left out. */
  organizationId?: string;
}

const asking = <Names extends object>(names: Names, organizationId: string | undefined) => ({
  query: { ...names, ...(organizationId === undefined ? {} : { organizationId }) },
});

/** Up to five domains or addresses a look-up; the order of the answers need not be that of the question. */
export const webReputation = (api: Requests) => ({
  domains: (domain: string[], { organizationId, ...options }: LookUpOptions = {}) =>
    api.call('get', '/web-reputation/domain', asking({ domain }, organizationId), options),
  /** Which lists and rules made the status. */
  explainDomains: (domain: string[], { organizationId, ...options }: LookUpOptions = {}) =>
    api.call('get', '/web-reputation/domain/explanation', asking({ domain }, organizationId), options),
  emails: (email: string[], { organizationId, ...options }: LookUpOptions = {}) =>
    api.call('get', '/web-reputation/email', asking({ email }, organizationId), options),
  /** What was probably meant, where the provider is mistyped. */
  suggestEmails: (email: string[], { organizationId, ...options }: LookUpOptions = {}) =>
    api.call('get', '/web-reputation/email/suggestion', asking({ email }, organizationId), options),
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
