import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { record, requestSource } from '#areas/audit-log/service.ts';
import type { Accounts } from '#areas/idp/accounts/accounts.ts';
import { findUser } from '#areas/users/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { operatorWrites, operatorTags as tags } from '#http/operators.ts';
import { ResetLink, UserPath } from './schema.ts';

/** Operators hand over a link for a new password, where no letters are sent or none arrives. */
export function resetLinkRoutes(deps: {
  db: Db;
  clock: Clock;
  accounts: Accounts;
}): FastifyPluginAsyncTypebox {
  const { db, clock, accounts } = deps;

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
        const user = await findUser(db, request.params.userId);
        if (!user) throw new Problem('not_found', 'There is no user with this id.');
        // First the record, then the link: none is handed out that nobody can look up.
        await db.write((tx) =>
          record(tx, requestSource(request), {
            organizationId: null,
            action: 'password.reset_link_created',
            targetType: 'user',
            targetId: user.id,
            details: { email: user.email },
          }),
        );
        const { url, expiresAt } = await accounts.resetLink(user.id, clock.now());
        return { url, expiresAt: isoTime(expiresAt) };
      },
    );
  };
}
