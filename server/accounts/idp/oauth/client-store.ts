import type { Db, Tx } from '#core/db.ts';

interface ClientTable {
  id: string;
  name: string;
  /** JSON array. */
  redirect_uris: string;
  /** Separated by spaces. */
  scopes: string;
  /** Null: a public client, which cannot keep a secret. */
  secret_digest: Uint8Array | null;
  hash_version: number | null;
  created_by_user_id: string | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    oauth_clients: ClientTable;
  }
}

export type ClientRow = ClientTable;

export function find(db: Db | Tx, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst();
}

export function list(db: Db): Promise<ClientRow[]> {
  return db.selectFrom('oauth_clients').selectAll().orderBy('id').execute();
}

export async function insert(tx: Tx, row: ClientRow): Promise<void> {
  await tx.insertInto('oauth_clients').values(row).execute();
}

export async function update(tx: Tx, id: string, changes: Partial<ClientRow>): Promise<void> {
  await tx.updateTable('oauth_clients').set(changes).where('id', '=', id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('oauth_clients').where('id', '=', id).execute();
}
