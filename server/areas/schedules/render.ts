import { isoTime } from '#core/clock.ts';
import type { ListedRun, RunRow } from './store.ts';

export const timeOrNull = (moment: number | null) => (moment === null ? null : isoTime(moment));

/** What came of a run. */
export const toOutcome = (row: RunRow) => ({
  ...{ id: row.id, status: row.status, dueAt: isoTime(row.due_at), startedAt: timeOrNull(row.started_at) },
  ...{ finishedAt: timeOrNull(row.finished_at), responseStatus: row.response_status, error: row.error },
  manual: row.manual === 1,
});

export const toRun = (row: ListedRun) => ({
  ...{ scheduleId: row.schedule_id, environmentId: row.environment_id },
  ...{ deploymentId: row.deployment_id, functionName: row.function_name },
  ...toOutcome(row),
});
