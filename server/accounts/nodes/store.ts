import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';

declare module '#core/db.ts' {
  interface Tables {
    /** The processes that were running a moment ago. */
    nodes: {
      name: string;
      /** By the database's clock. */
      seen_at: number;
      /** How far the node's clock is ahead of the database's; negative: behind. */
      skew: number;
    };
  }
}

/** The time by the database's clock. Only of PostgreSQL. */
export async function databaseNow(db: Db): Promise<number> {
  const query = sql<{
    now: number;
  }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
  const { rows } = await query.execute(db);
  return rows[0]?.now ?? 0;
}

export async function putNode(tx: Tx, node: { name: string; seen_at: number; skew: number }): Promise<void> {
  const { name, ...rest } = node;
  await tx
    .insertInto('nodes')
    .values({ name, ...rest })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(rest))
    .execute();
}

export async function removeNodes(tx: Tx, notSeenSince: number): Promise<void> {
  await tx.deleteFrom('nodes').where('seen_at', '<', notSeenSince).execute();
}

export async function nodesSeenSince(db: Db, since: number): Promise<{ name: string; skew: number }[]> {
  return db
    .selectFrom('nodes')
    .select(['name', 'skew'])
    .where('seen_at', '>=', since)
    .orderBy('name')
    .execute();
}
