import type { MadeKeys, Powers } from '#accounts/api-keys/service.ts';
import { Attempts } from '#accounts/idp/service.ts';
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
  needs: {
    tenancy: Tenancy;
    once: Once;
    powers: Powers;
    madeKeys: MadeKeys;
    /** Letters of one kind that an address is sent in an hour. */
    mailsPerRecipient: number;
  },
): OpenedArea {
  const { db, vault, clock, mailer, baseUrl, settings } = parts;
  const { tenancy, once, powers, madeKeys, mailsPerRecipient } = needs;
  return {
    routes: [
      memberRoutes({ db, clock, tenancy, powers, madeKeys }),
      invitationRoutes({
        ...{ db, vault, clock, once, mailer, baseUrl, powers },
        attempts: new Attempts({ db, vault, clock }),
        limits: { ...settings, mailsPerRecipient },
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
