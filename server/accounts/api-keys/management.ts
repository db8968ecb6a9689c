import { environmentBelongsTo } from '#accounts/applications/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { type Actor, type Auth, type Role, roleReaches } from '#core/actor.ts';
import type { Db, Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { type ApiKeyRow, find, type KeyOwner } from './store.ts';

/** The actor that a new key is for, or whose keys are asked for. Owners manage the keys of an organization, admins those of its applications too. */
export async function keyActor(
  db: Db,
  tenancy: Tenancy,
  auth: Auth,
  wanted: {
    applicationId?: string | null | undefined;
    organizationId?: string | null | undefined;
    environmentId?: string | null | undefined;
  },
): Promise<Actor> {
  const { applicationId = null, organizationId = null, environmentId = null } = wanted;
  if (applicationId && organizationId) {
    throw new Problem(
      'invalid_request',
      'Send applicationId or organizationId, not both: a key has one actor.',
    );
  }
  if (environmentId && !applicationId) {
    throw new Problem('invalid_request', 'environmentId needs the applicationId that it belongs to.');
  }
  if (applicationId) {
    const owner = await tenancy.organizationOf(applicationId);
    const invisible = new Problem('not_found', 'No application with this id is visible to this token.');
    if (!owner) throw invisible;
    await demandRole(tenancy, auth, { organizationId: owner, role: 'ADMIN' }, invisible);
    if (environmentId && !(await environmentBelongsTo(db, environmentId, applicationId))) {
      throw new Problem('not_found', 'The application has no environment with this id.');
    }
    return { type: 'application', id: applicationId, organizationId: owner, applicationId, environmentId };
  }
  const account = organizationId ?? auth.actor.organizationId;
  if (!account) return auth.actor;
  const invisible = new Problem('not_found', 'No organization with this id is visible to this token.');
  await demandRole(tenancy, auth, { organizationId: account, role: 'OWNER' }, invisible);
  return {
    type: 'organization',
    id: account,
    organizationId: account,
    applicationId: null,
    environmentId: null,
  };
}

async function demandRole(
  tenancy: Tenancy,
  auth: Auth,
  needed: { organizationId: string; role: Role },
  invisible: Problem,
): Promise<void> {
  const role = await tenancy.roleIn(auth, needed.organizationId);
  if (!role) throw invisible;
  if (roleReaches(role, needed.role)) return;
  const whose =
    needed.role === 'OWNER'
      ? 'of an organization are managed by its owners'
      : 'of applications are managed by owners and admins';
  throw new Problem('forbidden', `API keys ${whose}; your role is ${role}.`);
}

/** A key that the caller may manage; one that it may not is as good as none. */
export async function managedKey(db: Db, tenancy: Tenancy, auth: Auth, id: string): Promise<ApiKeyRow> {
  const row = await liveKey(db, id);
  if (row.organization_id) {
    const role = row.application_id ? ('ADMIN' as const) : ('OWNER' as const);
    await demandRole(tenancy, auth, { organizationId: row.organization_id, role }, invisibleKey());
  } else if (auth.actor.type !== 'user' || row.user_id !== auth.actor.id) throw invisibleKey();
  return row;
}

export async function liveKey(db: Db | Tx, id: string): Promise<ApiKeyRow> {
  const row = await find(db, id);
  if (!row) throw invisibleKey();
  return row;
}

function invisibleKey(): Problem {
  return new Problem('not_found', 'No API key with this id is visible to this token.');
}

export function toOwner(actor: Actor): KeyOwner {
  if (actor.applicationId) return { type: 'application', applicationId: actor.applicationId };
  if (actor.type === 'organization') return { type: 'organization', organizationId: actor.id };
  return { type: 'user', userId: actor.id };
}
