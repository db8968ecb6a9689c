import type { Tx } from '#core/db.ts';

/** What has a column `last_used_at`. */
export type UsedTable = 'api_keys' | 'sessions' | 's3_credentials';

export async function writeLastUsed(tx: Tx, table: UsedTable, id: string, at: number): Promise<void> {
  await tx.updateTable(table).set({ last_used_at: at }).where('id', '=', id).execute();
}
