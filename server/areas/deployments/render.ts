import type { LogRow } from './log-store.ts';
import type { DeploymentRow } from './store.ts';

const time = (moment: number) => new Date(moment).toISOString();
const timeOrNull = (moment: number | null) => (moment === null ? null : time(moment));

export function toDeployment(row: DeploymentRow, live: boolean) {
  return {
    id: row.id,
    applicationId: row.application_id,
    environmentId: row.environment_id,
    status: row.status,
    reason: row.reason,
    branch: row.branch,
    gitSha: row.git_sha,
    live,
    crashedAt: timeOrNull(row.crashed_at),
    crashReason: row.crash_reason,
    redeployOf: row.redeploy_of,
    actorType: row.actor_type,
    actorId: row.actor_id,
    apiKeyId: row.actor_key_id,
    summary: row.summary === null ? null : JSON.parse(row.summary),
    activeAt: timeOrNull(row.active_at),
    finishedAt: timeOrNull(row.finished_at),
    createdAt: time(row.created_at),
    updatedAt: time(row.updated_at),
  };
}

export function toLogLine({ id, message, type, created_at }: LogRow) {
  return { id, message, type, createdAt: time(created_at) };
}
