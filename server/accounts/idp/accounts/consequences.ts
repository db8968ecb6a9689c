import { type AuditAction, audit } from '#accounts/audit-log/service.ts';
import type { Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { endEverything } from '../sessions/end-everything.ts';
import { sessionTopic } from '../sessions/store.ts';
import { epochNow } from './epochs.ts';
import type { Model } from './models.ts';
import { requestOf } from './request-context.ts';

/** What follows from a change that better-auth makes, in the transaction of the change: its audit record, and the notifications. */

export type Row = Record<string, unknown>;
type Write = 'created' | 'updated' | 'deleted';

export async function auditChange(
  tx: Tx,
  change: { table: Model['table']; write: Write; row: Row; changes: Row },
): Promise<void> {
  const { table, write, row } = change;
  if (table === 'users' && write === 'updated') announce(tx, 'user', String(row['id']));
  if (table === 'sessions' && write === 'deleted') announce(tx, sessionTopic, String(row['token_digest']));
  const event = describe(change);
  if (!event) return;
  const userId = String(table === 'users' ? row['id'] : row['user_id']);
  const request = requestOf.getStore();
  const source = { actorType: 'user', actorId: userId, requestId: request?.requestId ?? null };
  if (table === 'accounts' && isNewPassword(change)) {
    await epochNow(tx, userId);
    const { epoch } = await endEverything(tx, userId, { source, reason: 'the password was changed' });
    await request?.endKeys?.end(tx, { source, now: Date.now() }, { userId });
    // The request continues in the new one: it makes the session that takes the place of its own.
    request?.epochs.set(userId, epoch);
  }
  const { action, details = {} } = event;
  const target = { targetType: targetTypes[table] ?? 'user', targetId: String(row['id']) };
  await audit(tx, source, { organizationId: null, action, ...target, details });
}

function isNewPassword({ write, row, changes }: Parameters<typeof auditChange>[1]): boolean {
  return row['provider_id'] === 'credential' && write !== 'deleted' && 'password' in changes;
}

const targetTypes: Partial<Record<Model['table'], string>> = {
  sessions: 'session',
  accounts: 'account',
  two_factors: 'two_factor',
  passkeys: 'passkey',
};

interface Event {
  action: AuditAction;
  details?: Row;
}

/** Undefined for what changes nothing that anybody would look up later. */
function describe({ table, write, row, changes }: Parameters<typeof auditChange>[1]): Event | undefined {
  switch (table) {
    case 'users':
      return write === 'updated' ? userChange(changes) : { action: `user.${write}` };
    case 'sessions':
      return write === 'updated' ? undefined : { action: `session.${write}` };
    case 'accounts':
      return accountEvent(write, row, changes);
    case 'passkeys':
      if (write === 'updated' && !('name' in changes)) return undefined;
      return { action: `passkey.${write}`, details: { name: row['name'] } };
    case 'two_factors':
      if (write !== 'updated') return undefined;
      if ('locked_until' in changes && changes['locked_until'] !== null)
        return { action: 'two_factor.locked' };
      return 'recovery_codes' in changes && !('secret' in changes)
        ? { action: 'two_factor.recovery_codes_updated' }
        : undefined;
    case 'verifications':
      return undefined;
  }
}

function userChange(changes: Row): Event | undefined {
  if ('two_factor_enabled' in changes)
    return { action: changes['two_factor_enabled'] ? 'two_factor.enabled' : 'two_factor.disabled' };
  if ('email' in changes) return { action: 'user.email_updated', details: { email: changes['email'] } };
  if ('email_verified' in changes) return { action: 'user.email_verified' };
  return { action: 'user.profile_updated' };
}

function accountEvent(write: Write, row: Row, changes: Row): Event | undefined {
  if (row['provider_id'] === 'credential') {
    if (write === 'updated' && !('password' in changes)) return undefined;
    return { action: `password.${write}` };
  }
  const details = { provider: row['provider_id'] };
  if (write === 'created') return { action: 'provider.linked', details };
  return write === 'deleted' ? { action: 'provider.unlinked', details } : undefined;
}
