import type { Body } from '../operations.ts';
import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const protection = '/applications/{applicationId}/environments/{environmentId}/protection';
const purge = '/applications/{applicationId}/cache/purge';
const sticky = '/sticky-sessions/urls';
const runtime = '/internal/runtime-cache/v1';
const entry = `${runtime}/entries/{kind}/{key}` as const;

export const environmentProtection = (api: Requests) => ({
  /** Who may see the deployments of an environment. */
  get: (applicationId: string, environmentId: string, options?: RequestOptions) =>
    api.call('get', protection, { path: { applicationId, environmentId } }, options),
  update: (
    applicationId: string,
    environmentId: string,
    body: Body<'put', typeof protection>,
    options?: RequestOptions,
  ) => api.call('put', protection, { path: { applicationId, environmentId }, body }, options),
  /** The token is shown once; the one before it stops working. */
  createBypass: (applicationId: string, environmentId: string, options?: RequestOptions) =>
    api.call('post', `${protection}/bypass`, { path: { applicationId, environmentId } }, options),
  deleteBypass: (applicationId: string, environmentId: string, options?: RequestOptions) =>
    api.call('delete', `${protection}/bypass`, { path: { applicationId, environmentId } }, options),
  createShareLink: (
    applicationId: string,
    environmentId: string,
    body: Body<'post', `${typeof protection}/share-links`>,
    options?: RequestOptions,
  ) =>
    api.call('post', `${protection}/share-links`, { path: { applicationId, environmentId }, body }, options),
  endShareLinks: (applicationId: string, environmentId: string, options?: RequestOptions) =>
    api.call('delete', `${protection}/share-links`, { path: { applicationId, environmentId } }, options),
  /** What the dashboard asks after a visitor of a protected hostname has signed in. */
  enter: (body: Body<'post', '/preview-access'>, options?: RequestOptions) =>
    api.call('post', '/preview-access', { body }, options),
});

export const gatewayCache = (api: Requests) => ({
  /** By tag, by path, or all of it where neither is given. */
  purge: (applicationId: string, body: Body<'post', typeof purge>, options?: RequestOptions) =>
    api.call('post', purge, { path: { applicationId }, body }, options),
});

/** What frameworks that run in a deployment keep their pages in. */
export const runtimeCache = (api: Requests) => ({
  get: (kind: 'incremental' | 'component' | 'warmup', key: string, options?: RequestOptions) =>
    api.call('get', entry, { path: { kind, key } }, options),
  put: (
    kind: 'incremental' | 'component' | 'warmup',
    key: string,
    body: Body<'put', typeof entry>,
    options?: RequestOptions,
  ) => api.call('put', entry, { path: { kind, key }, body }, options),
  revalidateTags: (body: Body<'post', `${typeof runtime}/tags/revalidate`>, options?: RequestOptions) =>
    api.call('post', `${runtime}/tags/revalidate`, { body }, options),
  tagState: (body: Body<'post', `${typeof runtime}/tags/state`>, options?: RequestOptions) =>
    api.call('post', `${runtime}/tags/state`, { body }, options),
  tagExpiration: (body: Body<'post', `${typeof runtime}/tags/expiration`>, options?: RequestOptions) =>
    api.call('post', `${runtime}/tags/expiration`, { body }, options),
});

export const stickySessions = (api: Requests) => ({
  /** For code of a deployment: a URL that reaches the same process each time. */
  createUrl: (body: Body<'post', typeof sticky>, options?: RequestOptions) =>
    api.call('post', sticky, { body }, options),
});
