import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { readPage, toPage } from '#http/paging.ts';
import { ListOf, OrganizationPath } from '#http/schema.ts';
import { AuditQuery, AuditRecord } from './schema.ts';
import { type AuditRow, count, list } from './store.ts';

/** The audit log always pages: it only grows. */
const defaultLimit = 10;

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
          response: { 200: ListOf(AuditRecord) },
        },
      },
      async ({ organizationId, query }) => {
        const { limit = defaultLimit, after } = readPage(query);
        const { actorId, action, targetType, targetId } = query;
        const from = query.from === undefined ? undefined : Date.parse(query.from);
        const to = query.to === undefined ? undefined : Date.parse(query.to);
        const filters = { actorId, action, targetType, targetId, from, to };
        const [rows, total] = await Promise.all([
          list(db, organizationId, filters, { limit: limit + 1, after }),
          count(db, organizationId, filters),
        ]);
        return toPage(rows, { limit, total, sortKey: (row) => row.id, item: toRecord });
      },
    );
  };
}

function toRecord(row: AuditRow) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    actor: { type: row.actor_type, id: row.actor_id },
    action: row.action,
    target: { type: row.target_type, id: row.target_id },
    requestId: row.request_id,
    details: JSON.parse(row.details) as Record<string, unknown>,
    createdAt: isoTime(row.created_at),
  };
}
