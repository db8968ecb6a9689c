import { sql } from 'kysely';
import { countRows, type Db, type Tx } from '#core/db.ts';

interface EnvVarTable {
  id: string;
  organization_id: string;
  /** Empty: of the organization. */
  application_id: string;
  /** Empty: of every environment. */
  environment_id: string;
  key: string;
  /** Sealed. */
  value: Uint8Array;
  sensitive: number;
  /** Counts its changes, from 1. */
  version: number;
  created_at: number;
  updated_at: number;
}

interface EnvVarVersionTable {
  env_var_id: string;
  version: number;
  key: string;
  /** Sealed. */
  value: Uint8Array;
  sensitive: number;
  actor_type: string;
  actor_id: string | null;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    env_vars: EnvVarTable;
    env_var_versions: EnvVarVersionTable;
  }
}

export type EnvVarRow = EnvVarTable;
export type VersionRow = EnvVarVersionTable;

function ofOrganization(db: Db | Tx, organizationId: string) {
  return db
    .selectFrom('env_vars')
    .where('organization_id', '=', organizationId)
    .where('application_id', '=', '')
    .where('environment_id', '=', '');
}

/** By key, after the one of that key. */
export function list(
  db: Db | Tx,
  organizationId: string,
  page: { limit: number | undefined; after: string | undefined } = { limit: undefined, after: undefined },
): Promise<EnvVarRow[]> {
  const { limit, after } = page;
  return ofOrganization(db, organizationId)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('key', '>', after as string))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('key')
    .execute();
}

export async function count(db: Db | Tx, organizationId: string): Promise<number> {
  return countRows(ofOrganization(db, organizationId));
}

/** How many variables there are, and how many bytes their sealed values take. */
export async function usage(tx: Tx, organizationId: string): Promise<{ variables: number; bytes: number }> {
  const row = await ofOrganization(tx, organizationId)
    .select([sql<number>`count(*)`.as('variables'), sql<number>`coalesce(sum(length(value)), 0)`.as('bytes')])
    .executeTakeFirstOrThrow();
  return { variables: Number(row.variables), bytes: Number(row.bytes) };
}

export function find(db: Db | Tx, organizationId: string, id: string): Promise<EnvVarRow | undefined> {
  return ofOrganization(db, organizationId).selectAll().where('id', '=', id).executeTakeFirst();
}

export function findByKey(db: Db | Tx, organizationId: string, key: string): Promise<EnvVarRow | undefined> {
  return ofOrganization(db, organizationId).selectAll().where('key', '=', key).executeTakeFirst();
}

export async function insert(tx: Tx, row: EnvVarRow): Promise<void> {
  await tx.insertInto('env_vars').values(row).execute();
}

export async function update(tx: Tx, row: EnvVarRow): Promise<void> {
  const { key, value, sensitive, version, updated_at } = row;
  await tx
    .updateTable('env_vars')
    .set({ key, value, sensitive, version, updated_at })
    .where('id', '=', row.id)
    .execute();
}

/** With its versions, by reference. */
export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('env_vars').where('id', '=', id).execute();
}

/** Keeps the newest `keep` versions. */
export async function insertVersion(tx: Tx, row: VersionRow, keep: number): Promise<void> {
  await tx.insertInto('env_var_versions').values(row).execute();
  await tx
    .deleteFrom('env_var_versions')
    .where('env_var_id', '=', row.env_var_id)
    .where('version', '<=', row.version - keep)
    .execute();
}

/** Newest first. */
export function listVersions(db: Db, envVarId: string): Promise<VersionRow[]> {
  return db
    .selectFrom('env_var_versions')
    .selectAll()
    .where('env_var_id', '=', envVarId)
    .orderBy('version', 'desc')
    .execute();
}

export function findVersion(tx: Tx, envVarId: string, version: number): Promise<VersionRow | undefined> {
  return tx
    .selectFrom('env_var_versions')
    .selectAll()
    .where('env_var_id', '=', envVarId)
    .where('version', '=', version)
    .executeTakeFirst();
}
