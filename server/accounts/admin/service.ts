import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { raiseEpoch } from '#accounts/users/service.ts';
import type { Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { type AdminUserRow, countOperators, findUser, updateUser } from './store.ts';

interface Changes {
  admitted?: boolean | undefined;
  suspended?: boolean | undefined;
  operator?: boolean | undefined;
  hasPaymentMethod?: boolean | undefined;
  now: number;
}

/** What an operator changes of a user. Somebody always remains who can do that. */
export async function changeUser(
  tx: Tx,
  source: AuditSource,
  id: string,
  changes: Changes,
): Promise<AdminUserRow> {
  const before = await findUser(tx, id);
  if (!before) throw new Problem('not_found', 'There is no user with this id.');
  const { admitted, suspended, operator, hasPaymentMethod, now } = changes;
  const losesPower = operator === false || suspended === true;
  if (
    losesPower &&
    before.is_operator === 1 &&
    before.suspended_at === null &&
    (await countOperators(tx)) === 1
  ) {
    throw new Problem('conflict', 'This is the last operator. Make another user an operator first.');
  }
  const since = (wanted: boolean, known: number | null) => (wanted ? (known ?? now) : null);
  await updateUser(tx, id, {
    ...(admitted === undefined ? {} : { admitted_at: since(admitted, before.admitted_at) }),
    ...(suspended === undefined ? {} : { suspended_at: since(suspended, before.suspended_at) }),
    ...(operator === undefined ? {} : { is_operator: operator ? 1 : 0 }),
    ...(hasPaymentMethod === undefined ? {} : { has_payment_method: hasPaymentMethod ? 1 : 0 }),
    updated_at: now,
  });
  // What was begun before stays over when the suspension is lifted.
  if (suspended && before.suspended_at === null) await raiseEpoch(tx, id);
  const details = { email: before.email, admitted, suspended, operator, hasPaymentMethod };
  const target = { organizationId: null, targetType: 'user', targetId: id };
  await audit(tx, source, { ...target, action: 'user.updated', details });
  announce(tx, 'user', id);
  return (await findUser(tx, id)) as AdminUserRow;
}
