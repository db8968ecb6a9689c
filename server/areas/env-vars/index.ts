import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { envVarHistoryRoutes } from './history-routes.ts';
import { envVarRoutes } from './routes.ts';
import { envVarSettings } from './settings.ts';
import { envVarTransferRoutes } from './transfer-routes.ts';
import { sealedEnvVars, Values } from './values.ts';

export const area = {
  settings: { heading: 'Environment variables', group: envVarSettings },
  tables: ['env_vars', 'env_var_versions'],
  sealedColumns: sealedEnvVars,
  products: { 'env-vars': 'Environment variables' },
} satisfies Area;

export function open(
  { db, vault, clock, settings }: Parts<'db' | 'vault' | 'clock', typeof envVarSettings>,
  { once }: { once: Once },
): OpenedArea {
  const deps = {
    ...{ db, clock, values: new Values(vault) },
    limit: settings.envVarLimit,
    maxBytes: settings.envVarBytes,
    keepVersions: settings.envVarVersions,
  };
  return {
    routes: [envVarRoutes({ ...deps, once }), envVarHistoryRoutes(deps), envVarTransferRoutes(deps)],
  };
}
