import type { Tenancy } from '#accounts/organizations/service.ts';
import { type Auth, type Role, roleReaches } from '#core/actor.ts';
import type { Db } from '#core/db.ts';
import type { Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import { type DeploymentRow, find } from './store.ts';

export interface ReachDeps {
  db: Db;
  tenancy: Tenancy;
  hasAccess(organizationId: string | null, product: string): Maybe<boolean>;
}

export interface Reached {
  row: DeploymentRow;
  organizationId: string;
}

/**
 * The deployment with this id, for an actor that may see it and do as much there. Paths of deployments name no tenant, so
 * what the server checks by path elsewhere is checked here.
 */
export async function reach(
  deps: ReachDeps,
  auth: Auth,
  deploymentId: string,
  needed: Role,
): Promise<Reached> {
  const row = await find(deps.db, deploymentId);
  if (!row) throw invisible('deployment');
  const { actor } = auth;
  if (actor.environmentId !== null && actor.environmentId !== row.environment_id)
    throw invisible('deployment');
  const organizationId = await reachApplication(deps, auth, row.application_id, needed, 'deployment');
  return { row, organizationId };
}

/** The organization of an application that the actor may see and do as much in. */
export async function reachApplication(
  deps: ReachDeps,
  auth: Auth,
  applicationId: string,
  needed: Role,
  named = 'application',
): Promise<string> {
  const own = auth.actor.applicationId;
  if (own !== null && own !== applicationId) throw invisible(named);
  const organizationId = await deps.tenancy.organizationOf(applicationId);
  if (!organizationId) throw invisible(named);
  await reachOrganization(deps, auth, organizationId, needed, named);
  return organizationId;
}

export async function reachOrganization(
  deps: ReachDeps,
  auth: Auth,
  organizationId: string,
  needed: Role,
  named = 'organization',
): Promise<void> {
  const role = await deps.tenancy.roleIn(auth, organizationId);
  if (!role) throw invisible(named);
  if (!roleReaches(role, needed))
    throw new Problem('forbidden', `This needs the role ${needed} in the organization; yours is ${role}.`);
  if (await deps.hasAccess(organizationId, 'deployments')) return;
  const sentence =
    'The organization has no access to the product "deployments". The operator of the instance can grant it.';
  throw new Problem('forbidden', sentence);
}

function invisible(kind: string): Problem {
  return new Problem('not_found', `No ${kind} with this id is visible to this token.`);
}
