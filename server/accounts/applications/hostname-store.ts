import { countRows, type Db, type Tx } from '#core/db.ts';

export type HostnameType = 'DEPLOYMENT' | 'BRANCH' | 'APP';
export type HostnameSource = 'system' | 'user';

interface HostnameTable {
  id: string;
  /** A label below the domain of applications, which has no dot, or a domain of its owner's, which has one. Unique. */
  name: string;
  application_id: string;
  type: HostnameType;
  source: HostnameSource;
  environment_id: string | null;
  /** The deployment that answers there now. */
  deployment_id: string | null;
  branch_id: string | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: a name of the table, which now leads elsewhere or nowhere. */
    hostname: true;
  }
}
/** Notification of a hostname that leads elsewhere now, or nowhere; the key is its name in the table. */
export const hostnameTopic = 'hostname';

declare module '#core/db.ts' {
  interface Tables {
    hostnames: HostnameTable;
  }
}

export type HostnameRow = HostnameTable;

export function findHostname(db: Db | Tx, name: string): Promise<HostnameRow | undefined> {
  return db.selectFrom('hostnames').selectAll().where('name', '=', name).executeTakeFirst();
}

/** The hostname that every application has from its creation. */
export function appHostname(db: Db | Tx, applicationId: string): Promise<HostnameRow | undefined> {
  return db
    .selectFrom('hostnames')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('type', '=', 'APP')
    .where('source', '=', 'system')
    .executeTakeFirst();
}

export async function insertHostname(tx: Tx, row: HostnameRow): Promise<void> {
  await tx.insertInto('hostnames').values(row).execute();
}

export async function updateHostname(
  tx: Tx,
  id: string,
  changes: Partial<Omit<HostnameRow, 'id' | 'created_at'>>,
): Promise<void> {
  await tx.updateTable('hostnames').set(changes).where('id', '=', id).execute();
}

export async function removeHostname(tx: Tx, name: string, applicationId: string): Promise<void> {
  await tx
    .deleteFrom('hostnames')
    .where('name', '=', name)
    .where('application_id', '=', applicationId)
    .execute();
}

function ofApplication(db: Db | Tx, applicationId: string) {
  return db.selectFrom('hostnames').where('application_id', '=', applicationId);
}

/** The application's own first, then by creation. */
export function listHostnames(
  db: Db | Tx,
  applicationId: string,
  page: { limit: number; after: string | undefined },
): Promise<HostnameRow[]> {
  let query = ofApplication(db, applicationId).selectAll().orderBy('id').limit(page.limit);
  if (page.after !== undefined) query = query.where('id', '>', page.after);
  return query.execute();
}

export function countHostnames(db: Db | Tx, applicationId: string): Promise<number> {
  return countRows(ofApplication(db, applicationId));
}

/** Whether a deployment answers at a hostname of the environment. */
export async function isLive(db: Db | Tx, environmentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('hostnames')
    .select('id')
    .where('environment_id', '=', environmentId)
    .where('deployment_id', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
