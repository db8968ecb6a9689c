import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Powers } from '#accounts/api-keys/service.ts';
import { type AuditSource, audit, requestSource } from '#accounts/audit-log/service.ts';
import { raiseEpoch } from '#accounts/users/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { scopesFor } from '#core/scopes.ts';
import { operatorReads, operatorWrites, operatorTags as tags } from '#http/operators.ts';
import { listPage } from '#http/paging.ts';
import { AdminUser, AdminUserList, ChangeUser, ListUsersQuery, UserPath } from './schema.ts';
import { type AdminUserRow, countOperators, countUsers, findUser, listUsers, updateUser } from './store.ts';

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

interface Changes {
  admitted?: boolean | undefined;
  suspended?: boolean | undefined;
  operator?: boolean | undefined;
  hasPaymentMethod?: boolean | undefined;
  now: number;
}

async function changeUser(tx: Tx, source: AuditSource, id: string, changes: Changes): Promise<AdminUserRow> {
  const before = await findUser(tx, id);
  if (!before) throw new Problem('not_found', 'There is no user with this id.');
  const { admitted, suspended, operator, hasPaymentMethod, now } = changes;
  const losesPower = operator === false || suspended === true;
  if (
    losesPower &&
    before.is_operator === 1 &&
    before.suspended_at === null &&
    (await countOperators(tx)) === 1
  ) {
    throw new Problem('conflict', 'This is the last operator. Make another user an operator first.');
  }
  const since = (wanted: boolean, known: number | null) => (wanted ? (known ?? now) : null);
  await updateUser(tx, id, {
    ...(admitted === undefined ? {} : { admitted_at: since(admitted, before.admitted_at) }),
    ...(suspended === undefined ? {} : { suspended_at: since(suspended, before.suspended_at) }),
    ...(operator === undefined ? {} : { is_operator: operator ? 1 : 0 }),
    ...(hasPaymentMethod === undefined ? {} : { has_payment_method: hasPaymentMethod ? 1 : 0 }),
    updated_at: now,
  });
  // What was begun before stays over when the suspension is lifted.
  if (suspended && before.suspended_at === null) await raiseEpoch(tx, id);
  const details = { email: before.email, admitted, suspended, operator, hasPaymentMethod };
  const target = { organizationId: null, targetType: 'user', targetId: id };
  await audit(tx, source, { ...target, action: 'user.updated', details });
  announce(tx, 'user', id);
  return (await findUser(tx, id)) as AdminUserRow;
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
