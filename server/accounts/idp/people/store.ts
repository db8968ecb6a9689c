import { countRows, type Db, type Tx } from '#core/db.ts';

/** `besides`: whether there is another one, who is not suspended. */
export async function operatorExists(db: Db | Tx, options: { besides?: string } = {}): Promise<boolean> {
  const { besides } = options;
  let query = db.selectFrom('users').select('id').where('is_operator', '=', 1).limit(1);
  if (besides !== undefined) query = query.where('id', '!=', besides).where('suspended_at', 'is', null);
  return (await query.executeTakeFirst()) !== undefined;
}

/** What a person says of themselves. */
export interface ProfileChanges {
  name?: string;
  given_name?: string | null;
  family_name?: string | null;
  image_url?: string | null;
}

export async function updateProfile(
  tx: Tx,
  userId: string,
  changes: ProfileChanges & { updated_at: number },
): Promise<void> {
  await tx.updateTable('users').set(changes).where('id', '=', userId).execute();
}

/** Keys, passkeys and whatever else is the user's go with the row. */
export async function deleteUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', userId).execute();
}

export function countPasskeys(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom('passkeys').where('user_id', '=', userId));
}
