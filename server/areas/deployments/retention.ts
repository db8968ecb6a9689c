import { systemSource } from '#accounts/audit-log/service.ts';
import type { Db, Tx } from '#core/db.ts';
import { environmentsWithMore, olderThan } from './retention-store.ts';
import { deleteDeployment } from './service.ts';
import { find } from './store.ts';

export interface Retention {
  /** Of each environment, besides what is live; failed ones among them. */
  kept: number;
  /** Younger ones stay, however many they are. */
  milliseconds: number;
}

const batch = 50;

/**
 * Deletes deployments that nobody can want to go back to: not live, past the last ones of their environment, and older than
 * the time that all are kept. Their blobs go with the next sweep, unless a younger deployment holds them too.
 */
export async function deleteOld(
  db: Db,
  now: number,
  { kept, milliseconds }: Retention,
  endKeys: (tx: Tx, of: { applicationId: string; deploymentId: string }) => Promise<void>,
): Promise<void> {
  for (const environmentId of await environmentsWithMore(db, kept)) {
    for (const { id, organizationId } of await olderThan(db, environmentId, {
      kept,
      before: now - milliseconds,
      batch,
    })) {
      await db.write(async (tx) => {
        const row = await find(tx, id);
        if (!row) return;
        await deleteDeployment(tx, systemSource, organizationId, row);
        await endKeys(tx, { applicationId: row.application_id, deploymentId: id });
      });
    }
  }
}
