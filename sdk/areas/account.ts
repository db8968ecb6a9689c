import type { Body, Query } from '../operations.ts';
import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

/** The account of the person who is signed in. */
export const account = (api: Requests) => ({
  updateProfile: (body: Body<'patch', '/idp/profile'>, options?: RequestOptions) =>
    api.call('patch', '/idp/profile', { body }, options),
  /** JPEG, PNG, WebP, GIF or AVIF. */
  setImage: (body: Blob, options?: RequestOptions) =>
    api.call('put', '/idp/profile/image', { body }, options),
  deleteImage: (options?: RequestOptions) => api.call('delete', '/idp/profile/image', {}, options),
  /** What this person did and what happened to the account. */
  auditLog: (query?: Query<'get', '/idp/audit-log'>, options?: RequestOptions) =>
    api.list('/idp/audit-log', { query }, options),
  /** Permanent. */
  delete: (body: Body<'post', '/idp/delete-account'>, options?: RequestOptions) =>
    api.call('post', '/idp/delete-account', { body }, options),
  changeEmail: (body: Body<'post', '/idp/change-email'>, options?: RequestOptions) =>
    api.call('post', '/idp/change-email', { body }, options),
  changePassword: (body: Body<'post', '/idp/change-password'>, options?: RequestOptions) =>
    api.call('post', '/idp/change-password', { body }, options),
  sessions: (options?: RequestOptions) => api.list('/idp/sessions', {}, options),
  endSession: (sessionId: string, options?: RequestOptions) =>
    api.call('delete', '/idp/sessions/{sessionId}', { path: { sessionId } }, options),
  endOtherSessions: (options?: RequestOptions) => api.call('post', '/idp/sessions/end-others', {}, options),
  /** The programs that may act for this person. */
  grants: (options?: RequestOptions) => api.list('/idp/grants', {}, options),
  /** The API keys that the program has made, which end with the grant unless they are kept. */
  grantApiKeys: (grantId: string, options?: RequestOptions) =>
    api.call('get', '/idp/grants/{grantId}/api-keys', { path: { grantId } }, options),
  revokeGrant: (
    grantId: string,
    query?: Query<'delete', '/idp/grants/{grantId}'>,
    options?: RequestOptions,
  ) => api.call('delete', '/idp/grants/{grantId}', { path: { grantId }, query }, options),
  enableTwoFactor: (body: Body<'post', '/idp/two-factor/enable'>, options?: RequestOptions) =>
    api.call('post', '/idp/two-factor/enable', { body }, options),
  disableTwoFactor: (body: Body<'post', '/idp/two-factor/disable'>, options?: RequestOptions) =>
    api.call('post', '/idp/two-factor/disable', { body }, options),
  renewRecoveryCodes: (
    body: Body<'post', '/idp/two-factor/generate-backup-codes'>,
    options?: RequestOptions,
  ) => api.call('post', '/idp/two-factor/generate-backup-codes', { body }, options),
  totpUri: (body: Body<'post', '/idp/two-factor/get-totp-uri'>, options?: RequestOptions) =>
    api.call('post', '/idp/two-factor/get-totp-uri', { body }, options),
  passkeys: (options?: RequestOptions) => api.call('get', '/idp/passkey/list-user-passkeys', {}, options),
  passkeyRegistration: (
    query?: Query<'get', '/idp/passkey/generate-register-options'>,
    options?: RequestOptions,
  ) => api.call('get', '/idp/passkey/generate-register-options', { query }, options),
  addPasskey: (body: Body<'post', '/idp/passkey/verify-registration'>, options?: RequestOptions) =>
    api.call('post', '/idp/passkey/verify-registration', { body }, options),
  renamePasskey: (body: Body<'post', '/idp/passkey/update-passkey'>, options?: RequestOptions) =>
    api.call('post', '/idp/passkey/update-passkey', { body }, options),
  deletePasskey: (body: Body<'post', '/idp/passkey/delete-passkey'>, options?: RequestOptions) =>
    api.call('post', '/idp/passkey/delete-passkey', { body }, options),
  linkProvider: (body: Body<'post', '/idp/link-provider'>, options?: RequestOptions) =>
    api.call('post', '/idp/link-provider', { body }, options),
  unlinkProvider: (body: Body<'post', '/idp/unlink-provider'>, options?: RequestOptions) =>
    api.call('post', '/idp/unlink-provider', { body }, options),
});
