import { sql } from 'kysely';
import type { HostnameRow } from '#accounts/applications/service.ts';
import type { Db, Tx } from '#core/db.ts';
import { servedIds } from './live-store.ts';
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

interface PartTable {
  deployment_id: string;
  part_number: number;
  blob: string;
  etag: string;
  size: number;
}

export type LogType = 'INFO' | 'ERROR' | 'WARN' | 'DEBUG';

interface LogTable {
  id: string;
  deployment_id: string;
  seq: number;
  type: LogType;
  message: string;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    deployments: DeploymentTable;
    deployment_parts: PartTable;
    deployment_blobs: { deployment_id: string; blob: string };
    deployment_log: LogTable;
  }
}

export type DeploymentRow = DeploymentTable;
export type PartRow = PartTable;
export type LogRow = LogTable;

export const unfinished = ['QUEUED', 'STARTING', 'BUILDING', 'PROVISIONING'] as const satisfies Status[];

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

export async function count(db: Db, filter: Filter, most: number): Promise<number> {
  const rows = filtered(db, filter).select('deployments.id').limit(most).as('rows');
  const query = db.selectFrom(rows).select(sql<number>`count(*)`.as('n'));
  return Number((await query.executeTakeFirstOrThrow()).n);
}

/** Deployments that a process may take: queued ones, and begun ones whose process has gone. Oldest first. */
export function due(db: Db | Tx, now: number): Promise<Pick<DeploymentRow, 'id' | 'application_id'>[]> {
  return db
    .selectFrom('deployments')
    .select(['id', 'application_id'])
    .where('status', 'in', [...unfinished])
    .where((row) => row.or([row('leased_until', 'is', null), row('leased_until', '<', now)]))
    .orderBy('id')
    .limit(100)
    .execute();
}

/** Whether another deployment of the application is being worked on. */
export async function isBusy(tx: Tx, applicationId: string, exceptId: string, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom('deployments')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '<>', exceptId)
    .where('leased_until', '>', now)
    .where('status', 'in', [...unfinished])
    .executeTakeFirst();
  return row !== undefined;
}

/** Older ones that wait in the queue for the same environment and branch. */
export function waitingBefore(tx: Tx, row: DeploymentRow): Promise<DeploymentRow[]> {
  const query = tx
    .selectFrom('deployments')
    .selectAll()
    .where('application_id', '=', row.application_id)
    .where('environment_id', '=', row.environment_id)
    .where('status', '=', 'QUEUED')
    .where('lease', 'is', null)
    .where('id', '<', row.id);
  return (
    row.branch === null ? query.where('branch', 'is', null) : query.where('branch', '=', row.branch)
  ).execute();
}

