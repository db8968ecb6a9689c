import type { Db, Tx } from '#core/db.ts';
import type { ServiceKind } from '#core/service-engine.ts';

interface ServiceTable {
  id: string;
  application_id: string;
  environment_id: string;
  kind: ServiceKind;
  password: Uint8Array;
  orphaned_at: number | null;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    services: ServiceTable;
  }
}

export type ServiceRow = ServiceTable;

export function find(tx: Tx, environmentId: string, kind: ServiceKind): Promise<ServiceRow | undefined> {
  return tx
    .selectFrom('services')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

export async function insert(tx: Tx, row: ServiceRow): Promise<void> {
  await tx.insertInto('services').values(row).execute();
}

export async function remove(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('services').where('id', '=', id).executeTakeFirstOrThrow();
  return Number(numDeletedRows) === 1;
}

export function ofApplication(db: Db, applicationId: string): Promise<ServiceRow[]> {
  return db.selectFrom('services').selectAll().where('application_id', '=', applicationId).execute();
}

/** In order of their ids, those after one. */
export function page(
  db: Db,
  kinds: readonly ServiceKind[],
  after: string,
  limit: number,
): Promise<ServiceRow[]> {
  return db
    .selectFrom('services')
    .selectAll()
    .where('kind', 'in', [...kinds])
    .where('orphaned_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Notes when an environment was first seen to be gone. */
export async function markOrphans(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('services')
    .set({ orphaned_at: now })
    .where('orphaned_at', 'is', null)
    .where('environment_id', 'not in', (part) => part.selectFrom('environments').select('environments.id'))
    .execute();
}

export function orphanedBefore(db: Db, moment: number): Promise<ServiceRow[]> {
  return db.selectFrom('services').selectAll().where('orphaned_at', '<=', moment).limit(100).execute();
}
