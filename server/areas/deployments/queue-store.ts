import type { Db, Tx } from '#core/db.ts';
import type { Status } from './schema.ts';
import type { DeploymentRow } from './store.ts';

export const unfinished = ['QUEUED', 'STARTING', 'BUILDING', 'PROVISIONING'] as const satisfies Status[];

/** Deployments that a process may take: queued ones, and begun ones whose process has gone. Oldest first. */
export function due(db: Db | Tx, now: number): Promise<Pick<DeploymentRow, 'id' | 'application_id'>[]> {
  return db
    .selectFrom('deployments')
    .select(['id', 'application_id'])
    .where('status', 'in', [...unfinished])
    .where((row) => row.or([row('leased_until', 'is', null), row('leased_until', '<', now)]))
    .orderBy('id')
    .limit(100)
    .execute();
}

/** Whether another deployment of the application is being worked on. */
export async function isBusy(tx: Tx, applicationId: string, exceptId: string, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom('deployments')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '<>', exceptId)
    .where('leased_until', '>', now)
    .where('status', 'in', [...unfinished])
    .executeTakeFirst();
  return row !== undefined;
}

/** Older ones that wait in the queue for the same environment and branch. */
export function waitingBefore(tx: Tx, row: DeploymentRow): Promise<DeploymentRow[]> {
  const query = tx
    .selectFrom('deployments')
    .selectAll()
    .where('application_id', '=', row.application_id)
    .where('environment_id', '=', row.environment_id)
    .where('status', '=', 'QUEUED')
    .where('lease', 'is', null)
    .where('id', '<', row.id);
  return (
    row.branch === null ? query.where('branch', 'is', null) : query.where('branch', '=', row.branch)
  ).execute();
}

export async function renewLease(tx: Tx, id: string, lease: string, until: number): Promise<boolean> {
  const result = await tx
    .updateTable('deployments')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

export function waitingSince(db: Db, before: number): Promise<DeploymentRow[]> {
  return db
    .selectFrom('deployments')
    .selectAll()
    .where('status', '=', 'PENDING')
    .where('created_at', '<', before)
    .limit(100)
    .execute();
}
