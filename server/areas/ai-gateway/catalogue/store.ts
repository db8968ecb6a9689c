import type { Db, Tx } from '#core/db.ts';

/** What an address said last. Moments are milliseconds. */
export interface PriceListRow {
  url: string;
  /** Null: nothing was fetched yet. */
  body: string | null;
  etag: string | null;
  as_of: number | null;
  fetched_at: number | null;
  tried_at: number;
  failure: string | null;
}

declare module '#core/db.ts' {
  interface Tables {
    ai_models: { id: string; body: string; updated_at: number };
    ai_price_lists: PriceListRow;
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

export function findPriceList(db: Db | Tx, url: string): Promise<PriceListRow | undefined> {
  return db.selectFrom('ai_price_lists').selectAll().where('url', '=', url).executeTakeFirst();
}

/** Of an address that is asked no longer nothing is kept. */
export async function putPriceList(tx: Tx, url: string, state: Omit<PriceListRow, 'url'>): Promise<void> {
  await tx.deleteFrom('ai_price_lists').where('url', '!=', url).execute();
  await tx
    .insertInto('ai_price_lists')
    .values({ ...state, url })
    .onConflict((conflict) => conflict.column('url').doUpdateSet(state))
    .execute();
}
