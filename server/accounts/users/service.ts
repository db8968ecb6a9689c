import { Cached } from '#core/cached.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { find, insert, insertPassword, type UserRow } from './store.ts';

export { hashPassword, verifyPassword } from './password.ts';
export { accountsOf, byEmail, find as findUser, raiseEpoch, type UserRow } from './store.ts';

/** A user. The address counts as theirs unless `emailVerified` is false; `passwordHash` null: signs in by other means. */
export async function createUser(
  tx: Tx,
  user: {
    email: string;
    emailVerified?: boolean;
    name: string;
    passwordHash: string | null;
    isOperator: boolean;
    now: number;
  },
): Promise<UserRow> {
  const { now, passwordHash } = user;
  const row: UserRow = {
    id: newId(now),
    email: user.email.toLowerCase(),
    email_verified: user.emailVerified === false ? 0 : 1,
    name: user.name,
    given_name: null,
    family_name: null,
    image_url: null,
    is_operator: user.isOperator ? 1 : 0,
    suspended_at: null,
    admitted_at: null,
    has_payment_method: 0,
    two_factor_enabled: 0,
    epoch: 0,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  if (passwordHash) await insertPassword(tx, { id: newId(now), userId: row.id, password: passwordHash, now });
  return row;
}

/** Who is an operator now: known within a second of a change on any node. */
export function operators({ db, max }: { db: Db; max: number }): Cached<boolean> {
  return new Cached({
    notifications: db.notifications,
    max,
    topics: ['user'],
    load: async (id) => {
      const user = await find(db, id);
      return user?.is_operator === 1 && user.suspended_at === null;
    },
  });
}
