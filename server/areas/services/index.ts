import type { Runner } from '#core/runner.ts';
import { serviceAddressInside } from '#core/runner.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { type ServiceEngines, Services, sealedServices } from './service.ts';
import { serviceSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Services of deployments', group: serviceSettings },
  tables: ['services'],
  sealedColumns: [sealedServices],
} satisfies Area;

interface Needs {
  engines: ServiceEngines;
  runner: Runner | null;
  ownerOf(applicationId: string): Promise<{ organizationId: string } | null>;
}

/** Databases and key spaces that configurations of deployments ask for. */
export function open(
  { db, vault, clock, log, settings }: Parts<'db' | 'vault' | 'clock' | 'log', typeof serviceSettings>,
  { engines, runner, ownerOf }: Needs,
): OpenedArea & { provideServices: Services['provide'] } {
  const services = new Services({
    ...{ db, vault, clock, log, engines, ownerOf },
    graceMilliseconds: settings.servicesGrace * 1000,
    // What runs beside the server without a sandbox reaches the engine as the server does.
    addressFor: ({ kind, address }) =>
      runner?.limits.isolated === false ? address : serviceAddressInside[kind],
  });
  return {
    provideServices: (place, wanted) => services.provide(place, wanted),
    tasks: [
      { everySeconds: 60, name: 'let applications into their services', work: () => services.renew() },
      { everySeconds: 600, name: 'drop services of deleted environments', work: () => services.sweep() },
    ],
    purgeApplication: (applicationId) => services.purge(applicationId),
    close: async () => {
      for (const engine of engines.values()) await engine[Symbol.asyncDispose]();
    },
  };
}
