import { randomBytes } from 'node:crypto';
import type { Environment } from '#accounts/applications/service.ts';
import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import type { Vault } from '#core/vault.ts';
import { findProtection, type ProtectionRow, saveProtection } from '../store.ts';
import { bypassText } from './guard.ts';

export interface ProtectionDeps {
  clock: Clock;
  vault: Vault;
}

interface Place {
  organizationId: string;
  environment: Environment;
}

/** `password`: its hash; null takes it away. */
export async function changeProtection(
  tx: Tx,
  { clock }: ProtectionDeps,
  source: AuditSource,
  { organizationId, environment }: Place,
  changes: { enabled?: boolean | undefined; password?: string | null | undefined },
): Promise<ProtectionRow | undefined> {
  const before = await findProtection(tx, environment.id);
  const { enabled, password } = changes;
  // Whoever came in by a password that is gone has to come in again.
  const takesBack = before?.password != null && password !== undefined;
  await saveProtection(tx, environment.id, {
    ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
    ...(password === undefined ? {} : { password }),
    ...(takesBack ? { epoch: before.epoch + 1 } : {}),
    updated_at: clock.now(),
  });
  const details = {
    ...(enabled === undefined ? {} : { enabled }),
    ...(password === undefined ? {} : { password: password === null ? 'removed' : 'set' }),
  };
  await changed(tx, source, { organizationId, environment }, 'protection_updated', details);
  return findProtection(tx, environment.id);
}

/** A token for automation; the one before stops working. */
export async function createBypass(
  tx: Tx,
  { clock, vault }: ProtectionDeps,
  source: AuditSource,
  place: Place,
): Promise<{ token: string; createdAt: number }> {
  const token = `mst_bypass_${randomBytes(24).toString('base64url')}`;
  const now = clock.now();
  const { digest, version } = vault.hash(bypassText(token));
  const bypass = { bypass_digest: digest, bypass_version: version, bypass_created_at: now };
  await saveProtection(tx, place.environment.id, { ...bypass, updated_at: now });
  await changed(tx, source, place, 'protection_bypass_created');
  return { token, createdAt: now };
}

export async function deleteBypass(
  tx: Tx,
  { clock }: ProtectionDeps,
  source: AuditSource,
  place: Place,
): Promise<void> {
  const none = { bypass_digest: null, bypass_version: null, bypass_created_at: null };
  await saveProtection(tx, place.environment.id, { ...none, updated_at: clock.now() });
  await changed(tx, source, place, 'protection_bypass_deleted');
}

/** Links that were shared, and visitors who are in, have to come in again. */
export async function endVisits(
  tx: Tx,
  { clock }: ProtectionDeps,
  source: AuditSource,
  place: Place,
): Promise<void> {
  const before = await findProtection(tx, place.environment.id);
  await saveProtection(tx, place.environment.id, {
    epoch: (before?.epoch ?? 1) + 1,
    updated_at: clock.now(),
  });
  await changed(tx, source, place, 'protection_links_ended');
}

export function changed(
  tx: Tx,
  source: AuditSource,
  { organizationId, environment }: Place,
  what: ActionOf<'environment'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  announce(tx, 'environment_protection', environment.id);
  return audit(tx, source, {
    ...{ organizationId, targetType: 'environment', targetId: environment.id },
    action: `environment.${what}`,
    details: { applicationId: environment.applicationId, environment: environment.slug, ...details },
  });
}
