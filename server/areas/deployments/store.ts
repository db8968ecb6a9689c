import { countRows, type Db, type Tx } from '#core/db.ts';
import type { Status } from './schema.ts';

interface DeploymentTable {
  id: string;
  application_id: string;
  environment_id: string;
  status: Status;
  reason: string | null;
  branch: string | null;
  git_sha: string | null;
  prebuilt: number;
  redeploy_of: string | null;
  actor_type: string;
  actor_id: string | null;
  /** The API key that it was started with. */
  actor_key_id: string | null;
  upload_id: string | null;
  /** JSON: names of the archive's blobs in order. */
  source: string | null;
  /** Name of the manifest's blob. */
  artefact: string | null;
  /** JSON. */
  summary: string | null;
  /** Sealed JSON. */
  variables: Uint8Array | null;
  /** JSON: names of variables with the scope that each came from. */
  variable_sources: string | null;
  /** When hostnames of its environment were led elsewhere; null while they lead to it. */
  replaced_at: number | null;
  /** When it had crashed again and again, and how; null once hostnames are led to it anew. */
  crashed_at: number | null;
  crash_reason: string | null;
  /** 1: one of its functions has a schedule. */
  scheduled: number | null;
  leased_until: number | null;
  lease: string | null;
  attempts: number;
  cancel_requested_at: number | null;
  active_at: number | null;
  finished_at: number | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    deployments: DeploymentTable;
  }
}

export type DeploymentRow = DeploymentTable;

export function find(db: Db | Tx, id: string): Promise<DeploymentRow | undefined> {
  return db.selectFrom('deployments').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insert(tx: Tx, row: DeploymentRow): Promise<void> {
  await tx.insertInto('deployments').values(row).execute();
}

export async function update(tx: Tx, id: string, changes: Partial<DeploymentRow>): Promise<void> {
  await tx.updateTable('deployments').set(changes).where('id', '=', id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('deployments').where('id', '=', id).execute();
}

interface Filter {
  organizationId?: string | undefined;
  applicationId?: string | undefined;
  /** Those of organizations of this user. */
  memberId?: string | undefined;
  environmentId?: string | undefined;
  status?: Status | undefined;
}

function filtered(db: Db, filter: Filter) {
  const { organizationId, applicationId, memberId, environmentId, status } = filter;
  let query = db
    .selectFrom('deployments')
    .innerJoin('applications', 'applications.id', 'deployments.application_id')
    .where('applications.deleted_at', 'is', null);
  if (organizationId) query = query.where('applications.organization_id', '=', organizationId);
  if (applicationId) query = query.where('deployments.application_id', '=', applicationId);
  if (environmentId) query = query.where('deployments.environment_id', '=', environmentId);
  if (status) query = query.where('deployments.status', '=', status);
  if (memberId)
    query = query.where('applications.organization_id', 'in', (part) =>
      part.selectFrom('memberships').select('organization_id').where('user_id', '=', memberId),
    );
  return query;
}

/** Newest first, those before the one with id `after`. */
export function list(
  db: Db,
  filter: Filter,
  page: { limit: number; after: string | undefined },
): Promise<DeploymentRow[]> {
  let query = filtered(db, filter)
    .selectAll('deployments')
    .orderBy('deployments.id', 'desc')
    .limit(page.limit);
  if (page.after !== undefined) query = query.where('deployments.id', '<', page.after);
  return query.execute();
}

export function count(db: Db, filter: Filter, most: number): Promise<number> {
  const rows = filtered(db, filter).select('deployments.id').limit(most).as('rows');
  return countRows(db.selectFrom(rows));
}

/** The last finished one of the application with an artefact: its files need not be written again. */
export function lastArtefact(
  db: Db,
  applicationId: string,
  beforeId: string,
): Promise<DeploymentRow | undefined> {
  return db
    .selectFrom('deployments')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('artefact', 'is not', null)
    .where('id', '<', beforeId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

export async function statesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('deployments')
    .select(['id', 'status'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** The newest deployments of an organization, one an application; of those named, else of those deployed last. */
export async function newestOf(
  db: Db,
  organizationId: string,
  wanted: { applicationIds: readonly string[] | undefined; limit: number },
): Promise<DeploymentRow[]> {
  const { applicationIds, limit } = wanted;
  const ofOrganization = db
    .selectFrom('deployments')
    .innerJoin('applications as a', 'a.id', 'deployments.application_id')
    .selectAll('deployments')
    .where('a.organization_id', '=', organizationId)
    .where('a.deleted_at', 'is', null)
    .orderBy('deployments.id', 'desc');
  if (applicationIds === undefined) {
    // An application that deploys all day must not be read through to its end: of so many the rest is found.
    const rows = await ofOrganization.limit(limit * 20).execute();
    const newest = new Map<string, DeploymentRow>();
    for (const row of rows) if (!newest.has(row.application_id)) newest.set(row.application_id, row);
    return [...newest.values()].slice(0, limit);
  }
  if (applicationIds.length === 0) return [];
  return ofOrganization
    .where('a.id', 'in', [...applicationIds])
    .where('deployments.id', '=', (part) =>
      part
        .selectFrom('deployments as d')
        .select('d.id')
        .whereRef('d.application_id', '=', 'a.id')
        .orderBy('d.id', 'desc')
        .limit(1),
    )
    .execute();
}

export async function namesOf(db: Db, applicationIds: readonly string[]): Promise<Map<string, string>> {
  if (applicationIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('applications')
    .select(['id', 'name'])
    .where('id', 'in', [...applicationIds])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Their blobs are garbage from then on. */
export async function purgeDeployments(tx: Tx, applicationId: string): Promise<void> {
  await tx.deleteFrom('deployments').where('application_id', '=', applicationId).execute();
}
