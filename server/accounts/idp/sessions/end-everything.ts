import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { raiseEpoch } from '#accounts/users/service.ts';
import type { Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { revokeGrants } from '../oauth/grants.ts';
import { end } from './store.ts';

/**
 * Ends whatever the person is signed in by: sessions, programs, codes, devices, links, and kinds of them to come, since
 * each carries the epoch of its making. API keys are no sign-in and stay. Returns the new epoch, and how many sessions
 * ended; `exceptSessionId` is spared, for the caller to renew.
 */
export async function endEverything(
  tx: Tx,
  userId: string,
  options: { source: AuditSource; reason: string; exceptSessionId?: string },
): Promise<{ epoch: number; ended: number }> {
  const { source, reason, exceptSessionId: exceptId } = options;
  const epoch = await raiseEpoch(tx, userId);
  announce(tx, 'user', userId);
  const ended = await end(tx, userId, exceptId === undefined ? {} : { exceptId });
  for (const { id } of ended) {
    const target = { organizationId: null, targetType: 'session', targetId: id };
    await audit(tx, source, { ...target, action: 'session.deleted', details: { reason } });
  }
  await revokeGrants(tx, { userId }, { source, reason });
  return { epoch, ended: ended.length };
}
