import { type Environments, findApplication } from '#accounts/applications/service.ts';
import { systemSource } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { liveBefore, liveIds } from './live-store.ts';
import { audit, log } from './service.ts';
import { type DeploymentRow, find, update } from './store.ts';
import { pointAt } from './switch.ts';

/** After so long a version has proven itself: what makes it crash then, the one before would hardly bear better. */
const newMilliseconds = 3_600_000;

export interface Crash {
  deploymentId: string;
  functionName: string;
  /** "It ended 5 times within a minute: exit code 1". */
  reason: string;
}

/**
 * Writes down that a version crashes again and again. Where it is new and its environment wants that, the hostnames lead to the
 * one before, as by a rollback. Every node may report it: once noted, nothing more happens.
 */
export async function noteCrash(
  { db, clock, environments }: { db: Db; clock: Clock; environments: Environments },
  { deploymentId, functionName, reason }: Crash,
): Promise<void> {
  const known = await find(db, deploymentId);
  const application = known && (await findApplication(db, known.application_id));
  if (!application) return;
  const all = await environments.all(application.id);
  const environment = all.find(({ id }) => id === known.environment_id);
  if (!environment) return;
  await db.write(async (tx) => {
    const now = clock.now();
    const row = await find(tx, deploymentId);
    if (!row || row.crashed_at !== null || !(await liveIds(tx, [row.id])).has(row.id)) return;
    const sentence = `${functionName}: ${reason}.`;
    await update(tx, row.id, { crashed_at: now, crash_reason: sentence, updated_at: now });
    await log(tx, row.id, [{ type: 'ERROR', message: sentence, at: now }]);
    const facts = { environment: environment.slug, function: functionName, reason };
    await audit(tx, systemSource, application.organization_id, row, 'crashed', facts);
    announce(tx, 'deployment', row.id);
    const isNew = row.active_at !== null && now - row.active_at < newMilliseconds;
    if (!environment.rollBackOnCrash || !isNew) return;
    const after = { ...row, crash_reason: sentence };
    await goBack(tx, after, environment, application.organization_id, now);
  });
}

async function goBack(
  tx: Tx,
  row: DeploymentRow,
  environment: Parameters<typeof pointAt>[4],
  organizationId: string,
  now: number,
): Promise<void> {
  const before = await liveBefore(tx, row, environment.isDefault ? null : row.branch);
  const say = (id: string, message: string) => log(tx, id, [{ type: 'WARN', message, at: now }]);
  if (!before) {
    await say(row.id, `${environment.name} has no previous deployment to roll back to.`);
    return;
  }
  await pointAt(tx, systemSource, organizationId, before, environment, 'rolled_back', now);
  const outcome = `${environment.name} was rolled back to deployment ${before.id}.`;
  await update(tx, row.id, { crash_reason: `${row.crash_reason} ${outcome}` });
  await say(row.id, outcome);
  await say(before.id, `Live again: deployment ${row.id} kept crashing.`);
}
