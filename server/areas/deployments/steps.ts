import { type ApplicationRow, findApplication } from '#accounts/applications/service.ts';
import type { Tried, Workload } from '#areas/functions/service.ts';
import type { ServiceVariable } from '#areas/services/service.ts';
import type { Blobs } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import type { Runner } from '#core/runner.ts';
import type { SettingsOf } from '#core/settings.ts';
import type { Vault } from '#core/vault.ts';
import { type Manifest, readManifest } from './artefact.ts';
import { BuildFailed, resolveBuilt, runCommands, unpackSources } from './build.ts';
import type { BuildMinutes } from './build-minutes.ts';
import { resolve } from './configuration/resolve.ts';
import type { DeploymentLog } from './deployment-log.ts';
import type { PackageCaches } from './package-caches.ts';
import { publish } from './publish.ts';
import type { Status } from './schema.ts';
import type { deploymentSettings } from './settings.ts';
import { type DeploymentRow, find, update } from './store.ts';
import { switchTo } from './switch.ts';
import {
  type ScopedVariable,
  sealedVariables,
  secretsOf,
  sourcesOf,
  workloadVariables,
} from './variables.ts';

/** Where a deployment belongs. */
interface Place {
  organizationId: string;
  applicationId: string;
  environmentId: string;
}

export interface StepDeps {
  db: Db;
  blobs: Blobs;
  clock: Clock;
  vault: Vault;
  runner: Runner | null;
  settings: SettingsOf<typeof deploymentSettings>;
  caches: PackageCaches;
  buildMinutes: BuildMinutes;
  variablesOf(tx: Tx, place: Place): Promise<readonly ScopedVariable[]>;
  /** Makes a key for the code of a deployment; what was made for it before stays. */
  keyFor(tx: Tx, of: Place & { deploymentId: string }): Promise<{ id: string; secret: string }>;
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
    place: Place,
    buckets: readonly { name: string; visibility: 'public' | 'private' }[],
  ): Promise<void>;
  /** Makes the databases that the configuration asks for, and resolves with the variables that lead to them. */
  provideServices(place: Place, wanted: NonNullable<Manifest['services']>): Promise<ServiceVariable[]>;
}

interface EnvironmentInfo {
  id: string;
  slug: string;
  isDefault: boolean;
}

/** A deployment under a lease. */
export interface Work {
  row: DeploymentRow;
  lease: string;
  signal: AbortSignal;
  log: DeploymentLog;
  /** Of its build; may be deleted afterwards. */
  folder: string;
}

/** Its end was asked for, or another process has the lease. */
export class Stopped extends Error {
  override name = 'Stopped';
}

/** From the archive to the switch. Throws where it cannot become live, or where the lease is lost. */
export async function takeSteps(deps: StepDeps, work: Work): Promise<void> {
  const { db } = deps;
  const { row, signal, log } = work;
  const environment = await deps.environmentOf(row.application_id, row.environment_id);
  const application = await findApplication(db, row.application_id);
  if (!environment || !application) throw new BuildFailed('The application or its environment is gone.');
  const place: Place = {
    organizationId: application.organization_id,
    applicationId: row.application_id,
    environmentId: environment.id,
  };
  const variables = await db.write((tx) => deps.variablesOf(tx, place));
  log.mask(variables.filter(({ sensitive }) => sensitive).map(({ value }) => value));
  const own = Object.fromEntries(variables.map(({ key, value }) => [key, value]));

  const manifest = await manifestOf(deps, work, { application, place, own });
  const ofServices = await provide(deps, place, manifest.services);
  const isServed = manifest.functions.length > 0;
  const owner = { ...place, deploymentId: row.id };
  const key = isServed ? await db.write((tx) => deps.keyFor(tx, owner)) : null;
  const served = Object.fromEntries(ofServices.map(({ key: name, value }) => [name, value]));
  const env = workloadVariables(own, { ...manifest.env, ...served }, row, key);
  const sources = sourcesOf(env, variables, ofServices);
  const secrets = secretsOf(env, sources);
  log.mask(secrets);
  if (isServed) log.info(`Starting ${manifest.functions.map(({ name }) => name).join(', ')}.`);
  await using tried = isServed ? await deps.tryFunctions(owner, manifest, { env, secrets }, signal) : null;
  signal.throwIfAborted();
  log.info(`Deployed to ${environment.slug}.`);
  await log.flush();
  await db.write(async (tx) => {
    tried?.check();
    const current = await demandLease(tx, work);
    const now = deps.clock.now();
    await update(tx, row.id, {
      status: 'ACTIVE',
      active_at: now,
      finished_at: now,
      updated_at: now,
      lease: null,
      leased_until: null,
      variables: sealedVariables(deps.vault, row.id, env),
      variable_sources: JSON.stringify(sources),
    });
    await switchTo(tx, current, environment, now);
  });
  tried?.adopt();
}

