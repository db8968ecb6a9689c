import type { Tenancy } from '#accounts/organizations/service.ts';
import type { Tx } from '#core/db.ts';
import { LastUsed } from '#core/last-used.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { apiKeyRoutes } from './routes.ts';
import { scopeRoutes } from './scope-routes.ts';
import { type KeyStates, keyStates, MadeKeys, Powers } from './service.ts';
import { apiKeySettings } from './settings.ts';
import { createWorkloadKey, endWorkloadKeys, type Workload } from './workload-keys.ts';

export const area = {
  settings: { heading: 'API keys and tenants', group: apiKeySettings },
  tables: ['api_keys', 'api_key_secrets'],
} satisfies Area;

/** Keys that the platform makes for what it runs. */
export interface WorkloadKeys {
  create(tx: Tx, workload: Workload): Promise<{ id: string; secret: string }>;
  /** They stop working within a second, on every node. */
  end(tx: Tx, workload: Pick<Workload, 'applicationId' | 'id'>): Promise<void>;
}

export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'log' | 'cacheEntries'>,
  needs: {
    tenancy: Tenancy;
    once: Once;
    /** For how long after signing in a person may make what lasts. */
    freshSeconds: number;
  },
): OpenedArea & {
  keys: KeyStates;
  keysUsed: LastUsed;
  powers: Powers;
  workloadKeys: WorkloadKeys;
  madeKeys: MadeKeys;
} {
  const { db, vault, clock, log, cacheEntries: max } = parts;
  const keysUsed = new LastUsed({ db, clock, table: 'api_keys' });
  const { tenancy, once, freshSeconds } = needs;
  const keys = keyStates({ db, max });
  const powers = new Powers({ keys, clock, freshSeconds });
  return {
    ...{ keys, keysUsed, powers },
    madeKeys: new MadeKeys(db),
    workloadKeys: {
      create: (tx, workload) => createWorkloadKey(tx, { db, vault, clock }, workload),
      end: (tx, workload) => endWorkloadKeys(tx, { clock }, workload),
    },
    routes: [apiKeyRoutes({ db, vault, clock, tenancy, powers, once, lastUsed: keysUsed }), scopeRoutes()],
    tasks: [{ everySeconds: 10, name: 'note when keys were used', work: () => keysUsed.flush() }],
    close: () =>
      keysUsed
        .flush({ all: true })
        .catch((err) => log.warn({ err }, 'The last uses of API keys were not noted.')),
  };
}
