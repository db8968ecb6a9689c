import {
  appHostname,
  type Environment,
  findHostname,
  type HostnameRow,
  hostnameTopic,
  insertHostname,
  updateHostname,
} from '#accounts/applications/service.ts';
import type { AuditSource } from '#accounts/audit-log/service.ts';
import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { domainsOf, liveIds, liveIn } from './live-store.ts';
import { audit } from './service.ts';
import { type DeploymentRow, update } from './store.ts';

/**
 * Points the hostnames of the deployment's environment at it: deploy, promote, rollback and redeploy all end here. One
 * transaction; whoever asks for the hostname before sees the old one, and whoever asks after sees this one.
 */
export async function switchTo(
  tx: Tx,
  row: DeploymentRow,
  environment: { id: string; slug: string; isDefault: boolean },
  now: number,
): Promise<void> {
  const before = await liveIn(tx, environment.id);
  const own = await appHostname(tx, row.application_id);
  const label = own?.name ?? `app-${row.application_id.slice(-12)}`;
  await lead(tx, row, environment.id, 'DEPLOYMENT', `${label}-${row.id.replaceAll('-', '').slice(-8)}`, now);
  if (environment.isDefault) {
    if (own) await leadExisting(tx, own, row.id, environment.id, now);
  } else await lead(tx, row, environment.id, 'BRANCH', `${label}-${branchSlug(environment.slug)}`, now);
  if (row.branch && !environment.isDefault)
    await lead(tx, row, environment.id, 'BRANCH', `${label}-${branchSlug(row.branch)}`, now);
  for (const domain of await domainsOf(tx, row.application_id, environment))
    await leadExisting(tx, domain, row.id, environment.id, now);
  const still = await liveIds(tx, before);
  for (const id of before) if (!still.has(id)) await update(tx, id, { replaced_at: now });
  await update(tx, row.id, { replaced_at: null, crashed_at: null, crash_reason: null });
  announce(tx, 'deployment', row.id);
}

async function lead(
  tx: Tx,
  row: DeploymentRow,
  environmentId: string,
  type: 'DEPLOYMENT' | 'BRANCH',
  name: string,
  now: number,
): Promise<void> {
  const wanted = name.slice(0, 63).replace(/-+$/, '');
  const known = await findHostname(tx, wanted);
  if (known && known.application_id === row.application_id && known.type === type)
    return leadExisting(tx, known, row.id, environmentId, now);
  const free = known ? `${wanted.slice(0, 56)}-${row.application_id.slice(-6)}` : wanted;
  const again = known ? await findHostname(tx, free) : undefined;
  if (again) return leadExisting(tx, again, row.id, environmentId, now);
  await insertHostname(tx, {
    id: newId(now),
    name: free,
    application_id: row.application_id,
    type,
    source: 'system',
    environment_id: environmentId,
    deployment_id: row.id,
    branch_id: null,
    created_at: now,
    updated_at: now,
  });
  announce(tx, hostnameTopic, free);
}

async function leadExisting(
  tx: Tx,
  hostname: HostnameRow,
  deploymentId: string,
  environmentId: string,
  now: number,
): Promise<void> {
  await updateHostname(tx, hostname.id, {
    deployment_id: deploymentId,
    environment_id: environmentId,
    updated_at: now,
  });
  announce(tx, hostnameTopic, hostname.name);
}

function branchSlug(branch: string): string {
  return branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30);
}

/** Promote and rollback: the hostnames of the environment lead to an earlier deployment, with the variables of then. */
export async function pointAt(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: DeploymentRow,
  environment: Environment,
  what: 'promoted' | 'rolled_back',
  now: number,
): Promise<void> {
  if (row.status !== 'ACTIVE')
    throw new Problem(
      'conflict',
      `Only a deployment that was active can be live; this one is ${row.status}.`,
    );
  await switchTo(tx, row, environment, now);
  await audit(tx, source, organizationId, row, what, { environment: environment.slug });
}
