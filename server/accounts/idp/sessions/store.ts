import type { Db, Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: digest of the session. */
    session: true;
  }
}

interface SessionTable {
  id: string;
  user_id: string;
  /** Of the cookie; the token itself is kept nowhere. */
  token_digest: string;
  /** Where it was begun, and with what. */
  address: string | null;
  user_agent: string | null;
  last_used_at: number;
  /** The end, however much it is used. */
  expires_at: number;
  /** Of the user, when it began. */
  epoch: number;
  /** When the person proved who they are. */
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    sessions: SessionTable;
  }
}

export type SessionRow = SessionTable;

/** Notification of one session: the key is its digest. */
export const sessionTopic = 'session';

export function findByDigest(db: Db, digest: string) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .selectAll('s')
    .select(['u.suspended_at', 'u.is_operator'])
    .where('s.token_digest', '=', digest)
    .whereRef('s.epoch', '=', 'u.epoch')
    .executeTakeFirst();
}

/** Newest first. */
export function listOf(db: Db, userId: string): Promise<SessionRow[]> {
  return ofEpoch(db, userId).selectAll('s').orderBy('s.id', 'desc').execute();
}

/** Whether the user is signed in from that address. */
export async function isUsedFrom(db: Db, userId: string, address: string): Promise<boolean> {
  const query = ofEpoch(db, userId).select('s.id').where('s.address', '=', address);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Sessions of the user that no end of everything has ended. */
function ofEpoch(db: Db, userId: string) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .where('s.user_id', '=', userId)
    .whereRef('s.epoch', '=', 'u.epoch');
}

/** Gives the session another token, and the epoch that the user has now. */
export async function renew(
  tx: Tx,
  session: { id: string; digest: string },
  changes: { token_digest: string; epoch: number; updated_at: number },
): Promise<void> {
  await tx.updateTable('sessions').set(changes).where('id', '=', session.id).execute();
  announce(tx, sessionTopic, session.digest);
}

/** Ends sessions of the user: one, or all but one, or all. Returns what ended. */
export async function end(
  tx: Tx,
  userId: string,
  which: { id?: string; exceptId?: string },
): Promise<SessionRow[]> {
  let query = tx.deleteFrom('sessions').where('user_id', '=', userId);
  if (which.id !== undefined) query = query.where('id', '=', which.id);
  if (which.exceptId !== undefined) query = query.where('id', '!=', which.exceptId);
  const ended = await query.returningAll().execute();
  for (const { token_digest } of ended) announce(tx, sessionTopic, token_digest);
  return ended;
}

/** Drops sessions that are over already. */
export async function sweepSessions(db: Db, now: number, idleSeconds: number): Promise<void> {
  await db.write(async (tx) => {
    await tx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
    await tx
      .deleteFrom('sessions')
      .where('last_used_at', '<=', now - idleSeconds * 1000)
      .execute();
  });
}
