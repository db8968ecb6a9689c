import type { Db, Tx } from '#core/db.ts';

interface DeliveryTable {
  id: string;
  bucket_id: string;
  event_id: string;
  type: string;
  /** Null: of a test. */
  key: string | null;
  /** Counts from 1. */
  attempt: number;
  /** Null: the endpoint did not answer. */
  status: number | null;
  error: string | null;
  latency_ms: number;
  sent_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    storage_deliveries: DeliveryTable;
  }
}

export type DeliveryRow = DeliveryTable;

/** Keeps the newest `max` of the bucket. */
export async function insertDelivery(tx: Tx, row: DeliveryRow, max: number): Promise<void> {
  await tx.insertInto('storage_deliveries').values(row).execute();
  const oldest = await tx
    .selectFrom('storage_deliveries')
    .select('id')
    .where('bucket_id', '=', row.bucket_id)
    .orderBy('id', 'desc')
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await tx
    .deleteFrom('storage_deliveries')
    .where('bucket_id', '=', row.bucket_id)
    .where('id', '<', oldest.id)
    .execute();
}

/** Newest first. */
export function listDeliveries(db: Db, bucketId: string, limit: number): Promise<DeliveryRow[]> {
  return db
    .selectFrom('storage_deliveries')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
