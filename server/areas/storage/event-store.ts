import type { Db, Tx } from '#core/db.ts';

interface EventTable {
  id: string;
  bucket_id: string;
  key: string;
  /** As it is sent. */
  body: string;
  attempts: number;
  due_at: number;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    storage_events: EventTable;
  }
}

export type EventRow = EventTable;

export async function insertEvent(tx: Tx, row: EventRow): Promise<void> {
  await tx.insertInto('storage_events').values(row).execute();
}

/** The id of the last event of the key that waits. */
export async function lastEventOf(tx: Tx, bucketId: string, key: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('storage_events')
    .select('id')
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Those that are due and first of their key: later ones of a key wait for it. */
export function dueEvents(db: Db, now: number, limit: number): Promise<EventRow[]> {
  return db
    .selectFrom('storage_events as e')
    .selectAll()
    .where('due_at', '<=', now)
    .where((w) =>
      w.not(
        w.exists(
          w
            .selectFrom('storage_events as earlier')
            .select('earlier.id')
            .whereRef('earlier.bucket_id', '=', 'e.bucket_id')
            .whereRef('earlier.key', '=', 'e.key')
            .whereRef('earlier.id', '<', 'e.id'),
        ),
      ),
    )
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** Takes an event for sending: false when another node has it. */
export async function claimEvent(tx: Tx, row: EventRow, until: number): Promise<boolean> {
  const result = await tx
    .updateTable('storage_events')
    .set({ due_at: until, attempts: row.attempts + 1 })
    .where('id', '=', row.id)
    .where('attempts', '=', row.attempts)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function removeEvent(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('storage_events').where('id', '=', id).execute();
}

export async function postponeEvent(tx: Tx, id: string, until: number): Promise<void> {
  await tx.updateTable('storage_events').set({ due_at: until }).where('id', '=', id).execute();
}
