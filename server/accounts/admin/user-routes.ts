import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Powers } from '#accounts/api-keys/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { scopesFor } from '#core/scopes.ts';
import { operatorReads, operatorWrites, operatorTags as tags } from '#http/operators.ts';
import { listPage } from '#http/paging.ts';
import { AdminUser, AdminUserList, ChangeUser, ListUsersQuery, UserPath } from './schema.ts';
import { changeUser } from './service.ts';
import { type AdminUserRow, countUsers, listUsers } from './store.ts';

/** Users of the instance: these lists only grow, so they always page. */
const defaultLimit = 25;

export function adminUserRoutes(deps: { db: Db; clock: Clock; powers: Powers }): FastifyPluginAsyncTypebox {
  const { db, clock, powers } = deps;

  return async (app) => {
    app.get(
      '/admin/users',
      {
        config: operatorReads,
        schema: {
          operationId: 'listUsers',
          summary: 'List users',
          tags,
          querystring: ListUsersQuery,
          response: { 200: AdminUserList },
        },
      },
      async ({ query }) => {
        const filter = { search: query.search, waitlist: query.waitlist };
        return listPage(query, {
          rows: (page) => listUsers(db, filter, page),
          count: () => countUsers(db, filter),
          sortKey: (row) => row.id,
          item: toUser,
          defaultLimit,
        });
      },
    );

    app.patch(
      '/admin/users/:userId',
      {
        config: { ...operatorWrites, errors: [409] },
        schema: {
          operationId: 'updateUser',
          summary: 'Update a user',
          tags,
          params: UserPath,
          body: ChangeUser,
          response: { 200: AdminUser },
        },
      },
      async (request) => {
        const { auth, params, body } = request;
        if (body.operator) {
          const scopes = scopesFor('user', { operator: true });
          await powers.demand(auth, { heldBy: 'person', scopes, expiresAt: null, addresses: [] });
        }
        const row = await db.write(
          (tx) => changeUser(tx, requestSource(request), params.userId, { ...body, now: clock.now() }),
          { queue: 'operators' },
        );
        return toUser(row);
      },
    );
  };
}

function toUser(row: AdminUserRow) {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    operator: row.is_operator === 1,
    admitted: row.admitted_at !== null || row.is_operator === 1,
    suspended: row.suspended_at !== null,
    hasPaymentMethod: row.has_payment_method === 1,
    organizations: Number(row.organizations),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
