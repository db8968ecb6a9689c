import type { Db } from '#core/db.ts';

/** Where a hostname leads, with what its deployment is made of. */
export interface HostRow {
  organizationId: string;
  applicationId: string;
  deploymentId: string;
  artefact: string;
  variables: Uint8Array | null;
}

/** Null where no deployment answers there. */
export async function findHost(db: Db, name: string): Promise<HostRow | null> {
  const row = await db
    .selectFrom('hostnames')
    .innerJoin('applications', 'applications.id', 'hostnames.application_id')
    .innerJoin('deployments', 'deployments.id', 'hostnames.deployment_id')
    .select([
      'applications.organization_id as organizationId',
      'applications.id as applicationId',
      'deployments.id as deploymentId',
      'deployments.artefact as artefact',
      'deployments.variables as variables',
    ])
    .where('hostnames.name', '=', name)
    .where('applications.deleted_at', 'is', null)
    .where('deployments.status', '=', 'ACTIVE')
    .executeTakeFirst();
  return row?.artefact ? { ...row, artefact: row.artefact } : null;
}

/** Whether an application has the hostname, live or not. */
export async function isKnownHost(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('hostnames')
    .innerJoin('applications', 'applications.id', 'hostnames.application_id')
    .select('hostnames.id')
    .where('hostnames.name', '=', name)
    .where('applications.deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
