import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { announceMembership } from '#accounts/organizations/service.ts';
import type { Tx } from '#core/db.ts';

/** The names of organizations that would have no owner without this user. Deleted ones do not count. */
export async function soleOwnerships(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select('o.name')
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'OWNER')
    .where('o.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships as other')
            .select('other.id')
            .whereRef('other.organization_id', '=', 'm.organization_id')
            .where('other.role', '=', 'OWNER')
            .where('other.user_id', '!=', userId),
        ),
      ),
    )
    .orderBy('o.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Takes the user out of every organization. Whether they may is for the caller to know. */
export async function leaveAll(tx: Tx, source: AuditSource, userId: string): Promise<void> {
  const rows = await tx.deleteFrom('memberships').where('user_id', '=', userId).returningAll().execute();
  for (const { id: targetId, organization_id: organizationId, role } of rows) {
    announceMembership(tx, userId, organizationId);
    const target = { organizationId, targetType: 'member', targetId };
    await audit(tx, source, { ...target, action: 'member.removed', details: { userId, role } });
  }
}
