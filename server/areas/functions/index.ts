import { totalmem } from 'node:os';
import path from 'node:path';
import { Packages } from '#areas/deployments/service.ts';
import { newId } from '#core/ids.ts';
import type { Runner } from '#core/runner.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { AlwaysOn } from './always-on.ts';
import { Instances } from './instances.ts';
import { Meter } from './meter.ts';
import { functionEvents } from './metrics.ts';
import { functionSettings } from './settings.ts';
import { deletePoints } from './store.ts';

export const area = {
  settings: { heading: 'Functions', group: functionSettings },
  tables: ['function_points'],
} satisfies Area;

/** Packages that stay unpacked on a node though nothing runs in them. */
const keptPackages = 100;
const keptMilliseconds = 31 * 86_400_000;

interface Needs {
  /** Null where this instance runs no code of users. */
  runner: Runner | null;
}

/** Processes of functions on this node. */
export function open(
  parts: Parts<
    'db' | 'vault' | 'clock' | 'log' | 'blobs' | 'logs' | 'dataDir' | 'metrics',
    typeof functionSettings
  >,
  { runner }: Needs,
): OpenedArea & { instances: Instances | null } {
  const { db, vault, clock, log, logs, settings, dataDir, metrics } = parts;
  const blobs = parts.blobs.deployments;
  const packages = new Packages({ folder: path.join(dataDir, 'functions'), blobs, most: keptPackages });
  const meter = new Meter({ db, clock, ...(metrics && runner ? { onCount: functionEvents() } : {}) });
  const sweep = () =>
    packages.sweep().catch((err) => log.warn({ err }, 'Packages of functions could not be looked after.'));
  const swept = sweep();
  let printed = 0;
  const instances = runner
    ? new Instances({
        ...{ runner, packages, clock, log, meter },
        concurrency: settings.functionConcurrency,
        most: settings.functionInstances,
        mostOfOrganization: settings.organizationInstances,
        memoryOfOrganization: settings.organizationMemory || Number.POSITIVE_INFINITY,
        queue: settings.functionQueue,
        queueSeconds: settings.functionQueueWait,
        freezeSeconds: settings.functionFreeze,
        idleSeconds: settings.functionIdle,
        drainSeconds: settings.functionDrain,
        answerSeconds: settings.functionAnswer,
        cpuPercent: settings.functionCpu,
        memoryBytes: settings.functionMemory || totalmem() / 2,
        onLine: ({ organizationId, applicationId, deploymentId }, functionId, message, stream) => {
          const at = clock.now();
          logs.write('runtime-logs', {
            ...{ id: newId(at), organizationId, applicationId, deploymentId, functionId },
            ...{ source: 'runtime', level: stream === 'stderr' ? 'ERROR' : 'INFO', message, at },
            seq: ++printed,
          });
        },
      })
    : null;
  const alwaysOn = instances ? new AlwaysOn({ db, vault, blobs, log, instances }) : null;
  return {
    instances,
    tasks:
      instances && alwaysOn
        ? [
            { everySeconds: 5, name: 'keep functions running', work: () => alwaysOn.look() },
            { everySeconds: 600, name: 'sweep packages of functions', work: sweep },
            { everySeconds: 10, name: 'freeze and end idle functions', work: () => instances.sweep() },
            { everySeconds: 10, name: 'write what functions used', work: () => meter.flush() },
            {
              everySeconds: 3600,
              name: 'sweep what functions used',
              work: () => db.write((tx) => deletePoints(tx, clock.now() - keptMilliseconds)),
            },
          ]
        : [],
    close: async () => {
      await swept;
      await alwaysOn?.close();
      await instances?.close();
      await meter.flush().catch((err) => log.warn({ err }, 'What functions used last was not written.'));
    },
  };
}
