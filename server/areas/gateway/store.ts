import { liveColumns } from '#areas/deployments/service.ts';
import type { Db, Tx } from '#core/db.ts';

interface ProtectionTable {
  environment_id: string;
  enabled: number;
  password: string | null;
  bypass_digest: Uint8Array | null;
  bypass_version: number | null;
  bypass_created_at: number | null;
  epoch: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    environment_protection: ProtectionTable;
  }
}

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: an environment, whose protection changed. */
    environment_protection: true;
    /** Key: see `purgeKey`: answers that are not to be served from memory any more. */
    gateway_purge: true;
  }
}

export type ProtectionRow = ProtectionTable;

/** A deployment that answers at a hostname. */
export interface Answering {
  deploymentId: string;
  artefact: string;
  variables: Uint8Array | null;
  /** JSON: names of the variables, with which are secrets. */
  sources: string | null;
}

/** Where a hostname leads, with what its deployment is made of. */
export interface HostRow extends Answering {
  name: string;
  organizationId: string;
  applicationId: string;
  environmentId: string;
  /** The hostname is this deployment's own, and never leads to another one. */
  isOwn: boolean;
  /** Null where everybody may see it. */
  protection: ProtectionRow | null;
  /** Deployments that it led to a while ago, the latest first: pages of theirs are still open somewhere. */
  recent: readonly Answering[];
}

const maxRecent = 8;

/** Null where no deployment answers there. `since`: deployments that were replaced later are still asked for. */
export async function findHost(db: Db, name: string, since: number): Promise<HostRow | null> {
  const row = await db
    .selectFrom('hostnames')
    .innerJoin('applications', 'applications.id', 'hostnames.application_id')
    .innerJoin('deployments', 'deployments.id', 'hostnames.deployment_id')
    .select(['hostnames.type as type', ...liveColumns])
    .where('hostnames.name', '=', name)
    .where('applications.deleted_at', 'is', null)
    .where('deployments.status', '=', 'ACTIVE')
    .executeTakeFirst();
  if (!row?.artefact) return null;
  const { type, artefact, ...host } = row;
  const protection = await findProtection(db, host.environmentId);
  const isOwn = type === 'DEPLOYMENT';
  const recent = isOwn ? [] : await replacedSince(db, host.environmentId, since);
  return {
    ...{ ...host, name, artefact, isOwn },
    recent: recent.filter(({ deploymentId }) => deploymentId !== host.deploymentId),
    protection: protection?.enabled ? protection : null,
  };
}

async function replacedSince(db: Db, environmentId: string, since: number): Promise<Answering[]> {
  const rows = await db
    .selectFrom('deployments')
    .select(['id as deploymentId', 'artefact', 'variables', 'variable_sources as sources'])
    .where('environment_id', '=', environmentId)
    .where('replaced_at', '>', since)
    .where('status', '=', 'ACTIVE')
    .orderBy('replaced_at', 'desc')
    .limit(maxRecent)
    .execute();
  return rows.flatMap(({ artefact, ...row }) => (artefact === null ? [] : [{ ...row, artefact }]));
}

/** Whether an application has the hostname, live or not. */
export async function isKnownHost(db: Db, name: string): Promise<boolean> {
  return (await ownerOfHost(db, name)) !== null;
}

/** Whose hostname it is, and which environment it belongs to. */
export async function ownerOfHost(
  db: Db,
  name: string,
): Promise<{ applicationId: string; organizationId: string } | null> {
  const row = await db
    .selectFrom('hostnames')
    .innerJoin('applications', 'applications.id', 'hostnames.application_id')
    .select(['applications.id as applicationId', 'applications.organization_id as organizationId'])
    .where('hostnames.name', '=', name)
    .where('applications.deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export function findProtection(db: Db | Tx, environmentId: string): Promise<ProtectionRow | undefined> {
  return db
    .selectFrom('environment_protection')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .executeTakeFirst();
}

/** Writes what is new about it; a row is made where there is none. */
export async function saveProtection(
  tx: Tx,
  environmentId: string,
  changes: Partial<Omit<ProtectionRow, 'environment_id'>> & { updated_at: number },
): Promise<void> {
  const row = { environment_id: environmentId, enabled: 0, epoch: 1, ...changes };
  await tx
    .insertInto('environment_protection')
    .values({ password: null, bypass_digest: null, bypass_version: null, bypass_created_at: null, ...row })
    .onConflict((conflict) => conflict.column('environment_id').doUpdateSet(changes))
    .execute();
}

/** The name that a deployment of the environment answers at: its own, if it has one. */
export async function nameOfDeployment(
  db: Db,
  deploymentId: string,
  environmentId?: string,
): Promise<string | null> {
  let query = db
    .selectFrom('hostnames')
    .innerJoin('deployments', 'deployments.id', 'hostnames.deployment_id')
    .select(['hostnames.name as name', 'hostnames.type as type'])
    .where('hostnames.deployment_id', '=', deploymentId)
    .orderBy('hostnames.id');
  if (environmentId !== undefined) query = query.where('deployments.environment_id', '=', environmentId);
  const rows = await query.execute();
  return (rows.find(({ type }) => type === 'DEPLOYMENT') ?? rows[0])?.name ?? null;
}
