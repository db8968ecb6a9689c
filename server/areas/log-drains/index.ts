import type { ListDeps } from '#areas/request-logs/service.ts';
import { Outgoing } from '#core/outgoing.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { deliverDue } from './delivery.ts';
import { logDrainRoutes } from './routes.ts';
import { type Deps, sealedDrains } from './service.ts';
import { logDrainSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Request logs', group: logDrainSettings },
  tables: ['log_drains'],
  sealedColumns: sealedDrains,
} satisfies Area;

export function open(
  { db, vault, clock, settings }: Parts<'db' | 'vault' | 'clock', typeof logDrainSettings>,
  { once, requests }: { once: Once; requests: ListDeps },
): OpenedArea {
  const deps: Deps = {
    ...requests,
    ...{ db, vault, clock },
    outgoing: new Outgoing({ allowed: settings.logDrainPrivateAddresses }),
    limit: settings.logDrainLimit,
    backlogMilliseconds: settings.logDrainBacklog * 1000,
  };
  return {
    routes: [logDrainRoutes({ ...deps, once })],
    tasks: [{ everySeconds: 2, name: 'deliver to log drains', work: () => deliverDue(deps) }],
  };
}
