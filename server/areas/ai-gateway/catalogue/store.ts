import type { Db, Tx } from '#core/db.ts';

declare module '#core/db.ts' {
  interface Tables {
    ai_models: { id: string; body: string; updated_at: number };
  }
}

export function listOverrides(db: Db | Tx): Promise<{ id: string; body: string; updated_at: number }[]> {
  return db.selectFrom('ai_models').selectAll().orderBy('id').execute();
}

export async function putOverride(tx: Tx, id: string, body: string, now: number): Promise<void> {
  const changed = { body, updated_at: now };
  await tx
    .insertInto('ai_models')
    .values({ id, ...changed })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute();
}

export async function deleteOverride(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('ai_models').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}