export async function renewLease(tx: Tx, id: string, lease: string, until: number): Promise<boolean> {
  const result = await tx
    .updateTable('deployments')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

export function waitingSince(db: Db, before: number): Promise<DeploymentRow[]> {
  return db
    .selectFrom('deployments')
    .selectAll()
    .where('status', '=', 'PENDING')
    .where('created_at', '<', before)
    .limit(100)
    .execute();
}

export function parts(db: Db | Tx, deploymentId: string): Promise<PartRow[]> {
  return db
    .selectFrom('deployment_parts')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('part_number')
    .execute();
}

/** Replaces the part of that number. */
export async function putPart(tx: Tx, row: PartRow): Promise<void> {
  await tx
    .insertInto('deployment_parts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'part_number'])
        .doUpdateSet({ blob: row.blob, etag: row.etag, size: row.size }),
    )
    .execute();
}

export async function holdBlobs(tx: Tx, deploymentId: string, blobs: readonly string[]): Promise<void> {
  for (let at = 0; at < blobs.length; at += 100) {
    const values = blobs.slice(at, at + 100).map((blob) => ({ deployment_id: deploymentId, blob }));
    await tx
      .insertInto('deployment_blobs')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function heldBy(tx: Tx, deploymentId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('deployment_blobs')
    .select('blob')
    .where('deployment_id', '=', deploymentId)
    .execute();
  return rows.map(({ blob }) => blob);
}

/** Those of the names that a deployment or an upload still holds. */
export async function heldAmong(db: Db, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const [held, uploaded] = await Promise.all([
    db
      .selectFrom('deployment_blobs')
      .select('blob')
      .where('blob', 'in', [...names])
      .execute(),
    db
      .selectFrom('deployment_parts')
      .select('blob')
      .where('blob', 'in', [...names])
      .execute(),
  ]);
  return new Set([...held, ...uploaded].map(({ blob }) => blob));
}

export async function lastSeq(tx: Tx, deploymentId: string): Promise<number> {
  const row = await tx
    .selectFrom('deployment_log')
    .select(sql<number | null>`max(seq)`.as('seq'))
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
  return Number(row?.seq ?? 0);
}

export async function insertLog(tx: Tx, rows: readonly LogRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 100)
    await tx
      .insertInto('deployment_log')
      .values(rows.slice(at, at + 100) as LogRow[])
      .execute();
}

export function logLines(
  db: Db,
  deploymentId: string,
  page: { offset: number; limit: number; after: number | undefined },
): Promise<LogRow[]> {
  let query = db
    .selectFrom('deployment_log')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('seq')
    .offset(page.offset)
    .limit(page.limit);
  if (page.after !== undefined) query = query.where('created_at', '>', page.after);
  return query.execute();
}

/** Those behind the line with that number, in order. */
export function logLinesAfter(db: Db, deploymentId: string, seq: number, limit: number): Promise<LogRow[]> {
  return db
    .selectFrom('deployment_log')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

export async function countLog(db: Db, deploymentId: string, after: number | undefined): Promise<number> {
  let query = db
    .selectFrom('deployment_log')
    .select(sql<number>`count(*)`.as('n'))
    .where('deployment_id', '=', deploymentId);
  if (after !== undefined) query = query.where('created_at', '>', after);
  return Number((await query.executeTakeFirstOrThrow()).n);
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

/** Deployments of the environment that hostnames lead to. */
export async function liveIds(db: Db | Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('hostnames')
    .select('deployment_id')
    .where('deployment_id', 'in', [...ids])
    .where('type', '<>', 'DEPLOYMENT')
    .execute();
  return new Set(rows.flatMap((row) => row.deployment_id ?? []));
}

/** Deployments that hostnames of the environment lead to, besides those that each deployment has for itself. */
export async function liveIn(tx: Tx, environmentId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('hostnames')
    .select('deployment_id')
    .distinct()
    .where('environment_id', '=', environmentId)
    .where('deployment_id', 'is not', null)
    .where('type', '<>', 'DEPLOYMENT')
    .execute();
  return rows.flatMap((row) => row.deployment_id ?? []);
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

export async function statesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('deployments')
    .select(['id', 'status'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** Environments that have more deployments than that. */
export async function environmentsWithMore(db: Db, than: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deployments')
    .select('environment_id')
    .groupBy('environment_id')
    .having(sql<number>`count(*)`, '>', than)
    .execute();
  return rows.map((row) => row.environment_id);
}

/** Ended deployments of the environment that are not live: past the last ones, and from before that moment. */
export function olderThan(
  db: Db,
  environmentId: string,
  { kept, before, batch }: { kept: number; before: number; batch: number },
): Promise<{ id: string; organizationId: string }[]> {
  return db
    .selectFrom('deployments')
    .innerJoin('applications', 'applications.id', 'deployments.application_id')
    .select(['deployments.id as id', 'applications.organization_id as organizationId'])
    .where('deployments.environment_id', '=', environmentId)
    .where('deployments.status', 'in', ['ACTIVE', 'FAILED'])
    .where('deployments.created_at', '<', before)
    .where('deployments.id', 'not in', (part) =>
      part
        .selectFrom('deployments as last')
        .select('last.id')
        .where('last.environment_id', '=', environmentId)
        .orderBy('last.id', 'desc')
        .limit(kept),
    )
    .where('deployments.id', 'not in', servedIds(db))
    .orderBy('deployments.id')
    .limit(batch)
    .execute();
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
