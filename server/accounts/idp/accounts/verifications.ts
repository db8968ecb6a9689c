import { randomBytes } from 'node:crypto';
import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { UserRow } from '#accounts/users/service.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import type { Vault } from '#core/vault.ts';
import { insertVerification, userOfVerification } from './verification-store.ts';

/** What links and ceremonies are known by, as better-auth looks them up: `reset-password:<token>` and its like. */
export function verificationDigest(vault: Vault, identifier: string): string {
  return vault.hash(`verification ${identifier}`, 1).digest.toString('base64url');
}

/** The token is behind a `#`: browsers keep that to themselves. */
export function resetLink(baseUrl: string, token: string): string {
  return `${baseUrl}/reset-password#${token}`;
}

/** Whose password the token of a link resets, now; null when it does not. */
export function personOfResetLink(db: Db, vault: Vault, token: string): Promise<string | null> {
  return userOfVerification(db, verificationDigest(vault, `reset-password:${token}`), Date.now());
}

/** A link with which its bearer chooses a new password for the user, once. For operators to hand over. */
export async function createResetLink(
  tx: Tx,
  deps: { vault: Vault; baseUrl: string; now: number; lifetimeSeconds: number },
  source: AuditSource,
  user: Pick<UserRow, 'id' | 'email' | 'epoch'>,
): Promise<{ url: string; expiresAt: number }> {
  const { vault, baseUrl, now, lifetimeSeconds } = deps;
  const token = randomBytes(24).toString('base64url');
  const expiresAt = now + lifetimeSeconds * 1000;
  await insertVerification(tx, {
    id: newId(now),
    identifier: verificationDigest(vault, `reset-password:${token}`),
    value: user.id,
    user_id: user.id,
    epoch: user.epoch,
    expires_at: expiresAt,
    created_at: now,
    updated_at: now,
  });
  await audit(tx, source, {
    organizationId: null,
    action: 'password.reset_link_created',
    targetType: 'user',
    targetId: user.id,
    details: { email: user.email },
  });
  return { url: resetLink(baseUrl, token), expiresAt };
}
