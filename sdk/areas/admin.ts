import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const users = '/admin/users';
const user = '/admin/users/{userId}';
const organizations = '/admin/organizations';
const organization = '/admin/organizations/{adminOrganizationId}';
const oauthClients = '/admin/oauth-clients';
const oauthClient = '/admin/oauth-clients/{clientId}';
const overrides = '/admin/web-reputation/overrides';
const override = '/admin/web-reputation/overrides/{overrideId}';
const settings = '/admin/settings';
const product = `${organization}/products/{product}` as const;

/** For the operators of the instance. */
export const admin = (api: Requests) => ({
  overview: (options?: RequestOptions) => api.call('get', '/admin/overview', {}, options),
  usage: (query?: Query<'get', '/admin/usage'>, options?: RequestOptions) =>
    api.call('get', '/admin/usage', { query }, options),
  settings: (options?: RequestOptions) => api.call('get', settings, {}, options),
  updateSettings: (body: Body<'patch', typeof settings>, options?: RequestOptions) =>
    api.call('patch', settings, { body }, options),
  users: (query?: Query<'get', typeof users>, options?: RequestOptions) =>
    api.list(users, { query }, options),
  updateUser: (userId: string, body: Body<'patch', typeof user>, options?: RequestOptions) =>
    api.call('patch', user, { path: { userId }, body }, options),
  /** The answer holds a link by which the person chooses a new password. */
  createPasswordReset: (userId: string, options?: RequestOptions) =>
    api.call('post', `${user}/password-reset`, { path: { userId } }, options),
  organizations: (query?: Query<'get', typeof organizations>, options?: RequestOptions) =>
    api.list(organizations, { query }, options),
  updateOrganization: (
    adminOrganizationId: string,
    body: Body<'patch', typeof organization>,
    options?: RequestOptions,
  ) => api.call('patch', organization, { path: { adminOrganizationId }, body }, options),
  products: (adminOrganizationId: string, options?: RequestOptions) =>
    api.list(`${organization}/products`, { path: { adminOrganizationId } }, options),
  setEntitlement: (
    adminOrganizationId: string,
    name: string,
    body: Body<'put', `${typeof product}/entitlement`>,
    options?: RequestOptions,
  ) =>
    api.call(
      'put',
      `${product}/entitlement`,
      { path: { adminOrganizationId, product: name }, body },
      options,
    ),
  deleteEntitlement: (adminOrganizationId: string, name: string, options?: RequestOptions) =>
    api.call('delete', `${product}/entitlement`, { path: { adminOrganizationId, product: name } }, options),
  setSubscription: (
    adminOrganizationId: string,
    name: string,
    body: Body<'put', `${typeof product}/subscription`>,
    options?: RequestOptions,
  ) =>
    api.call(
      'put',
      `${product}/subscription`,
      { path: { adminOrganizationId, product: name }, body },
      options,
    ),
  oauthClients: (options?: RequestOptions) => api.list(oauthClients, {}, options),
  /** The answer holds the secret, which is never shown again. */
  createOAuthClient: (body: Body<'post', typeof oauthClients>, options?: CreateOptions) =>
    api.create(oauthClients, { body }, options),
  updateOAuthClient: (clientId: string, body: Body<'patch', typeof oauthClient>, options?: RequestOptions) =>
    api.call('patch', oauthClient, { path: { clientId }, body }, options),
  deleteOAuthClient: (clientId: string, options?: RequestOptions) =>
    api.call('delete', oauthClient, { path: { clientId } }, options),
  /** Of the whole instance. */
  auditLogFacets: (options?: RequestOptions) => api.call('get', '/admin/audit-log/facets', {}, options),
  auditLog: (query?: Query<'get', '/admin/audit-log'>, options?: RequestOptions) =>
    api.list('/admin/audit-log', { query }, options),
  reputationOverrides: (query?: Query<'get', typeof overrides>, options?: RequestOptions) =>
    api.list(overrides, { query }, options),
  createReputationOverride: (body: Body<'post', typeof overrides>, options?: CreateOptions) =>
    api.create(overrides, { body }, options),
  updateReputationOverride: (
    overrideId: string,
    body: Body<'patch', typeof override>,
    options?: RequestOptions,
  ) => api.call('patch', override, { path: { overrideId }, body }, options),
  deleteReputationOverride: (overrideId: string, options?: RequestOptions) =>
    api.call('delete', override, { path: { overrideId } }, options),
  /** Fetches the threat feeds now; responds before they have arrived. */
  refreshReputationFeeds: (options?: RequestOptions) =>
    api.call('post', '/admin/web-reputation/refresh', {}, options),
});
