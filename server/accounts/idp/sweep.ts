import type { Db } from '#core/db.ts';
import { sweepVerifications } from './accounts/verification-store.ts';
import { sweepAttempts } from './attempt-store.ts';
import { sweepCodes } from './oauth/code-store.ts';
import { sweepDevices } from './oauth/device-store.ts';
import { sweepGrants } from './oauth/grant-store.ts';
import { sweepSessions } from './sessions/store.ts';
import { sweepEnded } from './store.ts';

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
