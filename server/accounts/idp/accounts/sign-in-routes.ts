import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { MadeKeyList, type MadeKeys } from '#accounts/api-keys/service.ts';
import { byEmail } from '#accounts/users/service.ts';
import { senderOf } from '#core/addresses.ts';
import type { Db } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import type { Vault } from '#core/vault.ts';
import { demandOwnPage } from '#http/browser.ts';
import { problemSender } from '#http/errors.ts';
import type { AttemptLimit, Attempts } from '../attempts.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import { inEvenTime } from '../even-time.ts';
import type { PasswordPolicy } from '../passwords/policy.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { end, isUsedFrom } from '../sessions/store.ts';
import { type Accounts, sendPassed } from './accounts.ts';
import { emailAlias } from './alias.ts';
import { linkClaims, openLink } from './mail-links.ts';
import { outsideProviderId } from './names.ts';
import {
  AddressConfirmed,
  AddressOnly,
  CallbackQuery,
  CredentialOptions,
  Done,
  ProviderRedirect,
  ResetPassword,
  ResetTokenOnly,
  SecondFactor,
  SignIn,
  SignInAnswer,
  SignInWithProvider,
  TokenOnly,
  UsePasskey,
} from './schema.ts';
import { personOfResetLink } from './verifications.ts';

const tags = ['Sign-in'];
const config = { public: true, session: true } as const;
/** Longer than a password takes to derive and a few queries: what differs between accounts disappears in it. */
const evenMilliseconds = 250;

export interface SignInDeps {
  db: Db;
  vault: Vault;
  log: Logger;
  accounts: Accounts;
  madeKeys: MadeKeys;
  sessions: Sessions;
  attempts: Attempts;
  passwords: PasswordPolicy;
  origin: string;
  baseUrl: string;
  limits: {
    signInAttempts: number;
    signInAttemptsPerAddress: number;
    signInAttemptsPerAccount: number;
    signUpsPerAddress: number;
  };
}

