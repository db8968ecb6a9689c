import type { SettingsOf } from '#core/settings.ts';
import type { Area, OpenedArea, Parts } from './area.ts';
import { answerContext, idempotency, type Once, sweepIdempotency } from './idempotency.ts';
import { securityTxtRoutes } from './security-txt.ts';
import { httpSettings } from './settings.ts';

export const area = {
  settings: {
    heading: 'Listening and limits',
    group: httpSettings,
    check: ({ baseUrl }: SettingsOf<typeof httpSettings>) =>
      baseUrl && (baseUrl.search || baseUrl.hash || baseUrl.username)
        ? `MAINSTAY_BASE_URL: "${baseUrl.href}" must have no query, fragment or user.`
        : undefined,
  },
  tables: ['idempotency_keys'],
  sealedColumns: [
    {
      table: 'idempotency_keys',
      column: 'answer',
      key: ['owner', 'key'],
      context: ({ owner = '', key = '' }) => answerContext(owner, key),
    },
  ],
} satisfies Area;

export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'baseUrl', Pick<typeof httpSettings, 'securityContact'>>,
): OpenedArea & { once: Once } {
  const { db, vault, clock, baseUrl, settings } = parts;
  return {
    routes: [securityTxtRoutes({ contact: settings.securityContact, baseUrl, clock })],
    once: idempotency({ db, vault, clock }),
    tasks: [
      {
        everySeconds: 300,
        name: 'sweep idempotency keys',
        work: () => sweepIdempotency(db, clock.now()),
      },
    ],
  };
}
