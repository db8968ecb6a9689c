import type { Db, Tx } from '#core/db.ts';

interface ApplicationTable {
  id: string;
  organization_id: string;
  name: string;
  slug: string;
  image_url: string | null;
  root_directory: string | null;
  default_environment_slug: string;
  created_at: number;
  updated_at: number;
}

interface EnvironmentTable {
  id: string;
  application_id: string;
  name: string;
  slug: string;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    applications: ApplicationTable;
    environments: EnvironmentTable;
  }
}

export type ApplicationRow = ApplicationTable;

export async function organizationIdOf(db: Db | Tx, applicationId: string): Promise<string | null> {
  const row = await db
    .selectFrom('applications')
    .select('organization_id')
    .where('id', '=', applicationId)
    .executeTakeFirst();
  return row?.organization_id ?? null;
}

export async function nameOf(db: Db | Tx, id: string): Promise<string | null> {
  const row = await db.selectFrom('applications').select('name').where('id', '=', id).executeTakeFirst();
  return row?.name ?? null;
}

export async function environmentBelongsTo(db: Db | Tx, id: string, applicationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('environments')
    .select('id')
    .where('id', '=', id)
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insert(tx: Tx, row: ApplicationRow): Promise<void> {
  await tx.insertInto('applications').values(row).execute();
}

export async function insertEnvironment(tx: Tx, row: EnvironmentTable): Promise<void> {
  await tx.insertInto('environments').values(row).execute();
}

export async function isSlugTaken(tx: Tx, organizationId: string, slug: string): Promise<boolean> {
  const query = tx
    .selectFrom('applications')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug);
  return (await query.executeTakeFirst()) !== undefined;
}

export function byName(
  db: Db | Tx,
  organizationId: string,
  name: string,
): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirst();
}
