import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Environments } from '#accounts/applications/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { type Instances, tryFunctions } from '#areas/functions/service.ts';
import type { Addresses } from '#areas/hostnames/service.ts';
import type { Tails } from '#areas/request-logs/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Tx } from '#core/db.ts';
import type { Maybe } from '#core/maybe.ts';
import type { Runner } from '#core/runner.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { BuildMinutes } from './build-minutes.ts';
import { deleteBuildTime } from './build-usage-store.ts';
import { noteCrash } from './crashes.ts';
import { imageCacheRoutes } from './image-cache-routes.ts';
import { inspectRoutes } from './inspect-routes.ts';
import { latestRoutes } from './latest-routes.ts';
import { logStreamRoutes } from './log-stream-routes.ts';
import { PackageCaches } from './package-caches.ts';
import { Pipeline, type PipelineDeps } from './pipeline.ts';
import { deleteOld } from './retention.ts';
import { deploymentRoutes } from './routes.ts';
import { runtimeRoutes } from './runtime-routes.ts';
import { deploymentSettings } from './settings.ts';
import { purgeDeployments, statesOf } from './store.ts';
import { failForgotten, sweepBlobs } from './sweep.ts';
import { uploadRoutes } from './upload-routes.ts';
import { type UsageDeps, usageRoutes } from './usage-routes.ts';
import { sealedDeployments } from './variables.ts';

export const area = {
  settings: { heading: 'Deployments', group: deploymentSettings },
  tables: ['deployments', 'deployment_parts', 'deployment_blobs', 'deployment_log', 'build_usage'],
  sealedColumns: [sealedDeployments],
  products: { deployments: 'Deployments' },
} satisfies Area;

/** How long it is known what builds of a month took. */
const keptMilliseconds = 400 * 86_400_000;

interface Needs {
  once: Once;
  tenancy: Tenancy;
  environments: Environments;
  addresses: Addresses;
  /** Bounds live streams; closed by the area of request logs. */
  tails: Tails;
  hasAccess(organizationId: string | null, product: string): Maybe<boolean>;
  runner: Runner | null;
  instances: Instances | null;
  domainsOf: UsageDeps['domainsOf'];
  instanceLimits: UsageDeps['limits'];
  variablesOf: PipelineDeps['variablesOf'];
  ensureBuckets: PipelineDeps['ensureBuckets'];
  provideServices: PipelineDeps['provideServices'];
  workloadKeys: {
    create(
      tx: Tx,
      workload: {
        type: 'deployment';
        id: string;
        organizationId: string;
        applicationId: string;
        environmentId: string;
      },
    ): Promise<{ id: string; secret: string }>;
    end(tx: Tx, workload: { applicationId: string; id: string }): Promise<void>;
  };
}

export function open(
  parts: Parts<
    'db' | 'vault' | 'clock' | 'log' | 'logs' | 'blobs' | 'baseUrl' | 'dataDir',
    typeof deploymentSettings
  >,
  needs: Needs,
): OpenedArea & { statesOf(ids: readonly string[]): Promise<Map<string, string>> } {
  const { db, vault, clock, log, logs, baseUrl, dataDir, settings } = parts;
  const blobs = parts.blobs.deployments;
  const { once, tenancy, environments, addresses, hasAccess, runner, instances, tails, workloadKeys } = needs;
  const endKeys = (
    tx: Tx,
    { applicationId, deploymentId }: { applicationId: string; deploymentId: string },
  ) => workloadKeys.end(tx, { applicationId, id: deploymentId });
  const caches = new PackageCaches({
    ...{ folder: path.join(dataDir, 'package-caches'), clock, log },
    ...{ mostBytes: settings.buildCache, mostBytesOfAll: settings.buildCaches },
  });
  const buildMinutes = new BuildMinutes({ db, clock, perMonth: settings.buildMinutes });
  const pipeline = new Pipeline(
    {
      ...{ db, blobs, clock, vault, log, dataDir, runner, settings, caches, buildMinutes },
      variablesOf: needs.variablesOf,
      ensureBuckets: needs.ensureBuckets,
      provideServices: needs.provideServices,
      keyFor: (tx, { deploymentId, ...place }) =>
        workloadKeys.create(tx, { type: 'deployment', id: deploymentId, ...place }),
      endKeys,
      environmentOf: async (applicationId, environmentId) =>
        (await environments.all(applicationId)).find(({ id }) => id === environmentId) ?? null,
      tryFunctions: async (deployment, manifest, workload, signal) =>
        instances ? tryFunctions(instances, deployment, manifest, workload, signal) : null,
    },
    settings.builds || Math.max(1, Math.floor(availableParallelism() / 2)),
  );
  db.notifications.on('deployment', () => {
    pipeline.look().catch((err) => log.warn({ err }, 'Deployments that are due could not be looked up.'));
  });
  instances?.onCrashes(({ deploymentId, wanted }, reason) => {
    const crash = { deploymentId, functionName: wanted.name, reason };
    noteCrash({ db, clock, environments }, crash).catch((err) =>
      log.warn({ err, deployment: deploymentId }, 'Crashes of a deployment could not be written down.'),
    );
  });
  const sweep = () =>
    pipeline.sweep().catch((err) => log.warn({ err }, 'Folders of builds could not be looked after.'));
  const swept = sweep();
  const reaching = { db, tenancy, hasAccess };
  return {
    statesOf: (ids) => statesOf(db, ids),
    routes: [
      deploymentRoutes({ ...reaching, clock, once, environments, addresses, endKeys }),
      logStreamRoutes({ ...reaching, tails }),
      inspectRoutes({ ...reaching, blobs }),
      runtimeRoutes({ ...reaching, blobs, logs, clock, tails }),
      imageCacheRoutes({ ...reaching, blobs }),
      latestRoutes({ db, addresses }),
      usageRoutes({ buildMinutes, instances, domainsOf: needs.domainsOf, limits: needs.instanceLimits }),
      uploadRoutes({
        ...{ ...reaching, clock, vault, blobs, baseUrl },
        archiveBytes: settings.archiveBytes,
        archivePartBytes: settings.archivePartBytes,
      }),
    ],
    tasks: [
      { everySeconds: 2, name: 'look for deployments', work: () => pipeline.look() },
      { everySeconds: 600, name: 'sweep folders of builds', work: sweep },
      {
        everySeconds: 300,
        name: 'fail deployments without an archive',
        work: () => failForgotten(db, clock.now(), settings.deploymentWait * 1000),
      },
      {
        everySeconds: 3600,
        name: 'delete old deployments',
        work: () =>
          deleteOld(
            db,
            clock.now(),
            { kept: settings.deploymentsKept, milliseconds: settings.deploymentRetention * 1000 },
            endKeys,
          ),
      },
      {
        everySeconds: 3600,
        name: 'sweep blobs of deployments',
        work: () => sweepBlobs(db, blobs, clock.now()),
      },
      {
        everySeconds: 86_400,
        name: 'sweep build minutes',
        work: () =>
          db.write((tx) => deleteBuildTime(tx, isoTime(clock.now() - keptMilliseconds).slice(0, 7))),
      },
      { everySeconds: 3600, name: 'sweep package caches', work: () => caches.sweep() },
    ],
    purgeApplication: async (applicationId) => {
      await db.write((tx) => purgeDeployments(tx, applicationId));
      await caches.remove(applicationId);
    },
    close: async () => {
      await swept;
      await pipeline.close();
    },
  };
}
