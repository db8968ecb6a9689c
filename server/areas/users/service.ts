import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { insert, insertPassword, type UserRow } from './store.ts';

export { hashPassword } from './password.ts';
export { byEmail } from './store.ts';

/** A user whose address is known to be theirs. `passwordHash` null: signs in by other means. */
export async function createUser(
  tx: Tx,
  user: { email: string; name: string; passwordHash: string | null; isOperator: boolean; now: number },
): Promise<UserRow> {
  const { now, passwordHash } = user;
  const row: UserRow = {
    id: newId(now),
    email: user.email.toLowerCase(),
    email_verified: 1,
    name: user.name,
    given_name: null,
    family_name: null,
    image_url: null,
    is_operator: user.isOperator ? 1 : 0,
    suspended_at: null,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  if (passwordHash) await insertPassword(tx, { id: newId(now), userId: row.id, password: passwordHash, now });
  return row;
}
