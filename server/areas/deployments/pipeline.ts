import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '@mainstay/config';
import type { Logger } from 'pino';
import { Coalesced } from '#core/coalesced.ts';
import type { Tx } from '#core/db.ts';
import { comesFromFullDisk, DiskFull } from '#core/disk.ts';
import { isId, newId } from '#core/ids.ts';
import { NothingChanged, Problem } from '#core/problem.ts';
import { RunFailed } from '#core/runner.ts';
import { ArchiveError } from './archive/check.ts';
import { BuildFailed } from './build.ts';
import { DeploymentLog } from './deployment-log.ts';
import { due, isBusy, renewLease } from './queue-store.ts';
import { fail } from './service.ts';
import { type StepDeps, Stopped, takeSteps } from './steps.ts';
import { type DeploymentRow, find, update } from './store.ts';

export interface PipelineDeps extends StepDeps {
  log: Logger;
  dataDir: string;
  endKeys(tx: Tx, of: { applicationId: string; deploymentId: string }): Promise<void>;
}

const leaseMilliseconds = 10_000;
const maxAttempts = 2;
const persistMilliseconds = 1000;

const unexplained = 'Internal error; see the server log for details.';

/**
 * Works on deployments that are due, each under a lease that it renews: a process that dies loses it, and another one
 * begins the step again. Every step can be repeated.
 */
export class Pipeline {
  readonly #deps: PipelineDeps;
  readonly #most: number;
  readonly #working = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #looks = new Coalesced(() => this.#look());
  readonly #closing = new AbortController();

  constructor(deps: PipelineDeps, most: number) {
    this.#deps = deps;
    this.#most = most;
  }

  /** Looks for work now. */
  look(): Promise<void> {
    return this.#looks.run();
  }

  async #look(): Promise<void> {
    const { db, clock } = this.#deps;
    await this.#heedCancellations();
    if (this.#working.size >= this.#most || this.#closing.signal.aborted) return;
    for (const { id } of await due(db, clock.now())) {
      if (this.#working.size >= this.#most || this.#closing.signal.aborted) return;
      if (this.#working.has(id)) continue;
      const lease = newId(clock.now());
      const row = await db.write((tx) => this.#take(tx, id, lease));
      if (row) this.#begin(row, lease);
    }
  }

  async #heedCancellations(): Promise<void> {
    for (const [id, { stop }] of this.#working) {
      const row = await find(this.#deps.db, id);
      if (!row || row.cancel_requested_at !== null) stop.abort(new BuildFailed('Cancelled.'));
    }
  }

  /** One deployment of an application at a time; one that was begun twice and ended neither time is given up. */
  async #take(tx: Tx, id: string, lease: string): Promise<DeploymentRow | null> {
    const now = this.#deps.clock.now();
    const row = await find(tx, id);
    if (!row || row.status === 'ACTIVE' || row.status === 'FAILED' || row.status === 'PENDING') return null;
    if (row.leased_until !== null && row.leased_until >= now) return null;
    if (await isBusy(tx, row.application_id, id, now)) return null;
    if (row.cancel_requested_at !== null) {
      await fail(tx, row, 'Cancelled.', now);
      return null;
    }
    if (row.attempts >= maxAttempts) {
      await fail(tx, row, 'The server was restarted twice while it worked on this deployment.', now);
      return null;
    }
    const changes = { lease, leased_until: now + leaseMilliseconds, attempts: row.attempts + 1 };
    await update(tx, id, changes);
    return { ...row, ...changes };
  }

  #begin(row: DeploymentRow, lease: string): void {
    const stop = new AbortController();
    const renewing = setInterval(() => void this.#renew(row.id, lease, stop), leaseMilliseconds / 3);
    const done = this.#work(row, lease, stop.signal)
      .catch((err) =>
        this.#deps.log.error({ err, deployment: row.id }, 'A deployment was left to its lease.'),
      )
      .finally(() => {
        clearInterval(renewing);
        this.#working.delete(row.id);
        if (!this.#closing.signal.aborted) void this.look().catch(() => {});
      });
    this.#working.set(row.id, { stop, done });
  }

  async #renew(id: string, lease: string, stop: AbortController): Promise<void> {
    const { db, clock } = this.#deps;
    const until = clock.now() + leaseMilliseconds;
    // A database that is away for a moment costs the lease only when it stays away for longer.
    const held = await db.write((tx) => renewLease(tx, id, lease, until)).catch(() => true);
    if (!held) stop.abort(new Stopped('Another process works on it.'));
  }

  async #work(row: DeploymentRow, lease: string, signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps;
    const log = new DeploymentLog({ db, clock, deploymentId: row.id });
    const workFolder = path.join(this.#deps.dataDir, 'builds', row.id);
    try {
      await takeSteps(this.#deps, { row, lease, signal, log, folder: workFolder });
    } catch (error) {
      // Where the disk is full, this makes the room for saying so.
      await rm(workFolder, { recursive: true, force: true }).catch(() => {});
      const cause = signal.aborted ? signal.reason : error;
      if (comesFromFullDisk(cause)) await this.#makeRoom(row, cause);
      const told = reasonOf(cause);
      const reason = told && log.masked(told);
      if (reason === null) {
        if (error instanceof Stopped || signal.reason instanceof Stopped) return;
        throw error;
      }
      if (reason === unexplained)
        this.#deps.log.error({ err: error, deployment: row.id }, 'A deployment failed.');
      await this.#persist(row, async () => {
        await log.flush();
        await db.write(async (tx) => {
          const current = await find(tx, row.id);
          if (current?.lease !== lease) return;
          await fail(tx, current, reason, clock.now());
          await this.#deps.endKeys(tx, { applicationId: row.application_id, deploymentId: row.id });
        });
      });
    } finally {
      await log.flush().catch(() => {});
      await rm(workFolder, { recursive: true, force: true }).catch(() => {});
    }
  }

  async #makeRoom(row: DeploymentRow, err: unknown): Promise<void> {
    this.#deps.log.error({ err, deployment: row.id }, 'The disk is full: a deployment failed.');
    await this.#deps.caches.empty().catch(() => {});
  }

