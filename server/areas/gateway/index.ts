import type { Environments } from '#accounts/applications/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { workloadOf } from '#areas/deployments/service.ts';
import type { Instances } from '#areas/functions/service.ts';
import type { Addresses } from '#areas/hostnames/service.ts';
import type { AddressBlocks } from '#core/addresses.ts';
import { Outgoing } from '#core/outgoing.ts';
import type { RequestLog } from '#core/request-log.ts';
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
import { gatewaySettings } from './settings.ts';
import { Sites } from './sites.ts';
import { stickyRoutes } from './sticky-routes.ts';

export const area = {
  settings: { heading: 'Gateway', group: gatewaySettings },
  tables: ['environment_protection'],
} satisfies Area;

interface Needs {
  addresses: Addresses;
  tenancy: Tenancy;
  environments: Environments;
  requestLog: RequestLog;
  /** Null where this instance runs no code of users. */
  instances: Instances | null;
  gatewayPort: number;
  egressAllow: readonly string[];
  trustedProxies: AddressBlocks;
}

export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'log' | 'blobs' | 'baseUrl', typeof gatewaySettings>,
  needs: Needs,
): OpenedArea {
  const { db, vault, clock, log, settings, baseUrl } = parts;
  const { addresses, requestLog, instances, gatewayPort, egressAllow } = needs;
  const blobs = parts.blobs.deployments;
  const sites = new Sites({ db, blobs, clock, skewSeconds: settings.deploymentSkew });
  const files = new Files({ blobs, maxBytes: settings.gatewayCacheBytes });
  const purges = new Purges();
  db.notifications.on('gateway_purge', (key) => purges.note(key, clock.now()));
  const responses = new Responses({ maxBytes: settings.gatewayAnswerBytes, purges });
  const tickets = new Tickets({ vault, clock });
  const listener = gatewayListener({
    ...{ sites, files, instances, requestLog, clock, log, tickets, baseUrl },
    answers: new AnswerCache({ responses, clock }),
    guard: new Guard({ vault, clock, tickets }),
    outgoing: new Outgoing({ allowed: egressAllow }),
    domain: addresses.domain,
    trusted: needs.trustedProxies,
    idleSeconds: settings.websocketIdle,
    upgradesPerAddress: settings.websocketsPerAddress,
    host: settings.gatewayHost ?? '127.0.0.1',
    port: gatewayPort,
    workloadOf: ({ deploymentId, variables, sources }) =>
      workloadOf(vault, { id: deploymentId, variables, variable_sources: sources }),
  });
  const { tenancy, environments } = needs;
  const scheme = new URL(baseUrl).protocol;
  return {
    listeners: [listener],
    routes: [
      accessRoutes({ db, clock, vault, tickets, tenancy, environments, addresses, scheme }),
      cacheRoutes({ db, environments }),
      stickyRoutes({ db, clock, tickets, addresses, scheme }),
    ],
  };
}
