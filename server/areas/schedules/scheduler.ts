import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import {
  type LiveDeployment,
  type PackagedFunction,
  parseSchedule,
  readManifest,
  type Schedule,
} from '#areas/deployments/service.ts';
import type { Blobs } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import {
  failUnfinished,
  findSchedule,
  insertRun,
  insertSchedule,
  type ListedRun,
  liveWithSchedules,
  ofEnvironment,
  type RunRow,
  renewLease,
  type ScheduleRow,
  updateRun,
  updateSchedule,
} from './store.ts';

/** A run that could not begin for longer is not made up. */
const lateMilliseconds = 600_000;
const leaseMilliseconds = 30_000;
const seenMilliseconds = 60_000;

export interface SchedulerDeps {
  db: Db;
  blobs: Blobs;
  clock: Clock;
  log: Logger;
  /** Calls the function; resolves with the status of its answer. */
  call(of: LiveDeployment, wanted: PackagedFunction, dueAt: number, signal: AbortSignal): Promise<number>;
}

interface RunWanted {
  applicationId: string;
  /** The only one that the caller sees; null: all. */
  environmentId: string | null;
  scheduleId: string;
}

/** The first moment after that one that the schedule names; null: there is none. */
export function nextAfter(schedule: Schedule, now: number, from: number): number | null {
  if (schedule.kind === 'cron') return schedule.cron.nextRun(new Date(now))?.getTime() ?? null;
  const step = schedule.seconds * 1000;
  return from + (Math.floor(Math.max(0, now - from) / step) + 1) * step;
}

/**
 * Calls functions of live deployments when they are due. Every node looks; the one that takes the lease of a schedule calls,
 * and nobody else does before it has ended.
 */
