import type { Tenancy } from '#accounts/organizations/service.ts';
import { LastUsed } from '#core/last-used.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { apiKeyRoutes } from './routes.ts';
import { scopeRoutes } from './scope-routes.ts';
import { type KeyStates, keyStates } from './service.ts';
import { apiKeySettings } from './settings.ts';

export const area = {
  settings: { heading: 'API keys and tenants', group: apiKeySettings },
  tables: ['api_keys', 'api_key_secrets'],
} satisfies Area;

export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'log' | 'cacheEntries'>,
  { tenancy, once }: { tenancy: Tenancy; once: Once },
): OpenedArea & { keys: KeyStates; keysUsed: LastUsed } {
  const { db, vault, clock, log, cacheEntries: max } = parts;
  const keysUsed = new LastUsed({ db, clock, table: 'api_keys' });
  return {
    keys: keyStates({ db, max }),
    keysUsed,
    routes: [apiKeyRoutes({ db, vault, clock, tenancy, once, lastUsed: keysUsed }), scopeRoutes()],
    tasks: [{ everySeconds: 10, name: 'note when keys were used', work: () => keysUsed.flush() }],
    close: () =>
      keysUsed
        .flush({ all: true })
        .catch((err) => log.warn({ err }, 'The last uses of API keys were not noted.')),
  };
}
