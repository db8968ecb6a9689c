import type { Db, Tx } from '#core/db.ts';

interface DeviceTable {
  id: string;
  device_digest: string;
  user_digest: string;
  client_id: string;
  scope: string;
  /** Of the device, for the person to recognise it by. */
  address: string;
  user_agent: string | null;
  status: 'pending' | 'approved' | 'denied';
  user_id: string | null;
  authenticated_at: number | null;
  /** Of the user, when they approved. */
  epoch: number | null;
  poll_seconds: number;
  polled_at: number | null;
  expires_at: number;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    oauth_devices: DeviceTable;
  }
}

export type DeviceRow = DeviceTable;

/** False where another device shows the same code already. */
export async function insertDevice(tx: Tx, row: DeviceRow): Promise<boolean> {
  const made = await tx
    .insertInto('oauth_devices')
    .values(row)
    .onConflict((conflict) => conflict.column('user_digest').doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows !== 0n;
}

export function findPendingDevice(
  db: Db | Tx,
  userDigest: string,
  now: number,
): Promise<DeviceRow | undefined> {
  return db
    .selectFrom('oauth_devices')
    .selectAll()
    .where('user_digest', '=', userDigest)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** With what is said of its person now. */
export function findDeviceWithUser(tx: Tx, deviceDigest: string) {
  return tx
    .selectFrom('oauth_devices as d')
    .leftJoin('users as u', 'u.id', 'd.user_id')
    .selectAll('d')
    .select(['u.suspended_at', 'u.epoch as user_epoch'])
    .where('d.device_digest', '=', deviceDigest)
    .executeTakeFirst();
}

/** False when the device does not wait any more. */
export async function updatePendingDevice(
  tx: Tx,
  id: string,
  values: Pick<DeviceRow, 'status' | 'user_id' | 'authenticated_at' | 'epoch'>,
): Promise<boolean> {
  const query = tx
    .updateTable('oauth_devices')
    .set(values)
    .where('id', '=', id)
    .where('status', '=', 'pending');
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function setPolled(
  tx: Tx,
  id: string,
  values: { polled_at: number; poll_seconds: number },
): Promise<void> {
  await tx.updateTable('oauth_devices').set(values).where('id', '=', id).execute();
}

export async function deleteDevice(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('oauth_devices').where('id', '=', id).execute();
}

export async function sweepDevices(db: Db, now: number): Promise<void> {
  await db.write(async (tx) => {
    await tx.deleteFrom('oauth_devices').where('expires_at', '<=', now).execute();
  });
}
