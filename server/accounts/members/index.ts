import type { Powers } from '#accounts/api-keys/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { clockMarginMilliseconds } from '#core/clock.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { memberRoutes } from './routes.ts';
import { sweepInvitations } from './service.ts';
import { memberSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Organizations and members', group: memberSettings },
  tables: ['invitations'],
} satisfies Area;

export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'mailer' | 'baseUrl', typeof memberSettings>,
  { tenancy, once, powers }: { tenancy: Tenancy; once: Once; powers: Powers },
): OpenedArea {
  const { db, vault, clock, mailer, baseUrl, settings } = parts;
  return {
    routes: [
      memberRoutes({ db, clock, tenancy, powers }),
      invitationRoutes({
        ...{ db, vault, clock, once, mailer, baseUrl, powers },
        lifetimeSeconds: settings.invitationLifetime,
      }),
    ],
    tasks: [
      {
        everySeconds: 300,
        name: 'sweep invitations',
        work: () => sweepInvitations(db, clock.now() - clockMarginMilliseconds),
      },
    ],
  };
}
