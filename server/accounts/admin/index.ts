import type { Powers } from '#accounts/api-keys/service.ts';
import type { Instance } from '#accounts/instance/service.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { adminOrganizationRoutes } from './organization-routes.ts';
import { adminRoutes } from './routes.ts';
import { adminUserRoutes } from './user-routes.ts';

export const area = {} satisfies Area;

export function open(
  { db, clock, mailer, baseUrl, version }: Parts<'db' | 'clock' | 'mailer' | 'baseUrl' | 'version'>,
  { instance, powers }: { instance: Instance; powers: Powers },
): OpenedArea {
  return {
    routes: [
      adminRoutes({ db, clock, instance, version, hasMail: mailer !== null }),
      adminUserRoutes({ db, clock, powers }),
      adminOrganizationRoutes({ db, clock, baseUrl }),
    ],
  };
}
