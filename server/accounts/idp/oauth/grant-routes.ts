import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import { KeepKeysQuery, MadeKeyList, type MadeKeys } from '#accounts/api-keys/service.ts';
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
  madeKeys: MadeKeys;
}): FastifyPluginAsyncTypebox {
  const { db, clock, sessions, clients, madeKeys, log } = deps;

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    app.get(
      '/idp/grants',
      {
        config,
        schema: {
          operationId: 'listGrants',
          summary: 'List the OAuth apps with access to your account',
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

    app.get(
      '/idp/grants/:grantId/api-keys',
      {
        config,
        schema: {
          operationId: 'listGrantApiKeys',
          summary: 'List the API keys that an OAuth app created for you',
          tags,
          params: GrantPath,
          response: { 200: MadeKeyList },
        },
      },
      async (request) => {
        const { userId } = await sessions.demand(request);
        const { grantId } = request.params;
        const rows = await listOf(db, userId, clock.now());
        if (!rows.some(({ id }) => id === grantId)) throw unknownGrant();
        return madeKeys.list({ grantId });
      },
    );

    app.delete(
      '/idp/grants/:grantId',
      {
        config,
        schema: {
          operationId: 'revokeGrant',
          summary: "Revoke an OAuth app's access to your account",
          description:
            'Its tokens stop working within a second, and so do the API keys that it created, unless they are kept.',
          tags,
          params: GrantPath,
          querystring: KeepKeysQuery,
          response: { 204: { type: 'null', description: 'Revoked.' } },
        },
      },
      async (request, reply) => {
        const { userId } = await sessions.demand(request);
        const source = { actorType: 'user', actorId: userId, requestId: request.id };
        const which = { id: request.params.grantId, userId };
        const revoked = await db.write(async (tx) => {
          const count = await revokeGrants(tx, which, { source, reason: 'revoked by the person' });
          if (count > 0 && !request.query.keepApiKeys)
            await madeKeys.end(tx, { source, now: clock.now() }, { grantId: which.id });
          return count;
        });
        if (revoked === 0) throw unknownGrant();
        return reply.code(204).send(null);
      },
    );
  };
}

function unknownGrant(): PeopleProblem {
  return new PeopleProblem('not_found', 'NOT_FOUND', 'You have no authorized app with this id.');
}
