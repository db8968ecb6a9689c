import type { Db, Tx } from '#core/db.ts';

/** A deployment that answers at hostnames of its environment, with what its functions need. */
export interface LiveDeployment {
  organizationId: string;
  applicationId: string;
  environmentId: string;
  deploymentId: string;
  artefact: string;
  variables: Uint8Array | null;
  sources: string | null;
}

/** Ids of deployments that hostnames lead to besides their own. */
export function servedIds(db: Db | Tx) {
  return db
    .selectFrom('hostnames')
    .select('hostnames.deployment_id')
    .$narrowType<{ deployment_id: string }>()
    .where('hostnames.deployment_id', 'is not', null)
    .where('hostnames.type', '<>', 'DEPLOYMENT');
}

/** Oldest first: what is live and keeps processes running, or has schedules. */
export async function liveDeployments(db: Db, wanted: 'alwaysOn' | 'scheduled'): Promise<LiveDeployment[]> {
  const all = db
    .selectFrom('deployments')
    .innerJoin('applications', 'applications.id', 'deployments.application_id')
    .select([
      'applications.organization_id as organizationId',
      'applications.id as applicationId',
      'deployments.environment_id as environmentId',
      'deployments.id as deploymentId',
      'deployments.artefact as artefact',
      'deployments.variables as variables',
      'deployments.variable_sources as sources',
    ])
    .where('deployments.status', '=', 'ACTIVE')
    .where('deployments.replaced_at', 'is', null)
    .where('applications.deleted_at', 'is', null)
    .where('deployments.id', 'in', servedIds(db))
    .orderBy('deployments.id');
  const rows = await (wanted === 'alwaysOn'
    ? all
        .innerJoin('environments', 'environments.id', 'deployments.environment_id')
        .where('environments.always_on', '=', 1)
    : all.where('deployments.scheduled', '=', 1)
  ).execute();
  return rows.flatMap(({ artefact, ...row }) => (artefact === null ? [] : [{ ...row, artefact }]));
}
