import { type AuditAction, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { type ApiKeyRow, revoke } from './store.ts';

/** The key and every token that it was exchanged for stop working within a second, on every node. */
export async function revokeKey(
  tx: Tx,
  { clock }: { clock: Pick<Clock, 'now'> },
  source: AuditSource,
  key: ApiKeyRow,
): Promise<void> {
  await revoke(tx, key.id, clock.now());
  await audit(tx, source, { ...target(key, 'api_key.revoked'), details: { name: key.name } });
  announce(tx, 'api_key', key.id);
}

/** Of an audit record. */
export function target(key: ApiKeyRow, action: AuditAction) {
  return { organizationId: key.organization_id, action, targetType: 'api_key', targetId: key.id };
}
