import type { Tx } from '#core/db.ts';

interface IdempotencyTable {
  /** The actor and its credential: each has keys of its own. */
  owner: string;
  key: string;
  /** Of the operation and its body. */
  fingerprint: string;
  /** Sealed: it may hold a secret that is shown once. */
  answer: Uint8Array | null;
  expires_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    idempotency_keys: IdempotencyTable;
  }
}

type Id = Pick<IdempotencyTable, 'owner' | 'key'>;

export function findAnswer(
  tx: Tx,
  { owner, key }: Id,
): Promise<Pick<IdempotencyTable, 'fingerprint' | 'answer' | 'expires_at'> | undefined> {
  return tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer', 'expires_at'])
    .where('owner', '=', owner)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** False when another request has it. */
export async function claimAnswer(tx: Tx, row: IdempotencyTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}

export async function storeAnswer(tx: Tx, { owner, key }: Id, answer: Uint8Array): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ answer })
    .where('owner', '=', owner)
    .where('key', '=', key)
    .execute();
}

export async function removeAnswer(tx: Tx, { owner, key }: Id): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('owner', '=', owner).where('key', '=', key).execute();
}

export async function removeAnswersBefore(tx: Tx, moment: number): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('expires_at', '<=', moment).execute();
}
