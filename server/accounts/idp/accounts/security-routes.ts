import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import { type TSchema, Type } from 'typebox';
import { accountsOf, findUser } from '#accounts/users/service.ts';
import type { Db } from '#core/db.ts';
import { problemSender } from '#http/errors.ts';
import type { AttemptLimit, Attempts } from '../attempts.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import type { PasswordPolicy } from '../passwords/policy.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type Accounts, sendPassed } from './accounts.ts';
import { outsideProviderId } from './names.ts';
import {
  ChangeEmail,
  ChangePassword,
  CredentialOptions,
  Done,
  EnabledTwoFactor,
  Passkey,
  PasskeyIdOnly,
  PasswordOnly,
  ProviderRedirect,
  RecoveryCodes,
  RegisterPasskey,
  RegisterPasskeyQuery,
  RenamePasskey,
  SignInWithProvider,
  TotpUri,
} from './schema.ts';

const tags = ['Security of an account'];

/** E-mails that one person can make us send to others. */
function changesOfAddress(userId: string): AttemptLimit {
  return { key: `change-email-by:${userId}`, limit: 10, windowSeconds: 3600 };
}

const config = { public: true, session: true } as const;

/** What of better-auth is reached as it is, by whoever is signed in. */
interface Reached {
  method: 'GET' | 'POST';
  path: string;
  operationId: string;
  summary: string;
  body?: TSchema;
  querystring?: TSchema;
  answer: TSchema;
  /** A session that was left open is not enough for it. */
  fresh?: true;
}

const reached: readonly Reached[] = [
  {
    method: 'POST',
    path: '/two-factor/enable',
    operationId: 'enableTwoFactor',
    summary: 'Enable two-factor authentication',
    body: PasswordOnly,
    answer: EnabledTwoFactor,
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    operationId: 'disableTwoFactor',
    summary: 'Disable two-factor authentication',
    body: PasswordOnly,
    answer: Done,
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    operationId: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    body: PasswordOnly,
    answer: RecoveryCodes,
  },
  {
    method: 'POST',
    path: '/two-factor/get-totp-uri',
    operationId: 'getTotpUri',
    summary: 'Get the QR code for an authenticator app',
    body: PasswordOnly,
    answer: TotpUri,
  },
  {
    method: 'GET',
    path: '/passkey/list-user-passkeys',
    operationId: 'listPasskeys',
    summary: 'List your passkeys',
    answer: Type.Array(Passkey),
  },
  {
    method: 'GET',
    path: '/passkey/generate-register-options',
    operationId: 'getPasskeyRegistration',
    summary: 'Get a challenge to register a passkey',
    querystring: RegisterPasskeyQuery,
    answer: CredentialOptions,
  },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    body: RegisterPasskey,
    answer: Passkey,
  },
  {
    method: 'POST',
    path: '/passkey/update-passkey',
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    body: RenamePasskey,
    answer: Type.Object({ passkey: Passkey }),
  },
  {
    method: 'POST',
    path: '/passkey/delete-passkey',
    operationId: 'deletePasskey',
    summary: 'Delete a passkey',
    body: PasskeyIdOnly,
    answer: Done,
  },
  {
    method: 'POST',
    path: '/change-email',
    operationId: 'changeEmail',
    summary: 'Change your e-mail address',
    body: ChangeEmail,
    answer: Done,
    fresh: true,
  },
];

/** What people change about how they sign in. */
export function securityRoutes(deps: {
  db: Db;
  log: Logger;
  accounts: Accounts;
  sessions: Sessions;
  attempts: Attempts;
  passwords: PasswordPolicy;
  limits: { signInAttempts: number };
}): FastifyPluginAsyncTypebox {
  const { db, accounts, sessions, attempts, passwords, limits, log } = deps;

  /** A session left open is no licence to guess at the password of its owner. */
  const countGuess = (userId: string) =>
    attempts.take([{ key: `password-of:${userId}`, limit: limits.signInAttempts, windowSeconds: 900 }]);

  const hasPassword = async (userId: string): Promise<boolean> =>
    (await accountsOf(db, userId)).some((way) => way.provider_id === 'credential');

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    for (const { method, path, operationId, summary, body, querystring, answer, fresh } of reached) {
      app.route({
        method,
        url: `/idp${path}`,
        config,
        schema: {
          operationId,
          summary,
          tags,
          ...(body ? { body } : {}),
          ...(querystring ? { querystring } : {}),
          response: { 200: answer },
        },
        handler: async (request, reply) => {
          const session = await sessions.demand(request);
          const { userId } = session;
          const sent = request.body as { password?: string } | undefined;
          // Who has no password proves themselves by having signed in just now.
          if (fresh || (body === PasswordOnly && !(await hasPassword(userId)))) sessions.demandFresh(session);
          if (path === '/change-email') await attempts.take([changesOfAddress(userId)]);
          const guess = sent?.password === undefined ? undefined : await countGuess(userId);
          const query = request.url.slice(`/idp${path}`.length);
          const passage = { method, path: `${path}${query}`, ...(body ? { body: sent } : {}) };
          const passed = await accounts.pass(request, passage);
          if (passed.status === 200) await guess?.giveBack();
          return sendPassed(reply, passed);
        },
      });
    }

    app.post(
      '/idp/change-password',
      {
        config,
        schema: {
          operationId: 'changePassword',
          summary: 'Change your password',
          tags,
          body: ChangePassword,
          response: { 200: Done },
        },
      },
      async (request, reply) => {
        const { userId } = await sessions.demand(request);
        const { currentPassword, newPassword } = request.body;
        const user = await findUser(db, userId);
        await passwords.demand(newPassword, user ? [user.email, user.name] : []);
        const guess = await countGuess(userId);
        // Makes the session anew: the one that asks ends with all others.
        const body = { currentPassword, newPassword, revokeOtherSessions: true };
        const passage = { method: 'POST', path: '/change-password', body } as const;
        const passed = await accounts.pass(request, passage);
        if (passed.status === 200) await guess.giveBack();
        return sendPassed(reply, passed.status === 200 ? { ...passed, body: { status: true } } : passed);
      },
    );

    app.post(
      '/idp/link-provider',
      {
        config,
        schema: {
          operationId: 'linkProvider',
          summary: 'Link the external sign-in provider',
          tags,
          body: SignInWithProvider,
          response: { 200: ProviderRedirect },
        },
      },
      async (request, reply) => {
        sessions.demandFresh(await sessions.demand(request));
        await accounts.openWithProvider();
        const { callbackURL, errorCallbackURL } = request.body;
        const body = { provider: outsideProviderId, callbackURL, errorCallbackURL, disableRedirect: true };
        return sendPassed(
          reply,
          await accounts.pass(request, { method: 'POST', path: '/link-social', body }),
        );
      },
    );

    app.post(
      '/idp/unlink-provider',
      {
        config: { ...config, errors: [400] },
        schema: {
          operationId: 'unlinkProvider',
          summary: 'Unlink the external sign-in provider',
          tags,
          response: { 200: Done },
        },
      },
      async (request, reply) => {
        const { userId } = await sessions.demand(request);
        const ways = await accountsOf(db, userId);
        const linked = ways.find((way) => way.provider_id === outsideProviderId);
        if (!linked)
          throw new PeopleProblem('not_found', 'NOT_LINKED', 'This account is not linked with the provider.');
        const passage = { method: 'POST', path: '/unlink-account', body: { accountId: linked.id } } as const;
        return sendPassed(reply, await accounts.pass(request, passage));
      },
    );
  };
}
