import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '@mainstay/config';
import type { Logger } from 'pino';
import { findApplication } from '#accounts/applications/service.ts';
import type { Tried, Workload } from '#areas/functions/service.ts';
import type { ServiceVariable } from '#areas/services/service.ts';
import type { Blobs } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import { Coalesced } from '#core/coalesced.ts';
import type { Db, Tx } from '#core/db.ts';
import { comesFromFullDisk, DiskFull } from '#core/disk.ts';
import { isId, newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { NothingChanged, Problem } from '#core/problem.ts';
import { RunFailed, type Runner } from '#core/runner.ts';
import type { SettingsOf } from '#core/settings.ts';
import type { Vault } from '#core/vault.ts';
import { ArchiveError } from './archive/check.ts';
import { type Manifest, readManifest } from './artefact.ts';
import { BuildFailed, resolveBuilt, runCommands, unpackSources } from './build.ts';
import type { BuildMinutes } from './build-minutes.ts';
import { resolve } from './configuration/resolve.ts';
import { DeploymentLog } from './deployment-log.ts';
import type { PackageCaches } from './package-caches.ts';
import { publish } from './publish.ts';
import type { Status } from './schema.ts';
import { fail } from './service.ts';
import type { deploymentSettings } from './settings.ts';
import { type DeploymentRow, due, find, isBusy, renewLease, update } from './store.ts';
import { switchTo } from './switch.ts';
import {
  type ScopedVariable,
  sealedVariables,
  secretsOf,
  sourcesOf,
  workloadVariables,
} from './variables.ts';

const leaseMilliseconds = 10_000;
const maxAttempts = 2;
const persistMilliseconds = 1000;

export interface PipelineDeps {
  db: Db;
  blobs: Blobs;
  clock: Clock;
  vault: Vault;
  log: Logger;
  dataDir: string;
  runner: Runner | null;
  settings: SettingsOf<typeof deploymentSettings>;
  caches: PackageCaches;
  buildMinutes: BuildMinutes;
  variablesOf(
    tx: Tx,
    view: { organizationId: string; applicationId: string; environmentId: string },
  ): Promise<readonly ScopedVariable[]>;
  /** Makes a key for the code of a deployment; what was made for it before stays. */
  keyFor(
    tx: Tx,
    of: { organizationId: string; applicationId: string; environmentId: string; deploymentId: string },
  ): Promise<{ id: string; secret: string }>;
  endKeys(tx: Tx, of: { applicationId: string; deploymentId: string }): Promise<void>;
  environmentOf(applicationId: string, environmentId: string): Promise<EnvironmentInfo | null>;
  /** Starts each function once and asks it for an answer; null where this instance runs none. */
  tryFunctions(
    owner: { organizationId: string; applicationId: string; deploymentId: string },
    manifest: Manifest,
    workload: Workload,
    signal: AbortSignal,
  ): Promise<Tried | null>;
  /** Makes the buckets that the configuration names, where they are not there yet. */
  ensureBuckets(
    place: { organizationId: string; applicationId: string; environmentId: string },
    buckets: readonly { name: string; visibility: 'public' | 'private' }[],
  ): Promise<void>;
  /** Makes the databases that the configuration asks for, and resolves with the variables that lead to them. */
  provideServices(
    place: { organizationId: string; applicationId: string; environmentId: string },
    wanted: NonNullable<Manifest['services']>,
  ): Promise<ServiceVariable[]>;
}

interface EnvironmentInfo {
  id: string;
  slug: string;
  isDefault: boolean;
}

const unexplained = 'Internal error; see the server log for details.';

/** Somebody asked for the end, or another process has the lease. */
class Stopped extends Error {
  override name = 'Stopped';
}

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
      await this.#steps(row, lease, signal, log, workFolder);
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

  async #steps(
    row: DeploymentRow,
    lease: string,
    signal: AbortSignal,
    log: DeploymentLog,
    workFolder: string,
  ): Promise<void> {
    const { db, clock, settings, vault } = this.#deps;
    const environment = await this.#deps.environmentOf(row.application_id, row.environment_id);
    const application = await findApplication(db, row.application_id);
    if (!environment || !application) throw new BuildFailed('The application or its environment is gone.');
    const view = {
      organizationId: application.organization_id,
      applicationId: row.application_id,
      environmentId: environment.id,
    };
    const variables = await db.write((tx) => this.#deps.variablesOf(tx, view));
    log.mask(variables.filter(({ sensitive }) => sensitive).map(({ value }) => value));
    const own = Object.fromEntries(variables.map(({ key, value }) => [key, value]));
    const turn = (status: Status, message: string) => this.#turn(row.id, lease, status, log, message);

    let manifest: Manifest;
    if (row.redeploy_of && row.artefact) {
      manifest = (await readManifest(this.#deps.blobs, row.artefact)).manifest;
      await turn('PROVISIONING', 'Deploying the files of an earlier deployment with the variables of today.');
    } else {
      await turn('STARTING', 'Unpacking the archive.');
      const parts = JSON.parse(row.source ?? '[]') as string[];
      const limits = { entries: settings.archiveEntries, bytes: settings.archiveUnpackedBytes };
      const deps = { blobs: this.#deps.blobs, runner: this.#deps.runner, log, signal };
      const sources = await unpackSources(deps, {
        ...{ parts, workFolder, limits, rootDirectory: application.root_directory },
      });
      const planned = await resolve(sources.project, sources.configuration, { isBuilt: false });
      for (const note of planned.notes) log.info(note);
      for (const warning of planned.warnings) log.add('WARN', warning);
      if (!row.prebuilt && planned.commands.length > 0) {
        await this.#deps.buildMinutes.demand(application.organization_id);
        await turn('BUILDING', 'Building.');
        await using cache = await this.#deps.caches.open(row.application_id);
        if (cache) log.info(cacheNote(cache.bytes));
        const options = {
          env: { ...planned.env, ...own },
          memoryBytes: settings.buildMemory,
          cpuPercent: settings.buildCpu,
          diskBytes: settings.buildDisk,
          seconds: settings.buildSeconds,
          cacheFolder: cache?.folder,
          registry: settings.buildNpmRegistry,
        };
        await this.#deps.buildMinutes.count(view, () => runCommands(deps, sources, planned, options));
      }
      await turn('PROVISIONING', 'Publishing.');
      const resolved = await resolveBuilt(sources);
      const { blobs, runner } = this.#deps;
      manifest = await publish({ db, blobs, clock, runner, log }, row, sources, resolved);
    }
    const ofServices = await this.#provide(view, manifest.services);
    const isServed = manifest.functions.length > 0;
    const key = isServed
      ? await db.write((tx) => this.#deps.keyFor(tx, { ...view, deploymentId: row.id }))
      : null;
    const served = Object.fromEntries(ofServices.map(({ key: name, value }) => [name, value]));
    const env = workloadVariables(own, { ...manifest.env, ...served }, row, key);
    const sources = sourcesOf(env, variables, ofServices);
    const secrets = secretsOf(env, sources);
    log.mask(secrets);
    if (isServed) log.info(`Starting ${manifest.functions.map(({ name }) => name).join(', ')}.`);
    const deployment = { ...view, deploymentId: row.id };
    await using tried = isServed
      ? await this.#deps.tryFunctions(deployment, manifest, { env, secrets }, signal)
      : null;
    signal.throwIfAborted();
    log.info(`Deployed to ${environment.slug}.`);
    await log.flush();
    await db.write(async (tx) => {
      tried?.check();
      const current = await find(tx, row.id);
      if (current?.lease !== lease) throw new Stopped('Another process works on it.');
      if (current.cancel_requested_at !== null) throw new BuildFailed('Cancelled.');
      const now = clock.now();
      await update(tx, row.id, {
        status: 'ACTIVE',
        active_at: now,
        finished_at: now,
        updated_at: now,
        lease: null,
        leased_until: null,
        variables: sealedVariables(vault, row.id, env),
        variable_sources: JSON.stringify(sources),
      });
      await switchTo(tx, current, environment, now);
    });
    tried?.adopt();
  }

  async #turn(id: string, lease: string, status: Status, log: DeploymentLog, message: string): Promise<void> {
    const { db, clock } = this.#deps;
    log.info(message);
    await log.flush();
    await db.write(async (tx) => {
      const current = await find(tx, id);
      if (current?.lease !== lease) throw new Stopped('Another process works on it.');
      if (current.cancel_requested_at !== null) throw new BuildFailed('Cancelled.');
      await update(tx, id, { status, updated_at: clock.now() });
      announce(tx, 'deployment', id);
    });
  }

  /** Resolves with the variables that lead to what was made. */
  async #provide(
    place: Parameters<PipelineDeps['ensureBuckets']>[0],
    services: Manifest['services'],
  ): Promise<ServiceVariable[]> {
    if (!services) return [];
    const buckets = Object.entries(services.storage?.buckets ?? {}).map(([name, bucket]) => ({
      name,
      visibility: bucket?.visibility ?? ('private' as const),
    }));
    if (buckets.length > 0) await this.#deps.ensureBuckets(place, buckets);
    return this.#deps.provideServices(place, services);
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

function cacheNote(bytes: number): string {
  if (bytes === 0) return 'Package cache: empty.';
  return `Package cache: ${Math.max(1, Math.round(bytes / 1024 ** 2))} MiB from earlier builds.`;
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
