import path from 'node:path';
import type { Environments } from '#accounts/applications/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { openVariables, Packages } from '#areas/deployments/service.ts';
import type { Addresses } from '#areas/hostnames/service.ts';
import { AddressBlocks } from '#core/addresses.ts';
import { newId } from '#core/ids.ts';
import { Outgoing } from '#core/outgoing.ts';
import type { RequestLog } from '#core/request-log.ts';
import type { Runner } from '#core/runner.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { Guard } from './access/guard.ts';
import { accessRoutes } from './access/routes.ts';
import { Tickets } from './access/tickets.ts';
import { AnswerCache } from './cache/answer.ts';
import { Purges } from './cache/purges.ts';
import { Responses } from './cache/responses.ts';
import { cacheRoutes } from './cache/routes.ts';
import { Files } from './files.ts';
import { gatewayListener } from './gateway.ts';
import { Instances } from './instances.ts';
import { gatewaySettings } from './settings.ts';
import { Sites } from './sites.ts';
import { stickyRoutes } from './sticky-routes.ts';

export const area = {
  settings: { heading: 'Gateway', group: gatewaySettings },
  tables: ['environment_protection'],
} satisfies Area;

/** Packages that stay unpacked on a node though nothing runs in them. */
const keptPackages = 100;

interface Needs {
  addresses: Addresses;
  tenancy: Tenancy;
  environments: Environments;
  requestLog: RequestLog;
  /** Null where this instance runs no code of users. */
  runner: Runner | null;
  gatewayPort: number;
  egressAllow: readonly string[];
  trustedProxies: readonly string[];
}

export function open(
  parts: Parts<
    'db' | 'vault' | 'clock' | 'log' | 'blobs' | 'logs' | 'dataDir' | 'baseUrl',
    typeof gatewaySettings
  >,
  needs: Needs,
): OpenedArea & { instances: Instances | null } {
  const { db, vault, clock, log, logs, settings, dataDir, baseUrl } = parts;
  const { addresses, requestLog, runner, gatewayPort, egressAllow } = needs;
  const blobs = parts.blobs.deployments;
  const sites = new Sites({ db, blobs, clock, skewSeconds: settings.deploymentSkew });
  const files = new Files({ blobs, maxBytes: settings.gatewayCacheBytes });
  const packages = new Packages({ folder: path.join(dataDir, 'functions'), blobs, most: keptPackages });
  const purges = new Purges();
  db.news.on('gateway_purge', (key) => purges.note(key, clock.now()));
  const responses = new Responses({ maxBytes: settings.gatewayAnswerBytes, purges });
  const tickets = new Tickets({ vault, clock });
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
    ...{ sites, files, instances, requestLog, clock, log, tickets, baseUrl },
    answers: new AnswerCache({ responses, clock }),
    guard: new Guard({ vault, clock, tickets }),
    outgoing: new Outgoing({ allowed: egressAllow }),
    domain: addresses.domain,
    trusted: new AddressBlocks(needs.trustedProxies),
    host: settings.gatewayHost ?? '127.0.0.1',
    port: gatewayPort,
    variablesOf: ({ deploymentId, variables }) => openVariables(vault, { id: deploymentId, variables }),
  });
  const { tenancy, environments } = needs;
  const scheme = new URL(baseUrl).protocol;
  return {
    instances,
    listeners: [listener],
    routes: [
      accessRoutes({ db, clock, vault, tickets, tenancy, environments, addresses, scheme }),
      cacheRoutes({ db, environments }),
      stickyRoutes({ db, clock, tickets, addresses, scheme }),
    ],
    tasks: instances ? [{ everySeconds: 10, name: 'end idle functions', work: () => instances.sweep() }] : [],
    close: async () => {
      await instances?.close();
    },
  };
}
