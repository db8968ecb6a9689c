import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import { AuditList, AuditQuery, auditPage } from '#accounts/audit-log/service.ts';
import { accountsOf, verifyPassword } from '#accounts/users/service.ts';
import type { Db } from '#core/db.ts';
import { problemSender } from '#http/errors.ts';
import type { Attempts } from '../attempts.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import type { SessionState, Sessions } from '../sessions/sessions.ts';
import { deleteAccount } from './delete-account.ts';
import { DeleteAccount } from './schema.ts';

const tags = ['Your account'];
const config = { public: true, session: true } as const;

/** What happened to an account, and its end. */
export function accountRoutes(deps: {
  db: Db;
  log: Logger;
  sessions: Sessions;
  attempts: Attempts;
  limits: { signInAttempts: number };
}): FastifyPluginAsyncTypebox {
  const { db, log, sessions, attempts, limits } = deps;

  /** The password of those who have one; a fresh session of the others. */
  const demandProof = async (session: SessionState, password: string | undefined) => {
    const { userId } = session;
    const ways = await accountsOf(db, userId);
    const stored = ways.find((way) => way.provider_id === 'credential')?.password;
    if (!stored) return sessions.demandFresh(session);
    const limit = { key: `password-of:${userId}`, limit: limits.signInAttempts, windowSeconds: 900 };
    const guess = await attempts.take([limit]);
    if (password === undefined || !(await verifyPassword(password, stored)))
      throw new PeopleProblem('invalid_request', 'INVALID_PASSWORD', 'The password is wrong.');
    await guess.giveBack();
  };

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    app.get(
      '/idp/audit-log',
      {
        config,
        schema: {
          operationId: 'listAccountHistory',
          summary: 'List the activity of your account',
          tags,
          querystring: AuditQuery,
          response: { 200: AuditList },
        },
      },
      async (request) => {
        const { userId } = await sessions.demand(request);
        return auditPage(db, { accountOf: userId }, request.query);
      },
    );

    app.post(
      '/idp/delete-account',
      {
        config: { ...config, errors: [409] },
        schema: {
          operationId: 'deleteAccount',
          summary: 'Delete your account',
          description: 'Returns 409 if an organization has no other owner, or if you are the last operator.',
          tags,
          body: DeleteAccount,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const session = await sessions.demand(request);
        await demandProof(session, request.body.password);
        await deleteAccount(db, { userId: session.userId, requestId: request.id });
        return reply.header('set-cookie', sessions.expiredCookie()).code(204).send(null);
      },
    );
  };
}
