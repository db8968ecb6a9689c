import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { findUser } from '#accounts/users/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import { operatorWrites, operatorTags as tags } from '#http/operators.ts';
import { createResetLink } from '../accounts/verifications.ts';
import { ResetLink, UserPath } from './schema.ts';

/** Operators hand over a link for a new password, where no letters are sent or none arrives. */
export function resetLinkRoutes(deps: {
  db: Db;
  vault: Vault;
  clock: Clock;
  baseUrl: string;
  lifetimeSeconds: number;
}): FastifyPluginAsyncTypebox {
  const { db, clock } = deps;

  return async (app) => {
    app.post(
      '/admin/users/:userId/password-reset',
      {
        config: operatorWrites,
        schema: {
          operationId: 'createPasswordResetLink',
          summary: 'A link with which this user chooses a new password, to hand over by a safe way',
          tags,
          params: UserPath,
          response: { 200: ResetLink },
        },
      },
      async (request) => {
        const { url, expiresAt } = await db.write(async (tx) => {
          const user = await findUser(tx, request.params.userId);
          if (!user) throw new Problem('not_found', 'There is no user with this id.');
          return createResetLink(tx, { ...deps, now: clock.now() }, requestSource(request), user);
        });
        return { url, expiresAt: isoTime(expiresAt) };
      },
    );
  };
}
