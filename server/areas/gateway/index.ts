import path from 'node:path';
import { openVariables, Packages } from '#areas/deployments/service.ts';
import type { Addresses } from '#areas/hostnames/service.ts';
import { newId } from '#core/ids.ts';
import { Outgoing } from '#core/outgoing.ts';
import type { RequestLog } from '#core/request-log.ts';
import type { Runner } from '#core/runner.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { Files } from './files.ts';
import { gatewayListener } from './gateway.ts';
import { Instances } from './instances.ts';
import { gatewaySettings } from './settings.ts';
import { Sites } from './sites.ts';

export const area = {
  settings: { heading: 'Gateway', group: gatewaySettings },
} satisfies Area;

/** Packages that stay unpacked on a node though nothing runs in them. */
const keptPackages = 100;

interface Needs {
  addresses: Addresses;
  requestLog: RequestLog;
  /** Null where this instance runs no code of users. */
  runner: Runner | null;
  gatewayPort: number;
  egressAllow: readonly string[];
}

export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'log' | 'blobs' | 'logs' | 'dataDir', typeof gatewaySettings>,
  { addresses, requestLog, runner, gatewayPort, egressAllow }: Needs,
): OpenedArea & { instances: Instances | null } {
  const { db, vault, clock, log, logs, settings, dataDir } = parts;
  const blobs = parts.blobs.deployments;
  const sites = new Sites({ db, blobs });
  const files = new Files({ blobs, maxBytes: settings.gatewayCacheBytes });
  const packages = new Packages({ folder: path.join(dataDir, 'functions'), blobs, most: keptPackages });
  let printed = 0;
  const instances = runner
    ? new Instances({
        ...{ runner, packages, clock, log },
        concurrency: settings.functionConcurrency,
        most: settings.functionInstances,
        queue: settings.functionQueue,
        idleSeconds: settings.functionIdle,
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
  const listener = gatewayListener({
    ...{ sites, files, instances, requestLog, clock, log },
    outgoing: new Outgoing({ allowed: egressAllow }),
    domain: addresses.domain,
    host: settings.gatewayHost ?? '127.0.0.1',
    port: gatewayPort,
    variablesOf: ({ deploymentId, variables }) => openVariables(vault, { id: deploymentId, variables }),
  });
  return {
    instances,
    listeners: [listener],
    tasks: instances ? [{ everySeconds: 10, name: 'end idle functions', work: () => instances.sweep() }] : [],
    close: async () => {
      await instances?.close();
    },
  };
}
