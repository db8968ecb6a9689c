import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Db } from '#core/db.ts';
import { operatorReads, operatorTags } from '#http/operators.ts';
import { OrganizationPath } from '#http/schema.ts';
import { auditPage } from './page.ts';
import { AdminAuditQuery, AuditList, AuditQuery } from './schema.ts';

export function auditLogRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:organizationId/audit-log',
      {
        config: { scope: 'platform:organizations:read', actors: ['user', 'organization'], role: 'ADMIN' },
        schema: {
          operationId: 'listAuditLog',
          summary: 'What was changed, by whom, newest first',
          tags: ['Audit log'],
          params: OrganizationPath,
          querystring: AuditQuery,
          response: { 200: AuditList },
        },
      },
      async ({ organizationId, query }) => auditPage(db, { organizationId }, query),
    );

    app.get(
      '/admin/audit-log',
      {
        config: operatorReads,
        schema: {
          operationId: 'listWholeAuditLog',
          summary: 'What was changed on the whole instance, by whom, newest first',
          tags: operatorTags,
          querystring: AdminAuditQuery,
          response: { 200: AuditList },
        },
      },
      async ({ query }) => {
        const { organizationId } = query;
        return auditPage(db, organizationId === undefined ? 'everything' : { organizationId }, query);
      },
    );
  };
}
