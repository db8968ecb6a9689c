import { audit } from '#accounts/audit-log/service.ts';
import { leaveAll, soleOwnerships } from '#accounts/members/service.ts';
import { findUser } from '#accounts/users/service.ts';
import type { Db, Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { PeopleProblem } from '../errors.ts';
import { revokeGrants } from '../oauth/grants.ts';
import { end } from '../sessions/store.ts';
import { deleteUser, operatorExists } from './store.ts';

/**
 * Ends an account with all that hangs on it. Throws `PeopleProblem('conflict')` when an organization, or the instance,
 * would be left with nobody to run it. The audit log keeps what the person did.
 */
export async function deleteAccount(
  db: Db,
  { userId, requestId }: { userId: string; requestId: string },
): Promise<void> {
  const source = { actorType: 'user', actorId: userId, requestId };
  await db.write(
    async (tx) => {
      if (await isLastOperator(tx, userId)) {
        const sentence = 'You are the last operator of this instance. Make another user an operator first.';
        throw new PeopleProblem('conflict', 'LAST_OPERATOR', sentence);
      }
      const organizations = await soleOwnerships(tx, userId);
      if (organizations.length > 0) {
        const names = organizations.map((name) => `"${name}"`).join(', ');
        const sentence = `You are the only owner of ${names}. Make another member an owner, or delete them first.`;
        throw new PeopleProblem('conflict', 'LAST_OWNER', sentence, { details: { organizations } });
      }
      await end(tx, userId, {});
      await revokeGrants(tx, { userId }, { source, reason: 'the account was deleted' });
      await leaveAll(tx, source, userId);
      await deleteUser(tx, userId);
      const target = { organizationId: null, targetType: 'user', targetId: userId };
      await audit(tx, source, { ...target, action: 'user.deleted' });
      announce(tx, 'user', userId);
    },
    { queue: 'operators' },
  );
}

async function isLastOperator(tx: Tx, userId: string): Promise<boolean> {
  if ((await findUser(tx, userId))?.is_operator !== 1) return false;
  return !(await operatorExists(tx, { besides: userId }));
}
