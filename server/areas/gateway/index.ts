import { openVariables } from '#areas/deployments/service.ts';
import type { Instances } from '#areas/functions/service.ts';
import type { Addresses } from '#areas/hostnames/service.ts';
import { Outgoing } from '#core/outgoing.ts';
import type { RequestLog } from '#core/request-log.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { Files } from './files.ts';
import { gatewayListener } from './gateway.ts';
import { gatewaySettings } from './settings.ts';
import { Sites } from './sites.ts';

export const area = {
  settings: { heading: 'Gateway', group: gatewaySettings },
} satisfies Area;

interface Needs {
  addresses: Addresses;
  requestLog: RequestLog;
  /** Null where this instance runs no code of users. */
  instances: Instances | null;
  gatewayPort: number;
  egressAllow: readonly string[];
}

export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'log' | 'blobs', typeof gatewaySettings>,
  { addresses, requestLog, instances, gatewayPort, egressAllow }: Needs,
): OpenedArea {
  const { db, vault, clock, log, settings } = parts;
  const blobs = parts.blobs.deployments;
  const sites = new Sites({ db, blobs });
  const files = new Files({ blobs, maxBytes: settings.gatewayCacheBytes });
  const listener = gatewayListener({
    ...{ sites, files, instances, requestLog, clock, log },
    outgoing: new Outgoing({ allowed: egressAllow }),
    domain: addresses.domain,
    host: settings.gatewayHost ?? '127.0.0.1',
    port: gatewayPort,
    variablesOf: ({ deploymentId, variables }) => openVariables(vault, { id: deploymentId, variables }),
  });
  return { listeners: [listener] };
}
