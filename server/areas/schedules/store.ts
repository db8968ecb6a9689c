import { type LiveDeployment, liveDeployments } from '#areas/deployments/service.ts';
import { countRows, type Db, type Tx } from '#core/db.ts';

interface ScheduleTable {
  id: string;
  application_id: string;
  environment_id: string;
  function_name: string;
  schedule: string;
  deployment_id: string;
  /** Null: it is never due again. */
  next_at: number | null;
  lease: string | null;
  leased_until: number | null;
  seen_at: number;
}

type RunStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'MISSED';

interface RunTable {
  id: string;
  schedule_id: string;
  application_id: string;
  deployment_id: string;
  status: RunStatus;
  due_at: number;
  started_at: number | null;
  finished_at: number | null;
  response_status: number | null;
  error: string | null;
  /** 1: somebody asked for it. */
  manual: number | null;
}

declare module '#core/db.ts' {
  interface Tables {
    schedules: ScheduleTable;
    schedule_runs: RunTable;
  }
}

export type ScheduleRow = ScheduleTable;
export type RunRow = RunTable;

/** Live deployments whose functions have schedules: of an environment the newest, where several of its branches are live. */
export async function liveWithSchedules(db: Db): Promise<LiveDeployment[]> {
  const all = await liveDeployments(db, 'scheduled');
  return [...new Map(all.map((row) => [row.environmentId, row])).values()];
}

export function ofEnvironment(db: Db | Tx, environmentId: string): Promise<ScheduleRow[]> {
  return db.selectFrom('schedules').selectAll().where('environment_id', '=', environmentId).execute();
}

export async function insertSchedule(tx: Tx, row: ScheduleRow): Promise<void> {
  await tx
    .insertInto('schedules')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function findSchedule(db: Db | Tx, id: string): Promise<ScheduleRow | undefined> {
  return db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function updateSchedule(tx: Tx, id: string, changes: Partial<ScheduleRow>): Promise<void> {
  await tx.updateTable('schedules').set(changes).where('id', '=', id).execute();
}

export async function renewLease(tx: Tx, id: string, lease: string, until: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('schedules')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}

export async function insertRun(tx: Tx, row: RunRow): Promise<void> {
  await tx.insertInto('schedule_runs').values(row).execute();
}

export async function updateRun(tx: Tx, id: string, changes: Partial<RunRow>): Promise<void> {
  await tx.updateTable('schedule_runs').set(changes).where('id', '=', id).execute();
}

/** Those of a schedule that nobody works on any more. */
export async function failUnfinished(tx: Tx, scheduleId: string, error: string, now: number): Promise<void> {
  await tx
    .updateTable('schedule_runs')
    .set({ status: 'FAILED', error, finished_at: now })
    .where('schedule_id', '=', scheduleId)
    .where('status', '=', 'RUNNING')
    .execute();
}

export function listSchedules(db: Db, applicationId: string, seenSince: number): Promise<ScheduleRow[]> {
  return db
    .selectFrom('schedules')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('seen_at', '>=', seenSince)
    .orderBy('function_name')
    .orderBy('id')
    .execute();
}

/** The newest run of each of those schedules that had one. */
export async function lastRuns(db: Db, scheduleIds: readonly string[]): Promise<Map<string, RunRow>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('schedules')
    .innerJoin('schedule_runs as last', (join) =>
      join.on(({ eb, ref, selectFrom }) =>
        eb(
          'last.id',
          '=',
          selectFrom('schedule_runs as one')
            .select('one.id')
            .where('one.schedule_id', '=', ref('schedules.id'))
            .orderBy('one.id', 'desc')
            .limit(1),
        ),
      ),
    )
    .selectAll('last')
    .where('schedules.id', 'in', scheduleIds)
    .execute();
  return new Map(rows.map((row) => [row.schedule_id, row]));
}

export type ListedRun = RunRow & { function_name: string; environment_id: string };

interface RunFilter {
  applicationId: string;
  environmentId: string | undefined;
}

function runs(db: Db, { applicationId, environmentId }: RunFilter) {
  const query = db
    .selectFrom('schedule_runs')
    .innerJoin('schedules', 'schedules.id', 'schedule_runs.schedule_id')
    .where('schedule_runs.application_id', '=', applicationId);
  return environmentId === undefined ? query : query.where('schedules.environment_id', '=', environmentId);
}

/** Newest first. */
export function listRuns(
  db: Db,
  filter: RunFilter,
  page: { limit: number; after: string | undefined },
): Promise<ListedRun[]> {
  const query = runs(db, filter)
    .selectAll('schedule_runs')
    .select(['schedules.function_name', 'schedules.environment_id'])
    .orderBy('schedule_runs.id', 'desc')
    .limit(page.limit);
  return (page.after === undefined ? query : query.where('schedule_runs.id', '<', page.after)).execute();
}

export function countRuns(db: Db, filter: RunFilter): Promise<number> {
  return countRows(runs(db, filter));
}

export async function deleteRuns(tx: Tx, before: number): Promise<void> {
  await tx
    .deleteFrom('schedule_runs')
    .where('due_at', '<', before)
    .where('status', '<>', 'RUNNING')
    .execute();
}
