import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import { audit } from '#accounts/audit-log/service.ts';
import { findUser } from '#accounts/users/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { problemSender } from '#http/errors.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import { maxPasswordLength, minPasswordLength } from '../passwords/policy.ts';
import { endEverything } from '../sessions/end-everything.ts';
import type { SessionState, Sessions } from '../sessions/sessions.ts';
import { end, listOf, type SessionRow } from '../sessions/store.ts';
import { toPerson } from './person.ts';
import { BrowserSessionList, Current, EndedSessions, SessionPath, SignInOptions } from './schema.ts';
import { operatorExists } from './store.ts';

const tags = ['Sessions'];
const config = { public: true, session: true } as const;

/** Who is signed in in this browser, where else, and the end of it. */
export function sessionRoutes(deps: {
  db: Db;
  clock: Clock;
  log: Logger;
  sessions: Sessions;
  signUp: 'open' | 'invited' | 'closed';
  sendsMail: boolean;
  providerName: string | null;
}): FastifyPluginAsyncTypebox {
  const { db, clock, log, sessions } = deps;

  const endSessions = (tx: Tx, requestId: string, userId: string, which: { id: string }): Promise<number> =>
    end(tx, userId, which).then(async (ended) => {
      const source = { actorType: 'user', actorId: userId, requestId };
      for (const { id } of ended) {
        const target = { organizationId: null, targetType: 'session', targetId: id };
        await audit(tx, source, { ...target, action: 'session.deleted' });
      }
      return ended.length;
    });

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    app.get(
      '/idp/options',
      {
        config: { public: true },
        schema: {
          operationId: 'getSignInOptions',
          summary: 'Get the available sign-in options',
          tags,
          response: { 200: SignInOptions },
        },
      },
      async () => ({
        signUp: deps.signUp,
        mail: deps.sendsMail,
        provider: deps.providerName === null ? null : { name: deps.providerName },
        setup: !(await operatorExists(db)),
        password: { minLength: minPasswordLength, maxLength: maxPasswordLength },
      }),
    );

    app.get(
      '/idp/session',
      {
        config,
        schema: {
          operationId: 'getSession',
          summary: 'Get the current session',
          tags,
          response: { 200: Current },
        },
      },
      async (request) => {
        const state = await sessions.ofPage(request);
        const user = state ? await findUser(db, state.userId) : undefined;
        if (!state || !user) return { user: null, session: null, scopes: [] };
        const rows = await listOf(db, user.id);
        const row = rows.find(({ id }) => id === state.id);
        if (!row) return { user: null, session: null, scopes: [] };
        return {
          user: await toPerson(db, user),
          session: { ...toSession(sessions, row, state), fresh: sessions.isFresh(state) },
          scopes: [...state.auth.scopes],
        };
      },
    );

    app.post(
      '/idp/sign-out',
      {
        config: { ...config, errors: [415] },
        schema: {
          operationId: 'signOut',
          summary: 'End the session of this browser',
          tags,
          response: { 204: { type: 'null', description: 'Signed out.' } },
        },
      },
      async (request, reply) => {
        const state = await sessions.ofPage(request);
        if (state) await db.write((tx) => endSessions(tx, request.id, state.userId, { id: state.id }));
        return reply.header('set-cookie', sessions.expiredCookie()).code(204).send(null);
      },
    );

    app.get(
      '/idp/sessions',
      {
        config,
        schema: {
          operationId: 'listSessions',
          summary: 'List your sessions',
          tags,
          response: { 200: BrowserSessionList },
        },
      },
      async (request) => {
        const state = await sessions.demand(request);
        const rows = await listOf(db, state.userId);
        const live = rows.filter((row) => sessions.idleUntil(toIdle(row)) > clock.now());
        return { items: live.map((row) => toSession(sessions, row, state)), total: live.length };
      },
    );

    app.delete(
      '/idp/sessions/:sessionId',
      {
        config,
        schema: {
          operationId: 'endSession',
          summary: 'End a session',
          tags,
          params: SessionPath,
          response: { 204: { type: 'null', description: 'Signed out.' } },
        },
      },
      async (request, reply) => {
        const { userId } = await sessions.demand(request);
        const which = { id: request.params.sessionId };
        const ended = await db.write((tx) => endSessions(tx, request.id, userId, which));
        if (ended === 0)
          throw new PeopleProblem('not_found', 'NOT_FOUND', 'You have no session with this id.');
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/idp/sessions/end-others',
      {
        config,
        schema: {
          operationId: 'endOtherSessions',
          summary: 'End all other sessions',
          description:
            'Ends all other sessions, revokes access of OAuth apps, and invalidates pending codes and links. This browser gets a new cookie. API keys are kept.',
          tags,
          response: { 200: EndedSessions },
        },
      },
      async (request, reply) => {
        const state = await sessions.demand(request);
        const source = { actorType: 'user', actorId: state.userId, requestId: request.id };
        const options = { source, reason: 'signed out everywhere', exceptSessionId: state.id };
        const { ended, cookie } = await db.write(async (tx) => {
          const { epoch, ended } = await endEverything(tx, state.userId, options);
          return { ended, cookie: await sessions.renew(tx, request, state, epoch) };
        });
        reply.header('set-cookie', cookie);
        return { ended };
      },
    );
  };
}

function toIdle({ id, last_used_at, expires_at }: SessionRow) {
  return { id, lastUsedAt: last_used_at, expiresAt: expires_at };
}

function toSession(sessions: Sessions, row: SessionRow, current: SessionState) {
  return {
    id: row.id,
    current: row.id === current.id,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: isoTime(row.created_at),
    lastUsedAt: isoTime(row.last_used_at),
    expiresAt: isoTime(sessions.idleUntil(toIdle(row))),
  };
}
