import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '#core/db.ts';
import { type DataKey, seal, unseal, type VaultKeys } from '#core/vault.ts';

export interface VaultKeyTable {
  purpose: Purpose;
  version: number;
  /** Sealed under the master key. */
  wrapped: Uint8Array;
  active_from: number;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    vault_keys: VaultKeyTable;
  }
}

/** `data` encrypts what is read back; `hash` keys the digests of secrets. */
export type Purpose = 'data' | 'hash';

function wrapContext(purpose: Purpose, version: number): string {
  return `vault_keys.wrapped:${purpose}:${version}`;
}

/** Throws when the master key is not the one that wrapped them. */
export async function readKeys(db: Db | Tx, masterKey: Buffer): Promise<VaultKeys> {
  return unwrapKeys(await db.selectFrom('vault_keys').selectAll().orderBy('version').execute(), masterKey);
}

export async function hasKeys(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('vault_keys').select('version').executeTakeFirst()) !== undefined;
}

/** Throws when the master key is not the one that wrapped them. */
export function unwrapKeys(rows: readonly VaultKeyTable[], masterKey: Buffer): VaultKeys {
  const keysFor = (purpose: Purpose): DataKey[] =>
    rows
      .filter((row) => row.purpose === purpose)
      .map((row) => ({
        version: row.version,
        key: unseal(masterKey, wrapContext(purpose, row.version), Buffer.from(row.wrapped)),
        activeFrom: row.active_from,
      }));
  return { data: keysFor('data'), hash: keysFor('hash') };
}

export async function insertKey(
  tx: Tx,
  masterKey: Buffer,
  key: { purpose: Purpose; version: number; activeFrom: number; now: number },
): Promise<void> {
  const { purpose, version } = key;
  const wrapped = seal(masterKey, 0, wrapContext(purpose, version), randomBytes(32));
  const row = { purpose, version, wrapped, active_from: key.activeFrom, created_at: key.now };
  await tx.insertInto('vault_keys').values(row).execute();
}

/** Puts every key under another master key. */
export async function rewrapKeys(tx: Tx, oldMaster: Buffer, newMaster: Buffer): Promise<number> {
  const rows = await tx.selectFrom('vault_keys').selectAll().execute();
  for (const { purpose, version, wrapped } of rows) {
    const context = wrapContext(purpose, version);
    const rewrapped = seal(newMaster, 0, context, unseal(oldMaster, context, Buffer.from(wrapped)));
    await tx
      .updateTable('vault_keys')
      .set({ wrapped: rewrapped })
      .where('purpose', '=', purpose)
      .where('version', '=', version)
      .execute();
  }
  return rows.length;
}

export async function deleteDataKey(tx: Tx, version: number): Promise<void> {
  await tx.deleteFrom('vault_keys').where('purpose', '=', 'data').where('version', '=', version).execute();
}

export async function dataKeyTimes(db: Db): Promise<{ version: number; activeFrom: number }[]> {
  return db
    .selectFrom('vault_keys')
    .select(['version', 'active_from as activeFrom'])
    .where('purpose', '=', 'data')
    .execute();
}
