import type { Db } from '#core/db.ts';
import { sweepAttempts } from './attempts.ts';
import { sweepCodes } from './oauth/codes.ts';
import { sweepDevices } from './oauth/devices.ts';
import { sweepGrants } from './oauth/grant-store.ts';
import { sweepSessions } from './sessions/store.ts';

/** Drops everything about people that is over: sessions, codes, links, counts. */
export async function sweepPeople(db: Db, now: number, options: { idleSeconds: number }): Promise<void> {
  await sweepSessions(db, now, options.idleSeconds);
  await sweepCodes(db, now);
  await sweepDevices(db, now);
  await sweepGrants(db, now);
  await sweepAttempts(db, now);
  await db.write(async (tx) => {
    await tx.deleteFrom('verifications').where('expires_at', '<=', now).execute();
  });
}
