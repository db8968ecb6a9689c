import type { Db, Tx } from '#core/db.ts';

interface ObjectTable {
  /** As the provider named it. */
  id: string;
  organization_id: string;
  kind: 'video';
  provider_id: string;
  credential_id: string | null;
  model: string;
  event_id: string | null;
  state: string | null;
  created_at: number;
  expires_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    ai_objects: ObjectTable;
  }
}

export type ObjectRow = ObjectTable;

export async function insertObject(tx: Tx, row: ObjectRow): Promise<void> {
  await tx
    .insertInto('ai_objects')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'kind', 'id']).doNothing())
    .execute();
}

export function findObject(db: Db, organizationId: string, id: string): Promise<ObjectRow | undefined> {
  return db
    .selectFrom('ai_objects')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'video')
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function deleteOldObjects(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('ai_objects').where('expires_at', '<', now).execute();
}
