import type { Db, Tx } from '#core/db.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: user id. */
    user: true;
  }
}

interface UserTable {
  id: string;
  /** Lower case. */
  email: string;
  email_verified: number;
  name: string;
  given_name: string | null;
  family_name: string | null;
  image_url: string | null;
  /** Operators run the instance. */
  is_operator: number;
  suspended_at: number | null;
  /** Taken off the waitlist; null: still on it. Matters during early access only. */
  admitted_at: number | null;
  has_payment_method: number;
  two_factor_enabled: number;
  /** Sessions, grants, codes, devices and links that carry an older one are dead. Never set, only raised. */
  epoch: number;
  created_at: number;
  updated_at: number;
}

/** A way to sign in: a password (provider `credential`) or an outside provider. */
interface AccountTable {
  id: string;
  user_id: string;
  provider_id: string;
  account_id: string;
  password: string | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    users: UserTable;
    accounts: AccountTable;
  }
}

export type UserRow = UserTable;

export function byEmail(db: Db | Tx, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst();
}

export function find(db: Db | Tx, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The ways in which the user can sign in, besides passkeys. */
export function accountsOf(db: Db | Tx, userId: string): Promise<AccountTable[]> {
  return db.selectFrom('accounts').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

/** Ends whatever carries the epoch of before. Returns the new one. */
export async function raiseEpoch(tx: Tx, id: string): Promise<number> {
  const query = tx.updateTable('users').set((eb) => ({ epoch: eb('epoch', '+', 1) }));
  return (await query.where('id', '=', id).returning('epoch').executeTakeFirstOrThrow()).epoch;
}

export async function insert(tx: Tx, user: UserRow): Promise<void> {
  await tx.insertInto('users').values(user).execute();
}

export async function insertPassword(
  tx: Tx,
  account: { id: string; userId: string; password: string; now: number },
): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({
      id: account.id,
      user_id: account.userId,
      provider_id: 'credential',
      account_id: account.userId,
      password: account.password,
      created_at: account.now,
      updated_at: account.now,
    })
    .execute();
}
