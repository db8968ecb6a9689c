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

/** What a variable belongs to: empty ids stand for "none". */
export interface Place {
  organizationId: string;
  applicationId: string;
  environmentId: string;
}

function inPlace(db: Db | Tx, { organizationId, applicationId, environmentId }: Place) {
  return db
    .selectFrom('env_vars')
    .where('organization_id', '=', organizationId)
    .where('application_id', '=', applicationId)
    .where('environment_id', '=', environmentId);
}

/** By key, after the one of that key. */
export function list(
  db: Db | Tx,
  place: Place,
  page: { limit: number | undefined; after: string | undefined } = { limit: undefined, after: undefined },
): Promise<EnvVarRow[]> {
  const { limit, after } = page;
  return inPlace(db, place)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('key', '>', after as string))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('key')
    .execute();
}

export async function count(db: Db | Tx, place: Place): Promise<number> {
  return countRows(inPlace(db, place));
}

/** How many variables the organization or the application has, and how many bytes their sealed values take. */
export async function usage(
  tx: Tx,
  { organizationId, applicationId }: Place,
): Promise<{ variables: number; bytes: number }> {
  const row = await tx
    .selectFrom('env_vars')
    .where('organization_id', '=', organizationId)
    .where('application_id', '=', applicationId)
    .select([sql<number>`count(*)`.as('variables'), sql<number>`coalesce(sum(length(value)), 0)`.as('bytes')])
    .executeTakeFirstOrThrow();
  return { variables: Number(row.variables), bytes: Number(row.bytes) };
}

/** Of the organization or of the application, in whichever of its environments. */
export function find(
  db: Db | Tx,
  { organizationId, applicationId }: Pick<Place, 'organizationId' | 'applicationId'>,
  id: string,
): Promise<EnvVarRow | undefined> {
  return db
    .selectFrom('env_vars')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findByKey(db: Db | Tx, place: Place, key: string): Promise<EnvVarRow | undefined> {
  return inPlace(db, place).selectAll().where('key', '=', key).executeTakeFirst();
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

/** By key, those of the application itself before those of its environments. */
export function listOfApplication(
  db: Db | Tx,
  applicationId: string,
  wanted: {
    /** Undefined: of every one. Empty text: those of the application itself. */
    environmentIds?: readonly string[] | undefined;
    limit?: number | undefined;
    after?: { key: string; environmentId: string } | undefined;
  } = {},
): Promise<EnvVarRow[]> {
  const { environmentIds, limit, after } = wanted;
  let query = ofApplication(db, applicationId, environmentIds)
    .selectAll()
    .orderBy('key')
    .orderBy('environment_id');
  if (limit !== undefined) query = query.limit(limit);
  if (after !== undefined) {
    const { key, environmentId } = after;
    query = query.where((eb) =>
      eb.or([eb('key', '>', key), eb.and([eb('key', '=', key), eb('environment_id', '>', environmentId)])]),
    );
  }
  return query.execute();
}

export async function countOfApplication(
  db: Db | Tx,
  applicationId: string,
  environmentIds?: readonly string[],
): Promise<number> {
  return countRows(ofApplication(db, applicationId, environmentIds));
}

function ofApplication(db: Db | Tx, applicationId: string, environmentIds: readonly string[] | undefined) {
  const query = db.selectFrom('env_vars').where('application_id', '=', applicationId);
  return environmentIds === undefined ? query : query.where('environment_id', 'in', [...environmentIds]);
}

/** With their versions, by reference. */
export async function removeOfEnvironment(
  tx: Tx,
  applicationId: string,
  environmentId: string,
): Promise<void> {
  await tx
    .deleteFrom('env_vars')
    .where('application_id', '=', applicationId)
    .where('environment_id', '=', environmentId)
    .execute();
}

export async function removeOfApplication(tx: Tx, applicationId: string): Promise<void> {
  await tx.deleteFrom('env_vars').where('application_id', '=', applicationId).execute();
}

export async function moveToOrganization(
  tx: Tx,
  applicationId: string,
  organizationId: string,
): Promise<void> {
  await tx
    .updateTable('env_vars')
    .set({ organization_id: organizationId })
    .where('application_id', '=', applicationId)
    .execute();
}
