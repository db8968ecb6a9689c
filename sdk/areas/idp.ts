import type { Body } from '../operations.ts';
import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

/** How people come in: for the pages of the instance itself, with `session: true`. */
export const idp = (api: Requests) => ({
  /** The ways to sign in that this instance offers. */
  options: (options?: RequestOptions) => api.call('get', '/idp/options', {}, options),
  /** Who is signed in. */
  session: (options?: RequestOptions) => api.call('get', '/idp/session', {}, options),
  /** What the one-time link of the first start is for. */
  setup: (token: string, options?: RequestOptions) =>
    api.call('get', '/idp/setup', { query: { token } }, options),
  /** Makes the first operator. */
  setUp: (body: Body<'post', '/idp/setup'>, options?: RequestOptions) =>
    api.call('post', '/idp/setup', { body }, options),
  signUp: (body: Body<'post', '/idp/sign-up/email'>, options?: RequestOptions) =>
    api.call('post', '/idp/sign-up/email', { body }, options),
  signIn: (body: Body<'post', '/idp/sign-in/email'>, options?: RequestOptions) =>
    api.call('post', '/idp/sign-in/email', { body }, options),
  /** The second step of signing in. */
  verifyTotp: (body: Body<'post', '/idp/two-factor/verify-totp'>, options?: RequestOptions) =>
    api.call('post', '/idp/two-factor/verify-totp', { body }, options),
  useRecoveryCode: (body: Body<'post', '/idp/two-factor/verify-backup-code'>, options?: RequestOptions) =>
    api.call('post', '/idp/two-factor/verify-backup-code', { body }, options),
  passkeyChallenge: (options?: RequestOptions) =>
    api.call('get', '/idp/passkey/generate-authenticate-options', {}, options),
  signInWithPasskey: (body: Body<'post', '/idp/passkey/verify-authentication'>, options?: RequestOptions) =>
    api.call('post', '/idp/passkey/verify-authentication', { body }, options),
  signInWithProvider: (body: Body<'post', '/idp/sign-in/provider'>, options?: RequestOptions) =>
    api.call('post', '/idp/sign-in/provider', { body }, options),
  signOut: (options?: RequestOptions) => api.call('post', '/idp/sign-out', {}, options),
  ratePassword: (body: Body<'post', '/idp/password-strength'>, options?: RequestOptions) =>
    api.call('post', '/idp/password-strength', { body }, options),
  requestPasswordReset: (body: Body<'post', '/idp/request-password-reset'>, options?: RequestOptions) =>
    api.call('post', '/idp/request-password-reset', { body }, options),
  resetPassword: (body: Body<'post', '/idp/reset-password'>, options?: RequestOptions) =>
    api.call('post', '/idp/reset-password', { body }, options),
  /** The API keys that the person has made, which end with the old password unless they are kept. */
  resetApiKeys: (body: Body<'post', '/idp/reset-password/api-keys'>, options?: RequestOptions) =>
    api.call('post', '/idp/reset-password/api-keys', { body }, options),
  sendVerificationMail: (body: Body<'post', '/idp/send-verification-email'>, options?: RequestOptions) =>
    api.call('post', '/idp/send-verification-email', { body }, options),
  verifyEmail: (body: Body<'post', '/idp/verify-email'>, options?: RequestOptions) =>
    api.call('post', '/idp/verify-email', { body }, options),
  /** What a program asks for: `search` is the query of the page that it led to, as it is. */
  consent: (search: string, options?: RequestOptions) =>
    api.call('get', '/idp/oauth2/consent', { search: `?${search.replace(/^\?/, '')}` }, options),
  decideConsent: (body: Body<'post', '/idp/oauth2/consent'>, options?: RequestOptions) =>
    api.call('post', '/idp/oauth2/consent', { body }, options),
  /** The device that shows this code. */
  device: (userCode: string, options?: RequestOptions) =>
    api.call('get', '/idp/oauth2/device', { query: { user_code: userCode } }, options),
  decideDevice: (body: Body<'post', '/idp/oauth2/device'>, options?: RequestOptions) =>
    api.call('post', '/idp/oauth2/device', { body }, options),
});
