import { sql } from 'kysely';
import type { Db } from '#core/db.ts';
import { sweepVerifications } from './accounts/verification-store.ts';
import { sweepAttempts } from './attempt-store.ts';
import { sweepCodes } from './oauth/code-store.ts';
import { sweepDevices } from './oauth/device-store.ts';
import { sweepGrants } from './oauth/grant-store.ts';
import { sweepSessions } from './sessions/store.ts';

/** What carries an older epoch than its user is dead already. */
async function sweepEnded(db: Db): Promise<void> {
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

/** Drops everything about people that is over: sessions, codes, links, counts. */
export async function sweepPeople(db: Db, now: number, options: { idleSeconds: number }): Promise<void> {
  await sweepSessions(db, now, options.idleSeconds);
  await sweepCodes(db, now);
  await sweepDevices(db, now);
  await sweepGrants(db, now);
  await sweepAttempts(db, now);
  await sweepEnded(db);
  await sweepVerifications(db, now);
}
