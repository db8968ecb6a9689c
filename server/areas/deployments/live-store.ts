import type { HostnameRow } from '#accounts/applications/service.ts';
import type { Db, Tx } from '#core/db.ts';
import type { DeploymentRow } from './store.ts';

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

/** Of an application's deployment, as it is started. */
export const liveColumns = [
  'applications.organization_id as organizationId',
  'applications.id as applicationId',
  'deployments.environment_id as environmentId',
  'deployments.id as deploymentId',
  'deployments.artefact as artefact',
  'deployments.variables as variables',
  'deployments.variable_sources as sources',
] as const;

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
    .select(liveColumns)
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

/** Those of the deployments that hostnames lead to besides their own. */
export async function liveIds(db: Db | Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await servedIds(db)
    .where('hostnames.deployment_id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.deployment_id));
}

/** Deployments that hostnames of the environment lead to, besides those that each deployment has for itself. */
export async function liveIn(tx: Tx, environmentId: string): Promise<string[]> {
  const rows = await servedIds(tx).distinct().where('hostnames.environment_id', '=', environmentId).execute();
  return rows.map((row) => row.deployment_id);
}

/** The deployment that was live before it, and did not crash: for the same branch, or, without one, whatever its branch. */
export function liveBefore(
  tx: Tx,
  row: Pick<DeploymentRow, 'id' | 'environment_id'>,
  branch: string | null,
): Promise<DeploymentRow | undefined> {
  const query = tx
    .selectFrom('deployments')
    .selectAll()
    .where('environment_id', '=', row.environment_id)
    .where('id', '<>', row.id)
    .where('status', '=', 'ACTIVE')
    .where('replaced_at', 'is not', null)
    .where('crashed_at', 'is', null)
    .orderBy('replaced_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  return (branch === null ? query : query.where('branch', '=', branch)).executeTakeFirst();
}

/** What the own hostnames of applications lead to. */
export function liveOf(
  db: Db,
  applicationIds: readonly string[],
): Promise<(DeploymentRow & { name: string })[]> {
  if (applicationIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('hostnames as h')
    .innerJoin('deployments', 'deployments.id', 'h.deployment_id')
    .selectAll('deployments')
    .select('h.name')
    .where('h.application_id', 'in', [...applicationIds])
    .where('h.type', '=', 'APP')
    .where('h.source', '=', 'system')
    .execute();
}

export function hostnamesOfEnvironment(tx: Tx, environmentId: string): Promise<HostnameRow[]> {
  return tx.selectFrom('hostnames').selectAll().where('environment_id', '=', environmentId).execute();
}

/** Domains of the owner's that lead to the environment; those of no environment belong to the default one. */
export function domainsOf(
  tx: Tx,
  applicationId: string,
  environment: { id: string; isDefault: boolean },
): Promise<HostnameRow[]> {
  return tx
    .selectFrom('hostnames')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('source', '=', 'user')
    .where((part) =>
      environment.isDefault
        ? part.or([part('environment_id', '=', environment.id), part('environment_id', 'is', null)])
        : part('environment_id', '=', environment.id),
    )
    .execute();
}

export function hostnamesOf(db: Db | Tx, deploymentId: string): Promise<HostnameRow[]> {
  return db
    .selectFrom('hostnames')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('id')
    .execute();
}
