import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { type SealedColumn, Vault } from '#core/vault.ts';
import { type ResealProgress, resealColumn } from './reseal-store.ts';
import {
  dataKeyTimes,
  deleteDataKey,
  hasKeys,
  insertKey,
  readKeys,
  rewrapKeys,
  unwrapKeys,
  type VaultKeyTable,
} from './store.ts';

export { hasKeys, type VaultKeyTable } from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: version of the new key. */
    vault: true;
  }
}

const topic = 'vault';
/** A new key is known everywhere before it is used: longer than a notification takes to arrive. */
const activationMilliseconds = 3000;
const forgetAfterMilliseconds = 3_600_000;

export class WrongMasterKey extends Error {
  override name = 'WrongMasterKey';
}

/**
 * The vault of this database, made on first use, and kept current while keys rotate. Throws `WrongMasterKey` when the
 * master key is not the one that the database was made with.
 */
export async function openVault(deps: { db: Db; clock: Clock; masterKey: Buffer }): Promise<Vault> {
  const { db, clock, masterKey } = deps;
  const make = async () => {
    await db.write(
      async (tx) => {
        if (await hasKeys(tx)) return;
        const now = clock.now();
        for (const purpose of ['data', 'hash'] as const) {
          await insertKey(tx, masterKey, { purpose, version: 1, activeFrom: now, now });
        }
      },
      { queue: topic },
    );
    return await readKeys(db, masterKey);
  };
  const read = () =>
    told(async () => {
      const keys = await readKeys(db, masterKey);
      return keys.data.length > 0 ? keys : await make();
    });
  const vault = new Vault(await read(), () => clock.now());
  db.notifications.on(topic, () => {
    // A failed read leaves the keys that are known; the next use of an unknown one answers 503 meanwhile.
    read()
      .then((keys) => vault.use(keys))
      .catch(() => undefined);
  });
  return vault;
}

/** Tells the refusal of a wrong key apart. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    // GCM's refusal carries no code; what the database throws does, or is a Problem.
    if (cause instanceof Error && /unable to authenticate/i.test(cause.message)) {
      throw new WrongMasterKey('The master key is not the one that this database was created with.', {
        cause,
      });
    }
    throw cause;
  }
}

/** Throws `WrongMasterKey` when these keys, of a database or a backup, were wrapped by another master key. */
export async function demandOpens(keys: Db | readonly VaultKeyTable[], masterKey: Buffer): Promise<void> {
  await told(async () => ('selectFrom' in keys ? readKeys(keys, masterKey) : unwrapKeys(keys, masterKey)));
}

/** Adds a data key that will be used for everything encrypted from `activeFrom` on. */
export async function addDataKey(deps: { db: Db; clock: Clock; masterKey: Buffer }): Promise<{
  version: number;
  activeFrom: number;
}> {
  const { db, clock, masterKey } = deps;
  return db.write(
    async (tx) => {
      const { data } = await readKeys(tx, masterKey);
      const version = Math.max(...data.map((key) => key.version)) + 1;
      const now = clock.now();
      const activeFrom = now + activationMilliseconds;
      await insertKey(tx, masterKey, { purpose: 'data', version, activeFrom, now });
      announce(tx, topic, String(version));
      return { version, activeFrom };
    },
    { queue: topic },
  );
}

/**
 * Encrypts again, in small transactions and without stopping anybody, what older keys still seal. May be interrupted at
 * any point and run again. Old keys are forgotten by a later run that found nothing under them, long enough after their
 * last use that no node with a slow clock can still be sealing with them.
 */
export async function reseal(
  deps: { db: Db; clock: Clock; vault: Vault; columns: readonly SealedColumn[] },
  report: (progress: ResealProgress) => void = () => undefined,
): Promise<{ resealed: number; forgotten: number[] }> {
  const { db, clock, vault, columns } = deps;
  const { version } = vault;
  const keys = await dataKeyTimes(db);
  const old = keys.filter((key) => key.version < version).map((key) => key.version);
  if (old.length === 0) return { resealed: 0, forgotten: [] };
  let resealed = 0;
  for (const column of columns) resealed += await resealColumn({ db, vault }, column, version, report);
  const activeFrom = keys.find((key) => key.version === version)?.activeFrom ?? clock.now();
  if (resealed > 0 || clock.now() - activeFrom < forgetAfterMilliseconds) return { resealed, forgotten: [] };
  await db.write(async (tx) => {
    for (const forgotten of old) await deleteDataKey(tx, forgotten);
    announce(tx, topic, String(version));
  });
  return { resealed, forgotten: old };
}

/** Moves the vault to another master key. Every node has to be started with the new one afterwards. */
export function changeMasterKey(db: Db, oldMaster: Buffer, newMaster: Buffer): Promise<number> {
  return db.write((tx) => rewrapKeys(tx, oldMaster, newMaster), { queue: topic });
}
