import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Powers, scopesOfRole } from '#accounts/api-keys/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { CursorQuery, readPage, toPage } from '#http/paging.ts';
import { OrganizationPath } from '#http/schema.ts';
import { ChangeMember, Member, MemberList, MemberPath } from './schema.ts';
import { changeRole, membersQueue, takeOut } from './service.ts';
import { countMembers, listMembers, type MemberRow } from './store.ts';

const tags = ['Members'];
const owners = {
  scope: 'platform:organizations:write',
  actors: ['user', 'organization'],
  role: 'OWNER',
} as const;

export function memberRoutes(deps: { db: Db; tenancy: Tenancy; powers: Powers }): FastifyPluginAsyncTypebox {
  const { db, tenancy, powers } = deps;

  return async (app) => {
    app.get(
      '/organizations/:organizationId/members',
      {
        config: { scope: 'platform:organizations:read', actors: ['user', 'organization'], role: 'MEMBER' },
        schema: {
          operationId: 'listOrganizationMembers',
          summary: 'The members, by the time at which they joined',
          tags,
          params: OrganizationPath,
          querystring: CursorQuery,
          response: { 200: MemberList },
        },
      },
      async ({ organizationId, query }) => {
        const { limit, after } = readPage(query);
        const page = { limit: limit === undefined ? undefined : limit + 1, after };
        const [rows, total] = await Promise.all([
          listMembers(db, organizationId, page),
          countMembers(db, organizationId),
        ]);
        return toPage(rows, { limit, total, sortKey: (row) => row.membership_id, item: toMember });
      },
    );

    app.patch(
      '/organizations/:organizationId/members/:membershipId',
      {
        config: owners,
        schema: {
          operationId: 'updateOrganizationMember',
          summary: 'Change the role of a member; the last owner stays one',
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
          (tx) => changeRole(tx, db, requestSource(request), organizationId, change),
          membersQueue(organizationId),
        );
        return toMember(member);
      },
    );

    app.delete(
      '/organizations/:organizationId/members/:membershipId',
      {
        // Anybody may leave; taking out others is for owners.
        config: { ...owners, role: 'MEMBER' },
        schema: {
          operationId: 'removeOrganizationMember',
          summary: 'Take a member out, or leave; the last owner stays',
          tags,
          params: MemberPath,
          response: { 204: { type: 'null', description: 'Not a member any more.' } },
        },
      },
      async (request, reply) => {
        const { auth, organizationId, params } = request;
        const isOwner = (await tenancy.roleIn(auth, organizationId)) === 'OWNER';
        const may = (member: MemberRow) =>
          isOwner || (auth.actor.type === 'user' && member.user_id === auth.actor.id);
        await db.write(
          (tx) =>
            takeOut(tx, db, requestSource(request), organizationId, {
              membershipId: params.membershipId,
              may,
            }),
          membersQueue(organizationId),
        );
        return reply.code(204).send(null);
      },
    );
  };
}

function toMember(row: MemberRow) {
  return {
    membershipId: row.membership_id,
    organizationId: row.organization_id,
    userId: row.user_id,
    email: row.email,
    givenName: row.given_name,
    familyName: row.family_name,
    imageUrl: row.image_url,
    role: row.role,
    joinedAt: isoTime(row.joined_at),
  };
}
