import { findUser } from '#accounts/users/service.ts';
import type { Tx } from '#core/db.ts';
import { isId } from '#core/ids.ts';
import { PeopleProblem } from '../errors.ts';
import type { Model } from './models.ts';
import { requestOf } from './request-context.ts';

type Row = Record<string, unknown>;

/**
 * better-auth checks a password in one query and makes the session in a later one. What the request knew of the user's
 * epoch when it first read anything of theirs is kept with the request, and has to hold still when it writes.
 */

/** Notes the epochs in rows that better-auth reads. */
export function noteEpochs({ table }: Model, rows: readonly Row[]): void {
  const known = requestOf.getStore()?.epochs;
  if (!known || (table !== 'users' && table !== 'verifications')) return;
  for (const row of rows) {
    const id = row[table === 'users' ? 'id' : 'user_id'];
    if (typeof id === 'string' && !known.has(id)) known.set(id, Number(row['epoch']));
  }
}

/** The user's epoch of now. Throws when the request began in an older one: what it stands on has ended. */
export async function epochNow(tx: Tx, userId: string): Promise<number> {
  const user = await findUser(tx, userId);
  const known = requestOf.getStore()?.epochs.get(userId);
  if (user && (known === undefined || known === user.epoch)) return user.epoch;
  const sentence = 'This sign-in or link was invalidated. Start again.';
  throw new PeopleProblem('unauthenticated', 'ENDED_MEANWHILE', sentence);
}

/** What a new row carries: a session the epoch of its user, a link or a ceremony that of the user it is for. */
export async function epochColumns(tx: Tx, { table }: Model, row: Row): Promise<Row> {
  if (table === 'sessions') return { epoch: await epochNow(tx, String(row['user_id'])) };
  if (table !== 'verifications') return {};
  // The user stands in the value, or is the one who is signed in.
  const value = row['value'];
  const userId = typeof value === 'string' && isId(value) ? value : requestOf.getStore()?.actingUserId;
  return userId === undefined ? {} : { user_id: userId, epoch: await epochNow(tx, userId) };
}