/** What is deployed: that of an earlier deployment, or what the archive is built to. */
async function manifestOf(
  deps: StepDeps,
  work: Work,
  {
    application,
    place,
    own,
  }: { application: ApplicationRow; place: Place; own: Readonly<Record<string, string>> },
): Promise<Manifest> {
  const { db, blobs, clock, runner, settings } = deps;
  const { row, signal, log, folder: workFolder } = work;
  if (row.redeploy_of && row.artefact) {
    const message = 'Deploying the files of an earlier deployment with the variables of today.';
    const { manifest } = await readManifest(blobs, row.artefact);
    await turn(deps, work, 'PROVISIONING', message);
    return manifest;
  }
  await turn(deps, work, 'STARTING', 'Unpacking the archive.');
  const parts = JSON.parse(row.source ?? '[]') as string[];
  const limits = { entries: settings.archiveEntries, bytes: settings.archiveUnpackedBytes };
  const building = { blobs, runner, log, signal };
  const sources = await unpackSources(building, {
    ...{ parts, workFolder, limits, rootDirectory: application.root_directory },
  });
  const planned = await resolve(sources.project, sources.configuration, { isBuilt: false });
  for (const note of planned.notes) log.info(note);
  for (const warning of planned.warnings) log.add('WARN', warning);
  if (!row.prebuilt && planned.commands.length > 0) {
    await deps.buildMinutes.demand(application.organization_id);
    await turn(deps, work, 'BUILDING', 'Building.');
    await using cache = await deps.caches.open(row.application_id);
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
    await deps.buildMinutes.count(place, () => runCommands(building, sources, planned, options));
  }
  await turn(deps, work, 'PROVISIONING', 'Publishing.');
  const resolved = await resolveBuilt(sources);
  return publish({ db, blobs, clock, runner, log }, row, sources, resolved);
}

async function turn({ db, clock }: StepDeps, work: Work, status: Status, message: string): Promise<void> {
  const { row, log } = work;
  log.info(message);
  await log.flush();
  await db.write(async (tx) => {
    await demandLease(tx, work);
    await update(tx, row.id, { status, updated_at: clock.now() });
    announce(tx, 'deployment', row.id);
  });
}

async function demandLease(tx: Tx, { row, lease }: Work): Promise<DeploymentRow> {
  const current = await find(tx, row.id);
  if (current?.lease !== lease) throw new Stopped('Another process works on it.');
  if (current.cancel_requested_at !== null) throw new BuildFailed('Cancelled.');
  return current;
}

/** Resolves with the variables that lead to what was made. */
async function provide(
  deps: StepDeps,
  place: Place,
  services: Manifest['services'],
): Promise<ServiceVariable[]> {
  if (!services) return [];
  const buckets = Object.entries(services.storage?.buckets ?? {}).map(([name, bucket]) => ({
    name,
    visibility: bucket?.visibility ?? ('private' as const),
  }));
  if (buckets.length > 0) await deps.ensureBuckets(place, buckets);
  return deps.provideServices(place, services);
}

function cacheNote(bytes: number): string {
  if (bytes === 0) return 'Package cache: empty.';
  return `Package cache: ${Math.max(1, Math.round(bytes / 1024 ** 2))} MiB from earlier builds.`;
}
