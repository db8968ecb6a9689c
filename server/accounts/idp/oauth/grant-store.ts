import { type ExpressionBuilder, sql } from 'kysely';
import type { Db, Tables, Tx } from '#core/db.ts';

interface GrantTable {
  id: string;
  user_id: string;
  client_id: string;
  /** Separated by spaces. */
  scope: string;
  /** Of the refresh token that is good now; each use makes it one more. */
  generation: number;
  /** Of the user, when they granted this. */
  epoch: number;
  /** When the person proved who they are, before they granted this. */
  authenticated_at: number;
  last_used_at: number;
  expires_at: number;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    oauth_grants: GrantTable;
  }
}

export type GrantRow = GrantTable;

export async function insert(tx: Tx, row: GrantRow): Promise<void> {
  await tx.insertInto('oauth_grants').values(row).execute();
}

export function find(db: Db | Tx, id: string): Promise<GrantRow | undefined> {
  return db.selectFrom('oauth_grants').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findWithUser(db: Db, id: string) {
  return db
    .selectFrom('oauth_grants as g')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .select(['g.user_id', 'g.expires_at', 'u.suspended_at'])
    .where('g.id', '=', id)
    .whereRef('g.epoch', '=', 'u.epoch')
    .executeTakeFirst();
}

/** Newest first. */
export function listOf(db: Db, userId: string, now: number): Promise<GrantRow[]> {
  return db
    .selectFrom('oauth_grants as g')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .selectAll('g')
    .where('g.user_id', '=', userId)
    .where('g.expires_at', '>', now)
    .whereRef('g.epoch', '=', 'u.epoch')
    .orderBy('g.id', 'desc')
    .execute();
}

/**
 * Uses the refresh token of that generation up, if it is the good one. One statement, so that of two who present the same
 * token one finds nothing.
 */
export function advance(
  tx: Tx,
  token: { grantId: string; generation: number; clientId: string },
  times: { now: number; idle: number; lifetime: number },
): Promise<GrantRow | undefined> {
  const { now, idle, lifetime } = times;
  return tx
    .updateTable('oauth_grants')
    .set({
      generation: token.generation + 1,
      last_used_at: now,
      expires_at: sql<number>`case when created_at + ${lifetime} < ${now + idle} then created_at + ${lifetime} else ${now + idle} end`,
    })
    .where('id', '=', token.grantId)
    .where('generation', '=', token.generation)
    .where('client_id', '=', token.clientId)
    .where('expires_at', '>', now)
    .where(isStanding)
    .returningAll()
    .executeTakeFirst();
}

/** The grant whose refresh token of that generation was replaced after `since`, as the last one. */
export function findReplaced(
  tx: Tx,
  token: { grantId: string; generation: number; clientId: string },
  { now, since }: { now: number; since: number },
): Promise<GrantRow | undefined> {
  return tx
    .selectFrom('oauth_grants')
    .selectAll()
    .where('id', '=', token.grantId)
    .where('generation', '=', token.generation + 1)
    .where('client_id', '=', token.clientId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', since)
    .where(isStanding)
    .executeTakeFirst();
}

/** Its person is not suspended, and everything of theirs has not ended since. */
function isStanding(eb: ExpressionBuilder<Tables, 'oauth_grants'>) {
  return eb.exists(
    eb
      .selectFrom('users')
      .select('users.id')
      .whereRef('users.id', '=', 'oauth_grants.user_id')
      .whereRef('users.epoch', '=', 'oauth_grants.epoch')
      .where('users.suspended_at', 'is', null),
  );
}

export interface GrantFilter {
  id?: string;
  userId?: string;
  clientId?: string;
}

/** Returns what was there. */
export function remove(tx: Tx, { id, userId, clientId }: GrantFilter): Promise<GrantRow[]> {
  let query = tx.deleteFrom('oauth_grants');
  if (id !== undefined) query = query.where('id', '=', id);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  return query.returningAll().execute();
}

export async function sweepGrants(db: Db, now: number): Promise<void> {
  await db.write(async (tx) => {
    await tx.deleteFrom('oauth_grants').where('expires_at', '<=', now).execute();
  });
}
