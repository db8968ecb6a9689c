import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Db } from '#core/db.ts';
import { operatorReads, operatorTags } from '#http/operators.ts';
import { OrganizationPath } from '#http/schema.ts';
import { auditPage } from './page.ts';
import { AdminAuditQuery, AuditFacets, AuditList, AuditQuery } from './schema.ts';
import { facets } from './store.ts';

export function auditLogRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:organizationId/audit-log',
      {
        config: { scope: 'platform:organizations:read', actors: ['user', 'organization'], role: 'ADMIN' },
        schema: {
          operationId: 'listAuditLog',
          summary: 'List the audit log of an organization',
          tags: ['Audit log'],
          params: OrganizationPath,
          querystring: AuditQuery,
          response: { 200: AuditList },
        },
      },
      async ({ organizationId, query }) => auditPage(db, { organizationId }, query),
    );

    app.get(
      '/organizations/:organizationId/audit-log/facets',
      {
        config: { scope: 'platform:organizations:read', actors: ['user', 'organization'], role: 'ADMIN' },
        schema: {
          operationId: 'getAuditLogFacets',
          summary: 'List the actions and actors that an audit log can be filtered by',
          tags: ['Audit log'],
          params: OrganizationPath,
          response: { 200: AuditFacets },
        },
      },
      async ({ organizationId }) => facets(db, { organizationId }),
    );

    app.get(
      '/admin/audit-log/facets',
      {
        config: operatorReads,
        schema: {
          operationId: 'getInstanceAuditLogFacets',
          summary: 'List the actions and actors that the audit log of the instance can be filtered by',
          tags: operatorTags,
          response: { 200: AuditFacets },
        },
      },
      async () => facets(db, 'everything'),
    );

    app.get(
      '/admin/audit-log',
      {
        config: operatorReads,
        schema: {
          operationId: 'listWholeAuditLog',
          summary: 'List the audit log of the instance',
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
