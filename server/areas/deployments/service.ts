import { type Environment, hostnameTopic, removeHostname } from '#accounts/applications/service.ts';
import { type ActionOf, type AuditSource, audit as writeAudit } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { heldBy, holdBlobs } from './blob-store.ts';
import { hostnamesOf, hostnamesOfEnvironment } from './live-store.ts';
import { insertLog, type LogType, lastSeq } from './log-store.ts';
import { unfinished, waitingBefore } from './queue-store.ts';
import type { Status } from './schema.ts';
import { type DeploymentRow, find, insert, remove, update } from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** A deployment changed its state; the key is its id. Workers look for work, gateways for what answers. */
    deployment: true;
  }
}

export interface NewDeployment {
  applicationId: string;
  organizationId: string;
  environment: Environment;
  branch: string | null;
  gitSha: string | null;
  prebuilt: boolean;
}

export async function createDeployment(
  tx: Tx,
  clock: Clock,
  source: AuditSource,
  wanted: NewDeployment,
): Promise<DeploymentRow> {
  const now = clock.now();
  const row: DeploymentRow = {
    id: newId(now),
    application_id: wanted.applicationId,
    environment_id: wanted.environment.id,
    status: 'PENDING',
    reason: null,
    branch: wanted.branch,
    git_sha: wanted.gitSha,
    prebuilt: wanted.prebuilt ? 1 : 0,
    redeploy_of: null,
    actor_type: source.actorType,
    actor_id: source.actorId,
    actor_key_id: source.keyId ?? null,
    upload_id: null,
    source: null,
    artefact: null,
    summary: null,
    variables: null,
    variable_sources: null,
    replaced_at: null,
    crashed_at: null,
    crash_reason: null,
    scheduled: null,
    leased_until: null,
    lease: null,
    attempts: 0,
    cancel_requested_at: null,
    active_at: null,
    finished_at: null,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  announce(tx, 'deployment', row.id);
  await audit(tx, source, wanted.organizationId, row, 'created', { environment: wanted.environment.slug });
  return row;
}

/** The row as this transaction sees it. */
export async function again(tx: Tx, id: string): Promise<DeploymentRow> {
  const row = await find(tx, id);
  if (!row) throw new Problem('not_found', 'No deployment with this id is visible to this token.');
  return row;
}

/** Moves it into the queue; older ones that wait for the same branch are passed over. */
export async function enqueue(tx: Tx, row: DeploymentRow, now: number): Promise<void> {
  for (const older of await waitingBefore(tx, row))
    await fail(tx, older, `Superseded by the deployment ${row.id}.`, now);
  await update(tx, row.id, { status: 'QUEUED', updated_at: now });
  announce(tx, 'deployment', row.id);
}

/** Ends it as FAILED. The reason is logged, line by line, before the state turns, in the same transaction. */
export async function fail(tx: Tx, row: DeploymentRow, reason: string, now: number): Promise<void> {
  const lines = reason.split('\n').map((message) => ({ type: 'ERROR' as const, message, at: now }));
  await log(tx, row.id, lines);
  await update(tx, row.id, {
    ...{ status: 'FAILED', reason, leased_until: null, lease: null, finished_at: now, updated_at: now },
  });
  announce(tx, 'deployment', row.id);
}

export interface LogLine {
  type: LogType;
  message: string;
  at: number;
}

const maxLogLines = 20_000;
const maxLineCharacters = 64 * 1024;

/** Appends lines; past the bound of a deployment only the line that says so. */
export async function log(tx: Tx, deploymentId: string, lines: readonly LogLine[]): Promise<void> {
  const last = await lastSeq(tx, deploymentId);
  const room = maxLogLines - last;
  const kept = lines.slice(0, Math.max(0, room));
  const isFull = kept.length < lines.length && room > 0;
  const rows = kept.map(({ type, message, at }, index) => ({
    id: newId(at),
    deployment_id: deploymentId,
    seq: last + index + 1,
    type,
    message: message.replaceAll('\0', '').toWellFormed().slice(0, maxLineCharacters),
    created_at: at,
  }));
  const end = rows.at(-1);
  if (isFull && end) {
    end.type = 'WARN';
    end.message = `The log has ${maxLogLines} lines; what follows is not kept.`;
  }
  await insertLog(tx, rows);
}

/** Asks for the end of one that has not ended; twice is fine. What works on it notices within its lease. */
export async function cancel(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: DeploymentRow,
  now: number,
): Promise<DeploymentRow> {
  if (row.status === 'ACTIVE') {
    const sentence = 'The deployment is active already. Roll back to another one, or delete it.';
    throw new Problem('conflict', sentence);
  }
  if (row.status === 'FAILED') return row;
  const isRunning = row.lease !== null && (row.leased_until ?? 0) > now;
  if (isRunning) {
    await update(tx, row.id, { cancel_requested_at: row.cancel_requested_at ?? now, updated_at: now });
    announce(tx, 'deployment', row.id);
  } else await fail(tx, row, 'Cancelled.', now);
  await audit(tx, source, organizationId, row, 'cancelled');
  return (await find(tx, row.id)) ?? row;
}

/** The same artefact with today's variables of an environment, as a new deployment that needs no build. */
export async function redeploy(
  tx: Tx,
  clock: Clock,
  source: AuditSource,
  organizationId: string,
  row: DeploymentRow,
  environmentId: string,
): Promise<DeploymentRow> {
  if (!row.artefact)
    throw new Problem('conflict', 'The deployment cannot be redeployed: its build did not complete.');
  const now = clock.now();
  const again: DeploymentRow = {
    ...row,
    ...{ id: newId(now), status: 'QUEUED', reason: null, redeploy_of: row.id },
    environment_id: environmentId,
    ...{ actor_type: source.actorType, actor_id: source.actorId, actor_key_id: source.keyId ?? null },
    ...{ upload_id: null, variables: null },
    ...{ leased_until: null, lease: null, attempts: 0, cancel_requested_at: null },
    ...{ active_at: null, finished_at: null, created_at: now, updated_at: now },
    ...{ replaced_at: null, crashed_at: null, crash_reason: null, variable_sources: null },
  };
  await insert(tx, again);
  await holdBlobs(tx, again.id, await heldBy(tx, row.id));
  announce(tx, 'deployment', again.id);
  await audit(tx, source, organizationId, again, 'redeployed', { of: row.id });
  return again;
}

export async function deleteDeployment(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: DeploymentRow,
): Promise<void> {
  const names = await hostnamesOf(tx, row.id);
  if (names.some(({ type }) => type !== 'DEPLOYMENT'))
    throw new Problem('conflict', 'The deployment is live. Roll back to another one first.');
  if ((unfinished as readonly Status[]).includes(row.status))
    throw new Problem('conflict', 'The deployment is still running. Cancel it first.');
  for (const { name } of names) {
    await removeHostname(tx, name, row.application_id);
    announce(tx, hostnameTopic, name);
  }
  // Hostnames that it answered at a while ago look for its files no more.
  for (const { name } of await hostnamesOfEnvironment(tx, row.environment_id))
    announce(tx, hostnameTopic, name);
  await remove(tx, row.id);
  announce(tx, 'deployment', row.id);
  await audit(tx, source, organizationId, row, 'deleted');
}

export function audit(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: Pick<DeploymentRow, 'id' | 'application_id'>,
  what: ActionOf<'deployment'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  const target = { organizationId, targetType: 'deployment', targetId: row.id };
  return writeAudit(tx, source, {
    ...target,
    action: `deployment.${what}`,
    details: { applicationId: row.application_id, ...details },
  });
}

export {
  type Manifest,
  type PackagedFunction,
  type PublishedFile,
  partId,
  readManifest,
  type Slice,
} from './artefact.ts';
export { parseSchedule, type Schedule } from './configuration/schedule.ts';
export { type LiveDeployment, liveColumns, liveDeployments } from './live-store.ts';
export { Packages } from './packages.ts';
export { workloadOf } from './variables.ts';
