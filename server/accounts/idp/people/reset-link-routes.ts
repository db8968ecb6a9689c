import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Powers } from '#accounts/api-keys/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import { findUser } from '#accounts/users/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { scopesFor } from '#core/scopes.ts';
import type { Vault } from '#core/vault.ts';
import { operatorWrites, operatorTags as tags } from '#http/operators.ts';
import { createResetLink } from '../accounts/verifications.ts';
import { ResetLink, UserPath } from './schema.ts';

/** Operators hand over a link for a new password, where no e-mail is sent or none arrives. */
export function resetLinkRoutes(deps: {
  db: Db;
  vault: Vault;
  clock: Clock;
  baseUrl: string;
  lifetimeSeconds: number;
  powers: Powers;
}): FastifyPluginAsyncTypebox {
  const { db, clock, powers } = deps;

  return async (app) => {
    app.post(
      '/admin/users/:userId/password-reset',
      {
        config: operatorWrites,
        schema: {
          operationId: 'createPasswordResetLink',
          summary: 'Create a password-reset link for a user',
          description: 'Send it over a secure channel. It works once and is not shown again.',
          tags,
          params: UserPath,
          response: { 200: ResetLink },
        },
      },
      async (request) => {
        const user = await findUser(db, request.params.userId);
        if (!user) throw new Problem('not_found', 'There is no user with this id.');
        // Whoever has the link becomes that person, and stays it.
        const scopes = scopesFor('user', { operator: user.is_operator === 1 });
        await powers.demand(request.auth, { heldBy: 'person', scopes, expiresAt: null, addresses: [] });
        const { url, expiresAt } = await db.write((tx) =>
          createResetLink(tx, { ...deps, now: clock.now() }, requestSource(request), user),
        );
        return { url, expiresAt: isoTime(expiresAt) };
      },
    );
  };
}
