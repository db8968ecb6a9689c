import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { announceMembership } from '#accounts/organizations/service.ts';
import type { Tx } from '#core/db.ts';
import { deleteMemberships } from './store.ts';

/** Takes the user out of every organization. Whether they may is for the caller to know. */
export async function leaveAll(tx: Tx, source: AuditSource, userId: string): Promise<void> {
  const rows = await deleteMemberships(tx, userId);
  for (const { id: targetId, organization_id: organizationId, role } of rows) {
    announceMembership(tx, userId, organizationId);
    const target = { organizationId, targetType: 'member', targetId };
    await audit(tx, source, { ...target, action: 'member.removed', details: { userId, role } });
  }
}
