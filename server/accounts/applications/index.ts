import type { Tenancy } from '#accounts/organizations/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { SettingsOf } from '#core/settings.ts';
import type { Area, OpenedArea } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { environmentRoutes } from './environment-routes.ts';
import { Environments } from './environments.ts';
import type { LabelRules } from './labels.ts';
import { lifecycleRoutes } from './lifecycle-routes.ts';
import { Applications } from './listing.ts';
import { pictureRoutes } from './picture-routes.ts';
import { purgeApplications } from './purge.ts';
import { applicationRoutes } from './routes.ts';
import { applicationSettings } from './settings.ts';
import type { Transferred } from './transfer.ts';

export const applicationsArea = {
  settings: { heading: 'Applications', group: applicationSettings },
  tables: ['applications', 'environments', 'application_pictures', 'hostnames'],
} as const satisfies Area;

interface Parts {
  db: Db;
  clock: Clock;
  config: Pick<
    SettingsOf<typeof applicationSettings>,
    'applicationQuota' | 'applicationsPerMinute' | 'applicationGrace' | 'environmentQuota'
  > & { baseUrl: string; keyCacheSize: number; imageLimit: number; organizationGrace: number };
}

interface Needs {
  tenancy: Tenancy;
  once: Once;
  labels: LabelRules;
  /** Removes what every area holds of an application. */
  purge: (applicationId: string) => Promise<void>;
  /** Runs after applications of deleted organizations are gone. */
  purgeOrganizations: () => Promise<void>;
}

/** `transferred` is for areas that keep the organization beside an application: they add to it when they are opened. */
export function openApplications(
  { db, clock, config }: Parts,
  { tenancy, once, labels, purge, purgeOrganizations }: Needs,
): OpenedArea & { applications: Applications; environments: Environments; transferred: Transferred[] } {
  const { baseUrl, keyCacheSize: max, applicationGrace: graceSeconds } = config;
  const applications = new Applications({ db, baseUrl, graceSeconds, max });
  const environments = new Environments({ db, clock, max, quota: config.environmentQuota });
  const transferred: Transferred[] = [];
  const deps = {
    ...{ db, clock, once, labels, tenancy, applications, baseUrl },
    quota: config.applicationQuota,
    perMinute: config.applicationsPerMinute,
  };
  return {
    applications,
    environments,
    transferred,
    routes: [
      applicationRoutes(deps),
      lifecycleRoutes({ ...deps, graceSeconds, told: transferred }),
      pictureRoutes({ ...deps, maxPictureBytes: config.imageLimit }),
      environmentRoutes({ db, once, environments }),
    ],
    tasks: [
      {
        everySeconds: 3600,
        name: 'purge deleted applications and organizations',
        work: async () => {
          const now = clock.now();
          const before = {
            applications: now - graceSeconds * 1000,
            organizations: now - config.organizationGrace * 1000,
          };
          await purgeApplications(db, before, purge);
          await purgeOrganizations();
        },
      },
    ],
  };
}
