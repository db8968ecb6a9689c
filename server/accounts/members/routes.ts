import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  KeepKeysQuery,
  MadeKeyList,
  type MadeKeys,
  type Powers,
  scopesOfRole,
} from '#accounts/api-keys/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { CursorQuery, listPage } from '#http/paging.ts';
import { OrganizationPath } from '#http/schema.ts';
import { ChangeMember, Member, MemberList, MemberPath } from './schema.ts';
import { changeRole, memberOf, membersQueue, takeOut } from './service.ts';
import { countMembers, listMembers, type MemberRow } from './store.ts';

const tags = ['Members'];
const owners = {
  scope: 'platform:organizations:write',
  actors: ['user', 'organization'],
  role: 'OWNER',
} as const;

export function memberRoutes(deps: {
  db: Db;
  clock: Clock;
  tenancy: Tenancy;
  powers: Powers;
  madeKeys: MadeKeys;
}): FastifyPluginAsyncTypebox {
  const { db, clock, tenancy, powers, madeKeys } = deps;

  return async (app) => {
    app.get(
      '/organizations/:organizationId/members',
      {
        config: { scope: 'platform:organizations:read', actors: ['user', 'organization'], role: 'MEMBER' },
        schema: {
          operationId: 'listOrganizationMembers',
          summary: 'List members',
          tags,
          params: OrganizationPath,
          querystring: CursorQuery,
          response: { 200: MemberList },
        },
      },
      async ({ organizationId, query }) => {
        return listPage(query, {
          rows: (page) => listMembers(db, organizationId, page),
          count: () => countMembers(db, organizationId),
          sortKey: (row) => row.membership_id,
          item: toMember,
        });
      },
    );

    app.patch(
      '/organizations/:organizationId/members/:membershipId',
      {
        config: { ...owners, errors: [409] },
        schema: {
          operationId: 'updateOrganizationMember',
          summary: 'Change the role of a member',
          description: 'The last owner cannot be changed.',
          tags,
          params: MemberPath,
          body: ChangeMember,
          response: { 200: Member },
        },
      },
      async (request) => {
        const { auth, organizationId, params, body } = request;
        await powers.demand(auth, {
          heldBy: 'person',
          scopes: scopesOfRole(body.role),
          expiresAt: body.role === 'OWNER' ? null : 0,
          addresses: [],
        });
        const change = { membershipId: params.membershipId, role: body.role };
        const member = await db.write(
          (tx) => changeRole(tx, requestSource(request), organizationId, change),
          membersQueue(organizationId),
        );
        return toMember(member);
      },
    );

    app.get(
      '/organizations/:organizationId/members/:membershipId/api-keys',
      {
        config: { scope: 'platform:api_keys:read', actors: ['user', 'organization'], role: 'OWNER' },
        schema: {
          operationId: 'listOrganizationMemberApiKeys',
          summary: 'List the API keys that a member created for the organization and its applications',
          tags,
          params: MemberPath,
          response: { 200: MadeKeyList },
        },
      },
      async ({ organizationId, params }) => {
        const { user_id: userId } = await memberOf(db, organizationId, params.membershipId);
        return madeKeys.list({ userId, organizationId });
      },
    );

    app.delete(
      '/organizations/:organizationId/members/:membershipId',
      {
        // Anybody may leave; taking out others is for owners.
        config: { errors: [409], ...owners, role: 'MEMBER' },
        schema: {
          operationId: 'removeOrganizationMember',
          summary: 'Remove a member, or leave',
          description:
            'API keys that the member created for the organization are revoked too, unless an owner keeps them.',
          tags,
          params: MemberPath,
          querystring: KeepKeysQuery,
          response: { 204: { type: 'null', description: 'The membership was removed.' } },
        },
      },
      async (request, reply) => {
        const { auth, organizationId, params, query } = request;
        const isOwner = (await tenancy.roleIn(auth, organizationId)) === 'OWNER';
        const keepKeys = query.keepApiKeys ?? false;
        if (keepKeys && !isOwner)
          throw new Problem('forbidden', 'Only owners can keep the API keys of a removed member.');
        const may = (member: MemberRow) =>
          isOwner || (auth.actor.type === 'user' && member.user_id === auth.actor.id);
        await db.write(
          (tx) =>
            takeOut(tx, requestSource(request), organizationId, {
              membershipId: params.membershipId,
              may,
              endKeys: keepKeys ? null : madeKeys,
              now: clock.now(),
            }),
          membersQueue(organizationId),
        );
        return reply.code(204).send(null);
      },
    );
  };
}

/** Who never said more signed up under one name. That of a bootstrapped account is the mailbox's: no name at all. */
function signUpName({ name, family_name, email }: MemberRow): string | null {
  const isName = name !== '' && name !== email && name !== email.split('@')[0];
  return family_name === null && isName ? name : null;
}

function toMember(row: MemberRow) {
  return {
    membershipId: row.membership_id,
    organizationId: row.organization_id,
    userId: row.user_id,
    email: row.email,
    givenName: row.given_name ?? signUpName(row),
    familyName: row.family_name,
    imageUrl: row.image_url,
    role: row.role,
    joinedAt: isoTime(row.joined_at),
  };
}
