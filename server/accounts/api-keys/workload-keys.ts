import { systemSource } from '#accounts/audit-log/service.ts';
import type { Tx } from '#core/db.ts';
import type { Scope } from '#core/scopes.ts';
import { revokeKey } from './revoke-key.ts';
import { createKey, type Deps, noOrigin } from './service.ts';
import { keysOfWorkload } from './store.ts';

/** What runs as a deployment or as one of its functions. */
export interface Workload {
  type: 'deployment' | 'function';
  id: string;
  organizationId: string;
  applicationId: string;
  /** It acts there, and in no other environment. */
  environmentId: string;
}

/** What code of an application does while it runs. Management is not among it: that takes a key of the application. */
const workloadScopes: readonly Scope[] = [
  'openid',
  'network:applications:read',
  'network:env_vars:read',
  'network:deployments:read',
  'network:storage:read',
  'network:storage:write',
  'network:storage:delete',
  'network:ai_gateway:chat',
  'network:ai_gateway:models',
  'fastcache:read',
  'fastcache:write',
  'fastcache:delete',
  'web-reputation:domain:get',
  'web-reputation:email:get',
  'whois:domain:get',
];

/**
 * A key that the platform makes for what it runs. It is in nobody's list and works until `endWorkloadKeys`; what was
 * made for a workload before stays beside it, so that instances which still run continue.
 */
export async function createWorkloadKey(
  tx: Tx,
  deps: Deps,
  workload: Workload,
): Promise<{ id: string; secret: string }> {
  const { key, secret } = await createKey(tx, deps, systemSource, {
    name: `${workload.type} ${workload.id}`,
    actor: workload,
    origin: noOrigin,
    scopes: workloadScopes,
    expiresAt: null,
    allowedAddresses: [],
  });
  return { id: key.id, secret: secret.secret };
}

/** The workload is gone: its keys and their tokens stop working within a second, on every node. */
export async function endWorkloadKeys(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  { applicationId, id }: Pick<Workload, 'applicationId' | 'id'>,
): Promise<void> {
  for (const row of await keysOfWorkload(tx, applicationId, id)) await revokeKey(tx, deps, systemSource, row);
}
