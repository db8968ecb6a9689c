import type { Static } from 'typebox';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { listPage } from '#http/paging.ts';
import { nameNow } from './actions.ts';
import type { AuditQuery } from './schema.ts';
import { type AuditRow, type AuditScope, count, list } from './store.ts';

/** The audit log always pages: it only grows. */
const defaultLimit = 10;

/** A page of the records in that scope, newest first. */
export async function auditPage(db: Db, scope: AuditScope, query: Static<typeof AuditQuery>) {
  const { actorId, targetType, targetId } = query;
  const action = query.action === undefined ? undefined : nameNow(query.action);
  const from = query.from === undefined ? undefined : Date.parse(query.from);
  const to = query.to === undefined ? undefined : Date.parse(query.to);
  const filters = { actorId, action, targetType, targetId, from, to };
  return listPage(query, {
    rows: (page) => list(db, scope, filters, page),
    count: () => count(db, scope, filters),
    sortKey: (row) => row.id,
    item: toRecord,
    defaultLimit,
  });
}

function toRecord(row: AuditRow) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    actor: { type: row.actor_type, id: row.actor_id },
    action: nameNow(row.action),
    target: { type: row.target_type, id: row.target_id },
    requestId: row.request_id,
    details: JSON.parse(row.details) as Record<string, unknown>,
    createdAt: isoTime(row.created_at),
  };
}