export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #functions = new LRUCache<string, readonly PackagedFunction[]>({ max: 1000 });
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** Takes what is due now and begins it. */
  async look(): Promise<void> {
    for (const live of await liveWithSchedules(this.#deps.db)) {
      const wanted = await this.#functionsOf(live.artefact);
      const rows = await this.#rowsFor(live, wanted);
      for (const one of wanted) {
        const row = rows.find(({ function_name }) => function_name === one.name);
        if (!row || this.#stop.signal.aborted) continue;
        const now = this.#deps.clock.now();
        if (row.next_at === null || row.next_at > now || (row.leased_until ?? 0) > now) continue;
        this.#begin(live, one, row.id);
      }
    }
  }

  /** Resolves when what was begun has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('The server stops.'));
    await this.settled();
  }

  async #functionsOf(artefact: string): Promise<readonly PackagedFunction[]> {
    const known = this.#functions.get(artefact);
    if (known) return known;
    const { manifest } = await readManifest(this.#deps.blobs, artefact);
    const functions = manifest.functions.filter(({ schedule }) => schedule !== null);
    this.#functions.set(artefact, functions);
    return functions;
  }

  /** The rows of its schedules; one that is new or says something else is due from now on. */
  async #rowsFor(live: LiveDeployment, wanted: readonly PackagedFunction[]): Promise<ScheduleRow[]> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const known = await ofEnvironment(db, live.environmentId);
    const isCurrent = wanted.every(({ name, schedule }) =>
      known.some(
        (row) =>
          row.function_name === name &&
          row.schedule === schedule &&
          row.deployment_id === live.deploymentId &&
          row.seen_at > now - seenMilliseconds,
      ),
    );
    if (isCurrent) return known;
    return db.write(async (tx) => {
      const current = await ofEnvironment(tx, live.environmentId);
      for (const { name, schedule } of wanted)
        await this.#keep(tx, live, name, schedule as string, current, now);
      return ofEnvironment(tx, live.environmentId);
    });
  }

  async #keep(
    tx: Tx,
    live: LiveDeployment,
    name: string,
    schedule: string,
    current: readonly ScheduleRow[],
    now: number,
  ): Promise<void> {
    const row = current.find(({ function_name }) => function_name === name);
    const seen = { deployment_id: live.deploymentId, seen_at: now };
    const fresh = () => ({ schedule, next_at: nextAfter(parseSchedule(schedule), now, now) });
    if (!row)
      await insertSchedule(tx, {
        ...{ id: newId(now), application_id: live.applicationId, environment_id: live.environmentId },
        ...{ function_name: name, ...fresh(), ...seen, lease: null, leased_until: null },
      });
    else await updateSchedule(tx, row.id, { ...seen, ...(row.schedule === schedule ? {} : fresh()) });
  }

  /** Begins what is not due; resolves once its run is written down. */
  async runNow(
    source: AuditSource,
    { applicationId, environmentId, scheduleId }: RunWanted,
  ): Promise<ListedRun> {
    const { db, clock } = this.#deps;
    const schedule = await findSchedule(db, scheduleId);
    const isVisible = environmentId === null || schedule?.environment_id === environmentId;
    if (schedule?.application_id !== applicationId || !isVisible)
      throw new Problem('not_found', 'The application has no schedule with this id.');
    const all = await liveWithSchedules(db);
    const live = all.find((one) => one.environmentId === schedule.environment_id);
    const functions = live ? await this.#functionsOf(live.artefact) : [];
    const wanted = functions.find(({ name }) => name === schedule.function_name);
    if (!live || !wanted)
      throw new Problem('conflict', 'No live deployment has this schedule any more. Deploy it again.');
    const lease = newId(clock.now());
    const run = await db.write((tx) => this.#takeNow(tx, source, live, scheduleId, lease));
    this.#follow(
      scheduleId,
      this.#carryOut(live, wanted, { scheduleId, lease, runId: run.id, dueAt: run.due_at }),
    );
    return { ...run, function_name: wanted.name, environment_id: live.environmentId };
  }

  async #takeNow(
    tx: Tx,
    source: AuditSource,
    live: LiveDeployment,
    scheduleId: string,
    lease: string,
  ): Promise<RunRow> {
    const now = this.#deps.clock.now();
    const row = await findSchedule(tx, scheduleId);
    if (!row) throw new Problem('not_found', 'The application has no schedule with this id.');
    if ((row.leased_until ?? 0) > now)
      throw new Problem(
        'conflict',
        'The function is running now, and never runs twice at a time. Try again later.',
      );
    await failUnfinished(tx, scheduleId, 'The server stopped while it was running.', now);
    const run: RunRow = {
      ...{ id: newId(now), schedule_id: scheduleId, application_id: live.applicationId },
      ...{ deployment_id: live.deploymentId, due_at: now, started_at: now, finished_at: null },
      ...{ status: 'RUNNING', response_status: null, error: null, manual: 1 },
    };
    await insertRun(tx, run);
    await updateSchedule(tx, scheduleId, { lease, leased_until: now + leaseMilliseconds });
    await audit(tx, source, {
      ...{ organizationId: live.organizationId, targetType: 'schedule', targetId: scheduleId },
      action: 'schedule.started',
      details: { applicationId: live.applicationId, function: row.function_name },
    });
    return run;
  }

  #begin(live: LiveDeployment, wanted: PackagedFunction, scheduleId: string): void {
    this.#follow(scheduleId, this.#run(live, wanted, scheduleId));
  }

  #follow(scheduleId: string, running: Promise<void>): void {
    const work = running
      .catch((err) => this.#deps.log.warn({ err, schedule: scheduleId }, 'A schedule was left to its lease.'))
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  async #run(live: LiveDeployment, wanted: PackagedFunction, scheduleId: string): Promise<void> {
    const { db, clock } = this.#deps;
    const lease = newId(clock.now());
    const taken = await db.write((tx) => this.#take(tx, live, scheduleId, lease));
    if (taken) await this.#carryOut(live, wanted, { scheduleId, lease, ...taken });
  }

  async #carryOut(
    live: LiveDeployment,
    wanted: PackagedFunction,
    { scheduleId, lease, runId, dueAt }: { scheduleId: string; lease: string; runId: string; dueAt: number },
  ): Promise<void> {
    const { db, clock } = this.#deps;
    const lost = new AbortController();
    const renewing = setInterval(() => {
      const until = clock.now() + leaseMilliseconds;
      db.write((tx) => renewLease(tx, scheduleId, lease, until)).then(
        (isHeld) => isHeld || lost.abort(new Error('Another node is running it.')),
        // A database that is away for a moment costs the lease only when it stays away.
        () => {},
      );
    }, leaseMilliseconds / 3);
    const signal = AbortSignal.any([this.#stop.signal, lost.signal]);
    let status: number | null = null;
    let error: string | null = null;
    try {
      status = await this.#deps.call(live, wanted, dueAt, signal);
      if (status >= 400) error = `The function responded with ${status}.`;
    } catch (problem) {
      error = (problem as Error).message;
    } finally {
      clearInterval(renewing);
    }
    await db.write(async (tx) => {
      const row = await findSchedule(tx, scheduleId);
      if (row?.lease !== lease) return;
      await updateRun(tx, runId, {
        ...{ status: error === null ? 'SUCCEEDED' : 'FAILED', error, response_status: status },
        finished_at: clock.now(),
      });
      await updateSchedule(tx, scheduleId, { lease: null, leased_until: null });
    });
  }

  /** Null where it is not due any more, or another node has it. */
  async #take(
    tx: Tx,
    live: LiveDeployment,
    scheduleId: string,
    lease: string,
  ): Promise<{ runId: string; dueAt: number } | null> {
    const now = this.#deps.clock.now();
    const row = await findSchedule(tx, scheduleId);
    if (!row || row.next_at === null || row.next_at > now || (row.leased_until ?? 0) > now) return null;
    await failUnfinished(tx, scheduleId, 'The server stopped while it was running.', now);
    const dueAt = row.next_at;
    const isLate = now - dueAt > lateMilliseconds;
    const run = {
      ...{ id: newId(now), schedule_id: scheduleId, application_id: live.applicationId },
      ...{ deployment_id: live.deploymentId, due_at: dueAt, response_status: null, manual: null },
    };
    const next_at = nextAfter(parseSchedule(row.schedule), now, dueAt);
    if (isLate) {
      const error = 'No node was available to run it within ten minutes of the scheduled time.';
      await insertRun(tx, { ...run, status: 'MISSED', started_at: null, finished_at: now, error });
      await updateSchedule(tx, scheduleId, { next_at, lease: null, leased_until: null });
      return null;
    }
    await insertRun(tx, { ...run, status: 'RUNNING', started_at: now, finished_at: null, error: null });
    await updateSchedule(tx, scheduleId, { next_at, lease, leased_until: now + leaseMilliseconds });
    return { runId: run.id, dueAt };
  }
}
