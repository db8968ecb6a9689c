import type { Db, Tx } from '#core/db.ts';
import type { ActorType } from '#core/scopes.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: key id. */
    api_key: true;
  }
}

interface ApiKeyTable {
  id: string;
  name: string;
  actor_type: ActorType;
  user_id: string | null;
  organization_id: string | null;
  application_id: string | null;
  environment_id: string | null;
  /** The deployment or function that acts; null for other actors, whose id stands in a column of its own. */
  actor_id: string | null;
  /** Separated by spaces. */
  scopes: string;
  /** JSON array of addresses and CIDR blocks; empty: from anywhere. */
  allowed_addresses: string;
  /** Through whom and what it was made; a key that a key has made takes over what that one says. */
  created_by_user_id: string | null;
  created_by_key_id: string | null;
  created_by_client_id: string | null;
  created_by_grant_id: string | null;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  created_at: number;
  updated_at: number;
}

interface ApiKeySecretTable {
  id: string;
  api_key_id: string;
  digest: Uint8Array;
  hash_version: number;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    api_keys: ApiKeyTable;
    api_key_secrets: ApiKeySecretTable;
  }
}

export type ApiKeyRow = ApiKeyTable;
export type SecretRow = ApiKeySecretTable;

export async function insert(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.insertInto('api_keys').values(row).execute();
}

export async function insertSecret(tx: Tx, row: SecretRow): Promise<void> {
  await tx.insertInto('api_key_secrets').values(row).execute();
}

export function secretsOf(db: Db | Tx, keyIds: readonly string[]): Promise<SecretRow[]> {
  if (keyIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('api_key_secrets')
    .selectAll()
    .where('api_key_id', 'in', keyIds)
    .orderBy('id')
    .execute();
}

/** The secret with one of these digests. */
export function findSecret(db: Db, digests: readonly Uint8Array[]): Promise<SecretRow | undefined> {
  return db.selectFrom('api_key_secrets').selectAll().where('digest', 'in', digests).executeTakeFirst();
}

export async function deleteSecret(tx: Tx, keyId: string, secretId: string): Promise<boolean> {
  const query = tx.deleteFrom('api_key_secrets').where('api_key_id', '=', keyId).where('id', '=', secretId);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

/** A key that is not revoked. Those of deployments and functions are the platform's own: nobody manages them. */
export function find(db: Db | Tx, id: string): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('actor_type', 'not in', ['deployment', 'function'])
    .executeTakeFirst();
}

/** Whose keys a list shows. */
export type KeyOwner =
  | { type: 'user'; userId: string }
  | { type: 'organization'; organizationId: string }
  | { type: 'application'; applicationId: string };

function ofOwner(db: Db | Tx, owner: KeyOwner) {
  const query = db.selectFrom('api_keys').where('revoked_at', 'is', null);
  if (owner.type === 'user') return query.where('user_id', '=', owner.userId);
  if (owner.type === 'application')
    return query.where('application_id', '=', owner.applicationId).where('actor_type', '=', 'application');
  return query.where('organization_id', '=', owner.organizationId).where('actor_type', '=', 'organization');
}

/** A page of the owner's keys, by id, each with its secrets. */
export async function list(
  db: Db | Tx,
  owner: KeyOwner,
  page: { limit: number | undefined; after: string | undefined },
): Promise<{ row: ApiKeyRow; secrets: SecretRow[] }[]> {
  let query = ofOwner(db, owner).selectAll().orderBy('id');
  if (page.after !== undefined) query = query.where('id', '>', page.after);
  if (page.limit !== undefined) query = query.limit(page.limit);
  const rows = await query.execute();
  const ids = rows.map((row) => row.id);
  const secrets = Map.groupBy(await secretsOf(db, ids), (secret) => secret.api_key_id);
  return rows.map((row) => ({ row, secrets: secrets.get(row.id) ?? [] }));
}

export async function count(db: Db | Tx, owner: KeyOwner): Promise<number> {
  const query = ofOwner(db, owner).select((eb) => eb.fn.countAll<number>().as('n'));
  return Number((await query.executeTakeFirstOrThrow()).n);
}

/** Live keys of that name that belong to the actor itself. */
export function keysNamed(
  tx: Tx,
  type: 'user' | 'organization' | 'application',
  actorId: string,
  name: string,
) {
  return tx
    .selectFrom('api_keys')
    .selectAll()
    .where(`${type}_id`, '=', actorId)
    .where('actor_type', '=', type)
    .where('environment_id', 'is', null)
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
}

export async function revoke(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('api_keys').set({ revoked_at: now, updated_at: now }).where('id', '=', id).execute();
}

export async function touch(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('api_keys').set({ updated_at: now }).where('id', '=', id).execute();
}

/** A key with the standing of the people and accounts that it depends on. */
export interface KeyWithOwners extends ApiKeyRow {
  user_suspended_at: number | null;
  is_operator: number | null;
  organization_deleted_at: number | null;
  organization_suspended_at: number | null;
  application_deleted_at: number | null;
}

export function findWithOwners(db: Db, id: string): Promise<KeyWithOwners | undefined> {
  return db
    .selectFrom('api_keys as k')
    .leftJoin('users as u', 'u.id', 'k.user_id')
    .leftJoin('organizations as o', 'o.id', 'k.organization_id')
    .leftJoin('applications as a', 'a.id', 'k.application_id')
    .selectAll('k')
    .select([
      'u.suspended_at as user_suspended_at',
      'u.is_operator as is_operator',
      'o.deleted_at as organization_deleted_at',
      'o.suspended_at as organization_suspended_at',
      'a.deleted_at as application_deleted_at',
    ])
    .where('k.id', '=', id)
    .executeTakeFirst();
}

/** Through what keys were made. */
export type KeyMaker = { grantId: string } | { userId: string; organizationId?: string };

function madeBy(db: Db | Tx, maker: KeyMaker) {
  const query = db.selectFrom('api_keys as k').where('k.revoked_at', 'is', null);
  if ('grantId' in maker) return query.where('k.created_by_grant_id', '=', maker.grantId);
  const byUser = query.where('k.created_by_user_id', '=', maker.userId);
  return maker.organizationId === undefined
    ? byUser
    : byUser.where('k.organization_id', '=', maker.organizationId);
}

export function keysMadeBy(tx: Tx, maker: KeyMaker): Promise<ApiKeyRow[]> {
  return madeBy(tx, maker).selectAll('k').orderBy('k.id').execute();
}

/** With the names of where they belong. */
export function keysMadeByShown(db: Db, maker: KeyMaker) {
  return madeBy(db, maker)
    .leftJoin('organizations as o', 'o.id', 'k.organization_id')
    .leftJoin('applications as a', 'a.id', 'k.application_id')
    .selectAll('k')
    .select(['o.name as organization_name', 'a.name as application_name'])
    .orderBy('k.id')
    .execute();
}

export type MadeKeyRow = Awaited<ReturnType<typeof keysMadeByShown>>[number];

/** Live keys of that deployment or function. */
export function keysOfWorkload(tx: Tx, applicationId: string, actorId: string): Promise<ApiKeyRow[]> {
  return tx
    .selectFrom('api_keys')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('actor_id', '=', actorId)
    .where('revoked_at', 'is', null)
    .execute();
}
