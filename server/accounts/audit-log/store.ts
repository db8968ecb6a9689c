import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';
import type { Page } from '#http/paging.ts';
import { nameNow } from './actions.ts';

interface AuditLogTable {
  id: string;
  organization_id: string | null;
  actor_type: string;
  actor_id: string | null;
  action: string;
  target_type: string;
  target_id: string | null;
  request_id: string | null;
  /** JSON. Never holds a secret. */
  details: string;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    audit_log: AuditLogTable;
  }
}

export type AuditRow = AuditLogTable;

export async function insert(tx: Tx, row: AuditRow): Promise<void> {
  await tx.insertInto('audit_log').values(row).execute();
}

export interface Filters {
  actorId: string | undefined;
  action: string | undefined;
  targetType: string | undefined;
  targetId: string | undefined;
  /** Milliseconds, inclusive. */
  from: number | undefined;
  /** Milliseconds, exclusive. */
  to: number | undefined;
}

/** Which records: of one organization, of one person's account outside any, or all of them. */
export type AuditScope = { organizationId: string } | { accountOf: string } | 'everything';

function within(db: Db, scope: AuditScope) {
  const query = db.selectFrom('audit_log');
  if (scope === 'everything') return query;
  if ('organizationId' in scope) return query.where('organization_id', '=', scope.organizationId);
  const { accountOf } = scope;
  return query
    .where('organization_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('actor_type', '=', 'user'), eb('actor_id', '=', accountOf)]),
        eb.and([eb('target_type', '=', 'user'), eb('target_id', '=', accountOf)]),
      ]),
    );
}

function filtered(db: Db, scope: AuditScope, filters: Filters) {
  const { actorId, action, targetType, targetId, from, to } = filters;
  let query = within(db, scope);
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
  if (action?.endsWith('*')) {
    const beginning = action.slice(0, -1);
    query = query.where(sql<string>`substr(action, 1, ${sql.lit(beginning.length)})`, '=', beginning);
  } else if (action !== undefined) query = query.where('action', '=', action);
  if (targetType !== undefined) query = query.where('target_type', '=', targetType);
  if (targetId !== undefined) query = query.where('target_id', '=', targetId);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return query;
}

/** Newest first. */
export async function list(db: Db, scope: AuditScope, filters: Filters, page: Page): Promise<AuditRow[]> {
  let query = filtered(db, scope, filters).selectAll().orderBy('id', 'desc');
  if (page.limit !== undefined) query = query.limit(page.limit);
  if (page.after !== undefined) query = query.where('id', '<', page.after);
  return query.execute();
}

export async function count(db: Db, scope: AuditScope, filters: Filters): Promise<number> {
  const query = filtered(db, scope, filters).select((eb) => eb.fn.countAll<number>().as('n'));
  return Number((await query.executeTakeFirstOrThrow()).n);
}

/** Older records are not looked through for what there is to choose from. */
const facetRecords = 10_000;
/** An organization has as many actors as it has keys; nobody chooses from more than this. */
const maxActors = 200;

/** What the latest records can be filtered by. */
export async function facets(db: Db, scope: AuditScope) {
  const latest = within(db, scope)
    .select(['action', 'target_type', 'actor_type', 'actor_id'])
    .orderBy('id', 'desc')
    .limit(facetRecords)
    .as('latest');
  const [actions, targetTypes, actors] = await Promise.all([
    db.selectFrom(latest).select('action').distinct().orderBy('action').execute(),
    db.selectFrom(latest).select('target_type').distinct().orderBy('target_type').execute(),
    db
      .selectFrom(latest)
      .select(['actor_type as type', 'actor_id as id'])
      .where('actor_id', 'is not', null)
      .distinct()
      .limit(maxActors)
      .execute(),
  ]);
  const ids = actors.map(({ id }) => id as string);
  const names = new Map<string, string>();
  if (ids.length > 0) {
    const found = await Promise.all([
      db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute(),
      db.selectFrom('organizations').select(['id', 'name']).where('id', 'in', ids).execute(),
      db.selectFrom('applications').select(['id', 'name']).where('id', 'in', ids).execute(),
    ]);
    for (const { id, name } of found.flat()) names.set(id, name);
  }
  return {
    actions: [...new Set(actions.map(({ action }) => nameNow(action)))].sort(),
    targetTypes: targetTypes.map((row) => row.target_type),
    actors: actors.map(({ type, id }) => ({
      type,
      id: id as string,
      name: names.get(id as string) ?? null,
    })),
  };
}
