import type { Tenancy } from '#accounts/organizations/service.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { environmentRoutes } from './environment-routes.ts';
import { Environments } from './environments.ts';
import { type LabelRules, labelRules } from './labels.ts';
import { lifecycleRoutes } from './lifecycle-routes.ts';
import { Applications } from './listing.ts';
import { pictureRoutes } from './picture-routes.ts';
import { purgeApplications } from './purge.ts';
import { applicationRoutes } from './routes.ts';
import { applicationSettings } from './settings.ts';
import { type Owner, ownerOf } from './store.ts';
import type { Transferred } from './transfer.ts';

export const area = {
  settings: { heading: 'Applications', group: applicationSettings },
  tables: ['applications', 'environments', 'application_pictures', 'hostnames'],
} satisfies Area;

/** Reads who owns an application, deleted or not; null when there is none. */
export function openOwners({ db }: Parts<'db'>): (applicationId: string) => Promise<Owner | null> {
  return (applicationId) => ownerOf(db, applicationId);
}

interface Needs {
  tenancy: Tenancy;
  once: Once;
  /** Removes what every area holds of an application. */
  purge: (applicationId: string) => Promise<void>;
  organizationGrace: number;
  maxPictureBytes: number;
  /** Tells the name, of these, that a label would pass for. */
  imitationDetector: (names: readonly string[]) => (label: string) => string | undefined;
}

/** `transferred` is for areas that keep the organization beside an application: they add to it when they are opened. */
export function open(
  parts: Parts<'db' | 'clock' | 'baseUrl' | 'cacheEntries', typeof applicationSettings>,
  { tenancy, once, purge, organizationGrace, maxPictureBytes, imitationDetector }: Needs,
): OpenedArea & { environments: Environments; transferred: Transferred[]; labels: LabelRules } {
  const { db, clock, baseUrl, cacheEntries: max, settings } = parts;
  const graceSeconds = settings.applicationGrace;
  const applications = new Applications({ db, baseUrl, graceSeconds, max });
  const environments = new Environments({ db, clock, max, quota: settings.environmentQuota });
  const reserved = settings.reservedLabels.map((label) => label.toLowerCase());
  const names = ['mainstay', ...reserved.filter((label) => label.length >= 6)];
  const labels = labelRules({ reserved, imitates: imitationDetector(names) });
  const transferred: Transferred[] = [];
  const deps = {
    ...{ db, clock, once, labels, tenancy, applications, baseUrl },
    quota: settings.applicationQuota,
    perMinute: settings.applicationsPerMinute,
  };
  return {
    ...{ environments, transferred, labels },
    routes: [
      applicationRoutes(deps),
      lifecycleRoutes({ ...deps, graceSeconds, told: transferred }),
      pictureRoutes({ ...deps, maxPictureBytes }),
      environmentRoutes({ db, once, environments }),
    ],
    tasks: [
      {
        everySeconds: 3600,
        name: 'purge deleted applications',
        work: () => {
          const now = clock.now();
          const before = {
            applications: now - graceSeconds * 1000,
            organizations: now - organizationGrace * 1000,
          };
          return purgeApplications(db, before, purge);
        },
      },
    ],
  };
}
