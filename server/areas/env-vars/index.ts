import type { Environments, Transferred } from '#accounts/applications/service.ts';
import type { Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { applicationEnvVarRoutes } from './application-routes.ts';
import { applicationViewRoutes } from './application-view-routes.ts';
import { type EffectiveVariable, effectiveVariables, Pulls, type View } from './effective.ts';
import { envVarHistoryRoutes } from './history-routes.ts';
import { envVarRoutes } from './routes.ts';
import { envVarsTopic } from './service.ts';
import { envVarSettings } from './settings.ts';
import { moveToOrganization, removeOfApplication, removeOfEnvironment } from './store.ts';
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
  needs: { once: Once; environments: Environments; transferred: Transferred[] },
): OpenedArea & {
  /** For what runs an application: what it sees there, secrets and all. Never for an answer of the API. */
  variablesOf(tx: Tx, view: View): Promise<EffectiveVariable[]>;
} {
  const { once, environments, transferred } = needs;
  const deps = {
    ...{ db, clock, values: new Values(vault) },
    limit: settings.envVarLimit,
    maxBytes: settings.envVarBytes,
    keepVersions: settings.envVarVersions,
  };
  const { values } = deps;
  environments.use({
    async remove(tx, { id, applicationId }) {
      await removeOfEnvironment(tx, applicationId, id);
      announce(tx, envVarsTopic, applicationId);
    },
  });
  transferred.push(async (tx, { id, to }) => {
    await moveToOrganization(tx, id, to);
    announce(tx, envVarsTopic, id);
  });
  const inApplications = { ...deps, once, environments };
  return {
    variablesOf: (tx, view) => effectiveVariables(tx, values, view),
    routes: [
      envVarRoutes({ ...deps, once }),
      envVarHistoryRoutes(deps),
      envVarTransferRoutes(deps),
      applicationEnvVarRoutes(inApplications),
      applicationViewRoutes({ ...inApplications, pulls: new Pulls({ db, values }) }),
    ],
    purgeApplication: (id) => db.write((tx) => removeOfApplication(tx, id)),
  };
}
