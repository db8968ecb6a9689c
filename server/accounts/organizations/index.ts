import { systemSource } from '#accounts/audit-log/service.ts';
import type { Instance } from '#accounts/instance/service.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { imageRoutes } from './image-routes.ts';
import { Organizations } from './listing.ts';
import { organizationRoutes } from './routes.ts';
import { purgeOrganizations, type Tenancy, tenancy } from './service.ts';
import { organizationSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Organizations and members', group: organizationSettings },
  tables: ['organizations', 'memberships', 'images'],
} satisfies Area;

export function open(
  parts: Parts<'db' | 'clock' | 'baseUrl' | 'cacheEntries', typeof organizationSettings>,
  needs: {
    once: Once;
    instance: Instance;
    /** The owner of an application, deleted or not. */
    ownerOf(applicationId: string): Promise<{ organizationId: string; deleted: boolean } | null>;
  },
): OpenedArea & { tenancy: Tenancy } {
  const { db, clock, baseUrl, cacheEntries: max, settings } = parts;
  const { once, instance, ownerOf } = needs;
  const organizations = new Organizations({ db, baseUrl, max });
  return {
    tenancy: tenancy({ db, max, ownerOf }),
    routes: [
      organizationRoutes({ db, clock, once, instance, baseUrl, organizations }),
      imageRoutes({ db, clock, baseUrl, maxBytes: settings.imageLimit }),
    ],
    tasks: [
      {
        everySeconds: 3600,
        name: 'purge deleted organizations',
        work: () => purgeOrganizations(db, systemSource, clock.now() - settings.organizationGrace * 1000),
      },
    ],
  };
}
