import type { Insertable } from 'kysely';
import type { Db, Tables, Tx } from '#core/db.ts';

/** The user of a link that has not expired, unless everything of theirs ended since it was made. */
export async function userOfVerification(db: Db, identifier: string, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('verifications as v')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .select('v.user_id')
    .where('v.identifier', '=', identifier)
    .where('v.expires_at', '>', now)
    .whereRef('v.epoch', '=', 'u.epoch')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

export async function insertVerification(tx: Tx, row: Insertable<Tables['verifications']>): Promise<void> {
  await tx.insertInto('verifications').values(row).execute();
}

export async function sweepVerifications(db: Db, now: number): Promise<void> {
  await db.write(async (tx) => {
    await tx.deleteFrom('verifications').where('expires_at', '<=', now).execute();
  });
}
