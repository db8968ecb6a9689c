import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { problemSender } from '#http/errors.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Clients } from './clients.ts';
import { listOf } from './grant-store.ts';
import { revokeGrants } from './grants.ts';
import { toGrant } from './render.ts';
import { GrantList, GrantPath } from './schema.ts';

const tags = ['Security of an account'];
const config = { public: true, session: true } as const;

/** Which programs a person lets act for them, and the end of it. */
export function grantRoutes(deps: {
  db: Db;
  clock: Clock;
  log: Logger;
  sessions: Sessions;
  clients: Clients;
}): FastifyPluginAsyncTypebox {
  const { db, clock, sessions, clients, log } = deps;

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    app.get(
      '/idp/grants',
      {
        config,
        schema: {
          operationId: 'listGrants',
          summary: 'The programs that may act for you, the newest first',
          tags,
          response: { 200: GrantList },
        },
      },
      async (request) => {
        const { userId } = await sessions.demand(request);
        const rows = await listOf(db, userId, clock.now());
        const items = await Promise.all(rows.map(async (row) => toGrant(row, await clients(row.client_id))));
        return { items, total: items.length };
      },
    );

    app.delete(
      '/idp/grants/:grantId',
      {
        config,
        schema: {
          operationId: 'revokeGrant',
          summary: 'Sign a program out: its tokens end within a second',
          tags,
          params: GrantPath,
          response: { 204: { type: 'null', description: 'Revoked.' } },
        },
      },
      async (request, reply) => {
        const { userId } = await sessions.demand(request);
        const source = { actorType: 'user', actorId: userId, requestId: request.id };
        const which = { id: request.params.grantId, userId };
        const revoked = await db.write((tx) =>
          revokeGrants(tx, which, { source, reason: 'revoked by the person' }),
        );
        if (revoked === 0)
          throw new PeopleProblem('not_found', 'NOT_FOUND', 'You have allowed nothing with this id.');
        return reply.code(204).send(null);
      },
    );
  };
}
