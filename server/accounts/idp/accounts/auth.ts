import { APIError } from '@better-auth/core/error';
import { passkey } from '@better-auth/passkey';
import { createEmailVerificationToken } from 'better-auth/api';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Logger } from 'pino';
import { findUser, hashPassword, verifyPassword } from '#accounts/users/service.ts';
import type { Db } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import type { Vault } from '#core/vault.ts';
import type { Attempts } from '../attempts.ts';
import type { Emails } from '../emails.ts';
import { PeopleProblem } from '../errors.ts';
import { maxPasswordLength, minPasswordLength } from '../passwords/policy.ts';
import { cookieName, cookieSecret } from '../sessions/sessions.ts';
import { databaseAdapter } from './adapter.ts';
import { bindLink } from './mail-links.ts';
import { addressHeader, outsideProviderId } from './names.ts';
import { requestOf } from './request-context.ts';
import { resetLink, verificationDigest } from './verifications.ts';

/** An outside OpenID Connect provider, as the settings name it. */
export interface OutsideProvider {
  issuer: URL;
  clientId: string;
  clientSecret: string | undefined;
  name: string;
  /** Whether it may bring people who are not known yet. */
  signUp: boolean;
}

export interface AuthDeps {
  db: Db;
  vault: Vault;
  log: Logger;
  emails: Emails;
  attempts: Attempts;
  baseUrl: string;
  provider: OutsideProvider | null;
  times: { session: number; fresh: number; mailLink: number };
}

/**
 * better-auth for what people prove who they are with: passwords, second factors, passkeys, an outside provider. It sees
 * only the requests that routes.ts lets through. Imported when first needed: loading takes a quarter of a second.
 */
export function createAuth(deps: AuthDeps) {
  const { emails, baseUrl, times } = deps;
  const bound = async (userId: string, token: string) =>
    bindLink(deps.vault, (await findUser(deps.db, userId))?.epoch ?? 0, token);
  const isSecure = baseUrl.startsWith('https:');
  const options = {
    appName: 'Mainstay',
    baseURL: `${baseUrl}/idp`,
    secret: cookieSecret(deps.vault),
    database: databaseAdapter(deps),
    telemetry: { enabled: false },
    // Counted by attempts.ts, for accounts as well as for addresses, and for all nodes together.
    rateLimit: { enabled: false },
    trustedOrigins: [new URL(baseUrl).origin],
    logger: { level: 'error', log: (_level, message) => deps.log.error(message) },
    onAPIError: { throw: true, errorURL: `${baseUrl}/sign-in` },
    verification: {
      storeIdentifier: { hash: async (identifier) => verificationDigest(deps.vault, identifier) },
      disableCleanup: true,
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      autoSignIn: false,
      minPasswordLength,
      maxPasswordLength,
      requireEmailVerification: emails.areSent,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(password, hash),
      },
      resetPasswordTokenExpiresIn: times.mailLink,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) =>
        emails.passwordReset(user.email, resetLink(baseUrl, token)),
    },
    ...(emails.areSent
      ? {
          emailVerification: {
            sendOnSignIn: true,
            autoSignInAfterVerification: false,
            expiresIn: times.mailLink,
            sendVerificationEmail: async ({ user, token }) =>
              emails.verification(user.email, await bound(user.id, token)),
          },
        }
      : {}),
    user: {
      additionalFields: {
        givenName: { type: 'string', required: false, input: false },
        familyName: { type: 'string', required: false, input: false },
      },
      changeEmail: {
        enabled: emails.areSent,
        sendChangeEmailConfirmation: async ({ user, newEmail, token }) =>
          emails.addressChange(user.email, newEmail, await bound(user.id, token)),
      },
    },
    session: {
      expiresIn: times.session,
      // Idle time is kept by sessions.ts, for the API too.
      disableSessionRefresh: true,
      freshAge: times.fresh,
      cookieCache: { enabled: false },
    },
    account: { updateAccountOnSignIn: false, accountLinking: { enabled: true } },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            await demandStanding(deps.db, userId);
            await demandUnusedCode(deps.attempts, userId);
          },
        },
      },
    },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: cookieName(baseUrl, 'auth'),
      cookies: { session_token: { name: cookieName(baseUrl, 'session') } },
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    plugins: [
      twoFactor({
        issuer: new URL(baseUrl).hostname,
        allowPasswordless: true,
        backupCodeOptions: { storeBackupCodes: 'plain' },
      }),
      passkey({
        rpName: 'Mainstay',
        rpID: new URL(baseUrl).hostname,
        origin: new URL(baseUrl).origin,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: ({ verification }) =>
            demandVerified(verification.registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: ({ verification }) =>
            demandVerified(verification.authenticationInfo.userVerified),
        },
      }),
      ...(deps.provider ? [genericOAuth({ config: [providerConfig(deps.provider, emails.areSent)] })] : []),
    ],
  } satisfies BetterAuthOptions;
  return betterAuth(options);
}

export type Auth = ReturnType<typeof createAuth>;

/** The token of a link that confirms an address. */
export async function verificationToken(auth: Auth, email: string, lifetimeSeconds: number): Promise<string> {
  const { secret } = await auth.$context;
  return createEmailVerificationToken(secret, email, undefined, lifetimeSeconds);
}

async function demandStanding(db: Db, userId: string): Promise<void> {
  const user = await findUser(db, userId);
  if (user && user.suspended_at === null) return;
  throw new APIError('FORBIDDEN', {
    code: 'ACCOUNT_SUSPENDED',
    message: 'This account is suspended. Contact the operator of this instance.',
  });
}

/** A code of an authenticator app lets in once, though it could be read for a minute and a half (RFC 6238, 5.2). */
async function demandUnusedCode(attempts: Attempts, userId: string): Promise<void> {
  const code = requestOf.getStore()?.totpCode;
  if (code === undefined) return;
  try {
    await attempts.take([{ key: `totp:${userId}:${code}`, limit: 1, windowSeconds: 120 }]);
  } catch (error) {
    if (!(error instanceof PeopleProblem)) throw error;
    throw new APIError('UNAUTHORIZED', {
      code: 'INVALID_CODE',
      message: 'This code was used already. Wait for the next one.',
    });
  }
}

/** A passkey stands for two factors only if the device asked for a PIN or a fingerprint. */
async function demandVerified(isVerified: boolean | undefined): Promise<void> {
  if (isVerified) return;
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_VERIFICATION_REQUIRED',
    message: 'Unlock the passkey with a PIN, a fingerprint or your face.',
  });
}

function providerConfig(provider: OutsideProvider, verifies: boolean) {
  const { issuer, clientId, clientSecret, name, signUp } = provider;
  return {
    providerId: outsideProviderId,
    name,
    discoveryUrl: `${issuer.href.replace(/\/$/, '')}/.well-known/openid-configuration`,
    clientId,
    ...(clientSecret ? { clientSecret } : { tokenEndpointAuth: { method: 'none' as const } }),
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
    requireIdTokenVerification: true,
    disableSignUp: !signUp,
    requireEmailVerification: verifies,
    mapProfileToUser: (profile: Record<string, unknown>) => ({
      name: shown(profile['name']) ?? shown(profile['email']) ?? '',
      givenName: shown(profile['given_name']),
      familyName: shown(profile['family_name']),
    }),
  };
}

/** Names of others as ours are: one line, no control characters, of a length that fits. */
function shown(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = value
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return [...clean].slice(0, 128).join('') || undefined;
}
