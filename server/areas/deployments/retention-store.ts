import { sql } from 'kysely';
import type { Db } from '#core/db.ts';
import { servedIds } from './live-store.ts';

/** Environments that have more deployments than that. */
export async function environmentsWithMore(db: Db, than: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deployments')
    .select('environment_id')
    .groupBy('environment_id')
    .having(sql<number>`count(*)`, '>', than)
    .execute();
  return rows.map((row) => row.environment_id);
}

/** Ended deployments of the environment that are not live: past the last ones, and from before that moment. */
export function olderThan(
  db: Db,
  environmentId: string,
  { kept, before, batch }: { kept: number; before: number; batch: number },
): Promise<{ id: string; organizationId: string }[]> {
  return db
    .selectFrom('deployments')
    .innerJoin('applications', 'applications.id', 'deployments.application_id')
    .select(['deployments.id as id', 'applications.organization_id as organizationId'])
    .where('deployments.environment_id', '=', environmentId)
    .where('deployments.status', 'in', ['ACTIVE', 'FAILED'])
    .where('deployments.created_at', '<', before)
    .where('deployments.id', 'not in', (part) =>
      part
        .selectFrom('deployments as last')
        .select('last.id')
        .where('last.environment_id', '=', environmentId)
        .orderBy('last.id', 'desc')
        .limit(kept),
    )
    .where('deployments.id', 'not in', servedIds(db))
    .orderBy('deployments.id')
    .limit(batch)
    .execute();
}