/** Ways in: password, second factor, passkey, outside provider; and back in, for those who lost their password. */
export function signInRoutes(deps: SignInDeps): FastifyPluginAsyncTypebox {
  const { db, vault, accounts, madeKeys, sessions, attempts, passwords, limits, origin, baseUrl, log } = deps;

  /** Guessing at one account from one address, at many from one, at one from many: each has its own bound. */
  const signInLimits = (email: string, userId: string | undefined, address: string): AttemptLimit[] => [
    { key: `sign-in:${email}:${senderOf(address)}`, limit: limits.signInAttempts, windowSeconds: 900 },
    { key: `sign-in-from:${senderOf(address)}`, limit: limits.signInAttemptsPerAddress, windowSeconds: 900 },
    {
      key: `sign-in-to:${email}`,
      limit: limits.signInAttemptsPerAccount,
      windowSeconds: 3600,
      unless: async () => userId !== undefined && isUsedFrom(db, userId, address),
    },
  ];

  /** Asking for e-mails is bounded for whoever asks; what one person is sent is bounded by emails.ts. */
  const countAsking = async (request: FastifyRequest) => {
    const key = `ask:${senderOf(request.ip)}`;
    await attempts.take([{ key, limit: limits.signUpsPerAddress, windowSeconds: 3600 }]);
  };

  /** Who signs in anew leaves the session behind that this browser had. */
  const endFormer = async (request: FastifyRequest) => {
    const former = await sessions.ofRequest(request);
    if (former) await db.write((tx) => end(tx, former.userId, { id: former.id }));
  };

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    app.post(
      '/idp/sign-in/email',
      {
        config,
        schema: {
          operationId: 'signIn',
          summary: 'Sign in with e-mail and password',
          tags,
          body: SignIn,
          response: { 200: SignInAnswer },
        },
      },
      async (request, reply) => {
        demandOwnPage(request, origin);
        const email = request.body.email.trim().toLowerCase();
        const user = await byEmail(db, email);
        const attempt = await attempts.take(signInLimits(email, user?.id, request.ip));
        // Nobody's id takes better-auth as long as somebody's.
        const body = { ...request.body, email: emailAlias(user?.id ?? newId()) };
        const answer = await inEvenTime(evenMilliseconds, () =>
          accounts.pass(request, { method: 'POST', path: '/sign-in/email', body }),
        );
        // Whoever is told that the address is not confirmed, or is asked for a second factor, knew the password.
        if (answer.status !== 401) await attempt.giveBack();
        if (answer.status === 200) await endFormer(request);
        return sendPassed(reply, answer);
      },
    );

    for (const [method, operationId, summary] of [
      ['verify-totp', 'verifyTotp', 'Verify a code of an authenticator app'],
      ['verify-backup-code', 'useRecoveryCode', 'Verify a recovery code'],
    ] as const) {
      app.post(
        `/idp/two-factor/${method}`,
        {
          config,
          schema: { operationId, summary, tags, body: SecondFactor, response: { 200: SignInAnswer } },
        },
        async (request, reply) => {
          demandOwnPage(request, origin);
          const limit = limits.signInAttemptsPerAddress;
          const key = `second-factor:${senderOf(request.ip)}`;
          const attempt = await attempts.take([{ key, limit, windowSeconds: 900 }]);
          const path = `/two-factor/${method}`;
          const { body } = request;
          const totpCode = method === 'verify-totp' ? { totpCode: body.code.replace(/\D/g, '') } : {};
          const answer = await accounts.pass(request, { method: 'POST', path, body, ...totpCode });
          if (answer.status === 200) await attempt.giveBack();
          return sendPassed(reply, answer);
        },
      );
    }

    app.get(
      '/idp/passkey/generate-authenticate-options',
      {
        config,
        schema: {
          operationId: 'getPasskeyChallenge',
          summary: 'Get a challenge to sign in with a passkey',
          tags,
          response: { 200: CredentialOptions },
        },
      },
      async (request, reply) => {
        demandOwnPage(request, origin);
        const path = '/passkey/generate-authenticate-options';
        return sendPassed(reply, await accounts.pass(request, { method: 'GET', path }));
      },
    );

    app.post(
      '/idp/passkey/verify-authentication',
      {
        config,
        schema: {
          operationId: 'signInWithPasskey',
          summary: 'Sign in with a passkey',
          tags,
          body: UsePasskey,
          response: { 200: SignInAnswer },
        },
      },
      async (request, reply) => {
        demandOwnPage(request, origin);
        const limit = limits.signInAttemptsPerAddress;
        const attempt = await attempts.take([
          { key: `passkey:${senderOf(request.ip)}`, limit, windowSeconds: 900 },
        ]);
        const path = '/passkey/verify-authentication';
        const answer = await accounts.pass(request, { method: 'POST', path, body: request.body });
        if (answer.status === 200) {
          await attempt.giveBack();
          await endFormer(request);
        }
        return sendPassed(reply, answer);
      },
    );

    app.post(
      '/idp/sign-in/provider',
      {
        config,
        schema: {
          operationId: 'signInWithProvider',
          summary: 'Start a sign-in with the external provider',
          tags,
          body: SignInWithProvider,
          response: { 200: ProviderRedirect },
        },
      },
      async (request, reply) => {
        demandOwnPage(request, origin);
        await accounts.openWithProvider();
        const body = { ...request.body, provider: outsideProviderId, disableRedirect: true };
        return sendPassed(
          reply,
          await accounts.pass(request, { method: 'POST', path: '/sign-in/social', body }),
        );
      },
    );

    app.get(
      `/idp/callback/${outsideProviderId}`,
      {
        config: { public: true },
        schema: { querystring: CallbackQuery },
      },
      async (request, reply) => {
        await accounts.openWithProvider();
        const query = new URLSearchParams(request.query as Record<string, string>);
        const path = `/callback/${outsideProviderId}?${query}`;
        const { headers } = await accounts.pass(request, { method: 'GET', path });
        const cookies = headers.getSetCookie();
        if (cookies.length > 0) reply.header('set-cookie', cookies);
        return reply.redirect(ownPage(headers.get('location'), baseUrl), 302);
      },
    );

    app.post(
      '/idp/request-password-reset',
      {
        config,
        schema: {
          operationId: 'requestPasswordReset',
          summary: 'Request a password reset link',
          tags,
          body: AddressOnly,
          response: { 200: Done },
        },
      },
      async (request, reply) => {
        demandOwnPage(request, origin);
        await countAsking(request);
        const email = request.body.email.trim().toLowerCase();
        await inEvenTime(evenMilliseconds, async () => {
          const user = await byEmail(db, email);
          const body = { email: emailAlias(user?.id ?? newId()) };
          return accounts.pass(request, { method: 'POST', path: '/request-password-reset', body });
        });
        return reply.send({ status: true });
      },
    );

    app.post(
      '/idp/reset-password',
      {
        config,
        schema: {
          operationId: 'resetPassword',
          summary: 'Reset the password with a reset token',
          description: 'API keys created by the user are revoked too, unless they are kept.',
          tags,
          body: ResetPassword,
          response: { 200: Done },
        },
      },
      async (request, reply) => {
        demandOwnPage(request, origin);
        await countAsking(request);
        const { keepApiKeys = false, ...body } = request.body;
        await passwords.demand(body.newPassword, []);
        const passage = {
          method: 'POST',
          path: '/reset-password',
          body,
          endKeys: keepApiKeys ? null : madeKeys,
        } as const;
        return sendPassed(reply, await accounts.pass(request, passage));
      },
    );

    app.post(
      '/idp/reset-password/api-keys',
      {
        config,
        schema: {
          operationId: 'listResetApiKeys',
          summary: 'List the API keys of the user of a reset token',
          tags,
          body: ResetTokenOnly,
          response: { 200: MadeKeyList },
        },
      },
      async (request) => {
        demandOwnPage(request, origin);
        const userId = await personOfResetLink(db, vault, request.body.token);
        if (userId !== null) return madeKeys.list({ userId });
        throw new PeopleProblem('invalid_request', 'INVALID_TOKEN', 'This link is no longer valid.');
      },
    );

    app.post(
      '/idp/send-verification-email',
      {
        config,
        schema: {
          operationId: 'sendVerificationMail',
          summary: 'Resend the verification e-mail',
          tags,
          body: AddressOnly,
          response: { 200: Done },
        },
      },
      async (request, reply) => {
        demandOwnPage(request, origin);
        await countAsking(request);
        await inEvenTime(evenMilliseconds, async () => {
          await accounts.open();
          const user = await byEmail(db, request.body.email.trim());
          if (user?.email_verified === 0) await accounts.sendVerification(user);
        });
        return reply.send({ status: true });
      },
    );

    app.post(
      '/idp/verify-email',
      {
        config,
        schema: {
          operationId: 'verifyEmail',
          summary: 'Verify an e-mail address',
          tags,
          body: TokenOnly,
          response: { 200: AddressConfirmed },
        },
      },
      async (request, reply) => {
        const session = await sessions.ofPage(request);
        const token = await openLink(db, vault, request.body.token);
        // better-auth signs people in who open a link that changes an address while signed out, without a second factor.
        const { updateTo, requestType } = linkClaims(token);
        if (!session && updateTo !== undefined) {
          const sentence = 'Sign in first, then open the link again.';
          throw new PeopleProblem('unauthenticated', 'UNAUTHENTICATED', sentence);
        }
        const path = `/verify-email?token=${encodeURIComponent(token)}`;
        const passed = await accounts.pass(request, { method: 'GET', path });
        const isFirstOfTwo = passed.status < 400 && requestType === 'change-email-confirmation';
        return sendPassed(
          reply,
          isFirstOfTwo ? { ...passed, body: { status: true, sentTo: updateTo } } : passed,
        );
      },
    );
  };
}

/** better-auth has checked where it sends people; that it is a page of ours is checked here once more. */
function ownPage(location: string | null, baseUrl: string): string {
  const url = new URL(location ?? '/sign-in?error=failed', `${baseUrl}/`);
  return url.origin === new URL(baseUrl).origin ? url.href : `${baseUrl}/sign-in?error=failed`;
}
