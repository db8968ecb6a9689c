import type { Db, Tx } from '#core/db.ts';

interface SigningKeyTable {
  kid: string;
  public_jwk: string;
  /** Sealed. */
  private_jwk: Uint8Array;
  /** Null: published, waiting for its turn. */
  signs_from: number | null;
  /** Null: no successor has been named. */
  signs_until: number | null;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    signing_keys: SigningKeyTable;
  }
}

export type SigningKeyRow = SigningKeyTable;

export function list(db: Db | Tx): Promise<SigningKeyRow[]> {
  return db.selectFrom('signing_keys').selectAll().orderBy('created_at').execute();
}

export async function insert(tx: Tx, row: SigningKeyRow): Promise<void> {
  await tx.insertInto('signing_keys').values(row).execute();
}

export async function setTimes(
  tx: Tx,
  kid: string,
  times: { signs_from?: number; signs_until?: number },
): Promise<void> {
  await tx.updateTable('signing_keys').set(times).where('kid', '=', kid).execute();
}

export async function remove(tx: Tx, kid: string): Promise<void> {
  await tx.deleteFrom('signing_keys').where('kid', '=', kid).execute();
}
