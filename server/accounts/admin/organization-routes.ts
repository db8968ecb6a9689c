import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { findOrganization, organizationImage, setSuspended } from '#accounts/organizations/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { operatorReads, operatorWrites, operatorTags as tags } from '#http/operators.ts';
import { listPage } from '#http/paging.ts';
import {
  AdminOrganization,
  AdminOrganizationList,
  AdminOrganizationPath,
  ChangeOrganization,
  ListOrganizationsQuery,
} from './schema.ts';
import { type AdminOrganizationRow, countMembers, countOrganizations, listOrganizations } from './store.ts';

const defaultLimit = 25;

export function adminOrganizationRoutes(deps: {
  db: Db;
  clock: Clock;
  baseUrl: string;
}): FastifyPluginAsyncTypebox {
  const { db, clock, baseUrl } = deps;

  return async (app) => {
    app.get(
      '/admin/organizations',
      {
        config: operatorReads,
        schema: {
          operationId: 'listAllOrganizations',
          summary: 'List all organizations of the instance',
          tags,
          querystring: ListOrganizationsQuery,
          response: { 200: AdminOrganizationList },
        },
      },
      async ({ query }) => {
        return listPage(query, {
          rows: (page) => listOrganizations(db, query.search, page),
          count: () => countOrganizations(db, query.search),
          sortKey: (row) => row.id,
          item: (row) => toOrganization(row, baseUrl),
          defaultLimit,
        });
      },
    );

    app.patch(
      '/admin/organizations/:adminOrganizationId',
      {
        config: operatorWrites,
        schema: {
          operationId: 'updateAnyOrganization',
          summary: 'Suspend an organization, or lift its suspension',
          tags,
          params: AdminOrganizationPath,
          body: ChangeOrganization,
          response: { 200: AdminOrganization },
        },
      },
      async (request) => {
        const { suspended } = request.body;
        const row = await db.write(async (tx) => {
          const before = await findOrganization(tx, request.params.adminOrganizationId);
          if (!before) throw new Problem('not_found', 'There is no organization with this id.');
          const after = await setSuspended(tx, requestSource(request), before, {
            suspended,
            now: clock.now(),
          });
          return { ...after, members: await countMembers(tx, after.id) };
        });
        return toOrganization(row, baseUrl);
      },
    );
  };
}

function toOrganization(row: AdminOrganizationRow, baseUrl: string) {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    imageUrl: organizationImage(row, baseUrl),
    members: Number(row.members),
    suspended: row.suspended_at !== null,
    deletedAt: row.deleted_at === null ? null : isoTime(row.deleted_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
