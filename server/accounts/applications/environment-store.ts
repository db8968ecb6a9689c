import type { Db, Tx } from '#core/db.ts';

interface EnvironmentTable {
  id: string;
  application_id: string;
  name: string;
  slug: string;
  /** JSON array of names and patterns. */
  branches: string;
  /** 1: it goes back to the version before where a new one crashes again and again. */
  rolls_back_on_crash: number | null;
  /** 1: each function of its live deployment keeps a process running. */
  always_on: number | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    environments: EnvironmentTable;
  }
}

export type EnvironmentRow = EnvironmentTable;

export async function environmentBelongsTo(db: Db | Tx, id: string, applicationId: string): Promise<boolean> {
  return (await findEnvironment(db, applicationId, id)) !== undefined;
}

export function findEnvironment(
  db: Db | Tx,
  applicationId: string,
  id: string,
): Promise<EnvironmentRow | undefined> {
  return db
    .selectFrom('environments')
    .selectAll()
    .where('id', '=', id)
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
}

/** In the order of their creation. */
export function listEnvironments(db: Db | Tx, applicationId: string): Promise<EnvironmentRow[]> {
  return db
    .selectFrom('environments')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('id')
    .execute();
}

export async function insertEnvironment(tx: Tx, row: EnvironmentRow): Promise<void> {
  await tx.insertInto('environments').values(row).execute();
}

export async function updateEnvironment(
  tx: Tx,
  id: string,
  changes: Partial<Omit<EnvironmentRow, 'id' | 'application_id' | 'created_at'>>,
): Promise<void> {
  await tx.updateTable('environments').set(changes).where('id', '=', id).execute();
}

export async function removeEnvironment(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('environments').where('id', '=', id).execute();
}

export function findEnvironmentBySlug(
  db: Db | Tx,
  applicationId: string,
  slug: string,
): Promise<EnvironmentRow | undefined> {
  return db
    .selectFrom('environments')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('slug', '=', slug)
    .executeTakeFirst();
}
