import { sql } from 'kysely';
import type { Db } from '#core/db.ts';

/** What carries an older epoch than its user is dead already. */
export async function sweepEnded(db: Db): Promise<void> {
  await db.write(async (tx) => {
    for (const table of [
      'sessions',
      'oauth_grants',
      'oauth_codes',
      'oauth_devices',
      'verifications',
    ] as const) {
      const current = sql`(select u.epoch from users u where u.id = ${sql.ref(`${table}.user_id`)})`;
      await sql`delete from ${sql.table(table)} where epoch < ${current}`.execute(tx);
    }
  });
}
