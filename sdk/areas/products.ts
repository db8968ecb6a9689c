import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/organizations/{organizationId}/products';

export const products = (api: Requests) => ({
  list: (organizationId: string, options?: RequestOptions) =>
    api.list(all, { path: { organizationId } }, options),
  get: (organizationId: string, product: string, options?: RequestOptions) =>
    api.call('get', `${all}/{product}`, { path: { organizationId, product } }, options),
  checkEntitlement: (organizationId: string, product: string, options?: RequestOptions) =>
    api.call('get', `${all}/{product}/entitlement`, { path: { organizationId, product } }, options),
});
