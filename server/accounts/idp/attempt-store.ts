import type { Db, Tx } from '#core/db.ts';

interface AttemptTable {
  /** A digest: who tried what is nobody's business. */
  key: string;
  count: number;
  /** The end of the window that the count is of. */
  expires_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    attempts: AttemptTable;
  }
}

export function findAttempts(tx: Tx, key: string): Promise<AttemptTable | undefined> {
  return tx.selectFrom('attempts').selectAll().where('key', '=', key).executeTakeFirst();
}

export async function putAttempts(tx: Tx, row: AttemptTable): Promise<void> {
  const { count, expires_at } = row;
  await tx
    .insertInto('attempts')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ count, expires_at }))
    .execute();
}

/** One attempt of each. */
export async function takeBack(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', 'in', keys)
    .where('count', '>', 0)
    .execute();
}

export async function sweepAttempts(db: Db, now: number): Promise<void> {
  await db.write(async (tx) => {
    await tx.deleteFrom('attempts').where('expires_at', '<=', now).execute();
  });
}
