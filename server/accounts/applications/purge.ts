import { audit, systemSource } from '#accounts/audit-log/service.ts';
import type { Db } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { listPurgeable, remove } from './store.ts';

/**
 * Permanently removes what was deleted, or whose organization was, longer ago than its grace. `purge` removes what the
 * areas hold of one; it runs before the row goes, so that a crash between the two leaves nothing behind.
 */
export async function purgeApplications(
  db: Db,
  before: { applications: number; organizations: number },
  purge: (applicationId: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const rows = await listPurgeable(db, before);
    if (rows.length === 0) return;
    for (const { id, organization_id, name } of rows) {
      await purge(id);
      await db.write(async (tx) => {
        await remove(tx, id);
        announce(tx, 'application', id);
        await audit(tx, systemSource, {
          organizationId: organization_id,
          action: 'application.purged',
          targetType: 'application',
          targetId: id,
          details: { name },
        });
      });
    }
  }
}
