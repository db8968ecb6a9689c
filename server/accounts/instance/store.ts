import type { Db, Tx } from '#core/db.ts';

interface InstanceSettingTable {
  name: string;
  /** JSON. */
  value: string;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    instance_settings: InstanceSettingTable;
  }
}

export async function listSettings(db: Db): Promise<{ name: string; value: string }[]> {
  return db.selectFrom('instance_settings').select(['name', 'value']).execute();
}

export async function putSetting(tx: Tx, row: InstanceSettingTable): Promise<void> {
  const { value, updated_at } = row;
  await tx
    .insertInto('instance_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at }))
    .execute();
}