  /** Why it failed must not be lost because that cannot be written down yet: the disk may be full for the database as well. */
  async #persist(row: DeploymentRow, write: () => Promise<void>): Promise<void> {
    for (let isTold = false; ; isTold = true) {
      try {
        return await write();
      } catch (err) {
        if (!(err instanceof NothingChanged) || this.#closing.signal.aborted) throw err;
        const sentence = 'The end of a deployment cannot be written down; it is tried again.';
        if (!isTold) this.#deps.log.warn({ err, deployment: row.id }, sentence);
      }
      await sleep(persistMilliseconds, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  /** Deletes folders of builds that processes which were killed have left, unless the build is still to continue. */
  async sweep(): Promise<void> {
    const parent = path.join(this.#deps.dataDir, 'builds');
    for (const id of await readdir(parent).catch(() => [])) {
      const row = isId(id) ? await find(this.#deps.db, id) : undefined;
      if (this.#working.has(id) || (row && row.status !== 'ACTIVE' && row.status !== 'FAILED')) continue;
      await rm(path.join(parent, id), { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // Its lease runs out, or is given back: another process continues with it.
    for (const { stop } of this.#working.values()) stop.abort(new Stopped('The server stops.'));
    await Promise.allSettled([...this.#working.values()].map(({ done }) => done));
    await this.#looks.idle();
  }
}

/** The sentence for the owner; null for what is not the deployment's fault. */
function reasonOf(error: unknown): string | null {
  if (error instanceof Stopped) return null;
  const isTold =
    error instanceof BuildFailed ||
    error instanceof ArchiveError ||
    error instanceof ConfigurationError ||
    error instanceof RunFailed;
  if (isTold) return error.message;
  if (comesFromFullDisk(error)) return new DiskFull().message;
  return error instanceof Problem ? error.message : unexplained;
}
