import type { AuditSource } from '#accounts/audit-log/service.ts';
import { audit } from '#accounts/audit-log/service.ts';
import type { Actor } from '#core/actor.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import type { Scope } from '#core/scopes.ts';
import type { Vault } from '#core/vault.ts';
import { target } from './revoke-key.ts';
import { makeSecret } from './secret.ts';
import type { KeyOrigin } from './states.ts';
import {
  type ApiKeyRow,
  deleteSecret,
  findSecret,
  insert,
  insertSecret,
  type SecretRow,
  secretsOf,
  touch,
} from './store.ts';

export { KeepKeysQuery, MadeKeyList, MadeKeys } from './made-keys.ts';
export { type Power, Powers, scopesOfRole } from './powers.ts';
export { revokeKey } from './revoke-key.ts';
export { isWellFormed } from './secret.ts';
export {
  isAllowedFrom,
  isUsable,
  type KeyOrigin,
  type KeyState,
  type KeyStates,
  keyStates,
  matchingSecret,
} from './states.ts';
export type { KeyMaker } from './store.ts';

import { announce } from '#core/notifications.ts';

export interface Deps {
  db: Db;
  vault: Vault;
  clock: Clock;
}

/** Which secret of which key this is; that the key stands is for the caller to ask. */
export function secretByDigest(db: Db, vault: Vault, secret: string): Promise<SecretRow | undefined> {
  return findSecret(db, vault.digests(secret));
}

/** A secret beside the row that keeps its digest. It is shown once and kept nowhere. */
export interface NewSecret {
  row: SecretRow;
  secret: string;
}

export interface NewKey {
  name: string;
  actor: Actor;
  /** As `Powers.demand` returns it. */
  origin: KeyOrigin;
  scopes: readonly Scope[];
  /** Milliseconds; null: never. */
  expiresAt: number | null;
  allowedAddresses: readonly string[];
}

/** Of keys that no request has made. */
export const noOrigin: KeyOrigin = { userId: null, keyId: null, clientId: null, grantId: null };

/** During a rotation the old and the new secret both work; a third would outlive its reason. */
const maxSecrets = 2;

/** Id and secret are new ones unless given. */
export async function createKey(
  tx: Tx,
  { vault, clock }: Deps,
  source: AuditSource,
  key: NewKey,
  options: { id?: string; secret?: string } = {},
): Promise<{ key: ApiKeyRow; secret: NewSecret }> {
  const now = clock.now();
  const row: ApiKeyRow = {
    id: options.id ?? newId(now),
    name: key.name,
    actor_type: key.actor.type,
    user_id: key.actor.type === 'user' ? key.actor.id : null,
    organization_id: key.actor.organizationId,
    application_id: key.actor.applicationId,
    environment_id: key.actor.environmentId,
    actor_id: key.actor.type === 'deployment' || key.actor.type === 'function' ? key.actor.id : null,
    scopes: key.scopes.join(' '),
    allowed_addresses: JSON.stringify(key.allowedAddresses),
    created_by_user_id: key.origin.userId,
    created_by_key_id: key.origin.keyId,
    created_by_client_id: key.origin.clientId,
    created_by_grant_id: key.origin.grantId,
    expires_at: key.expiresAt,
    revoked_at: null,
    last_used_at: null,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  const secret = await addSecret(tx, vault, row.id, now, options.secret);
  await audit(tx, source, {
    ...target(row, 'api_key.created'),
    details: {
      name: row.name,
      actor: { type: key.actor.type, id: key.actor.id },
      scopes: key.scopes,
      expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
      allowedAddresses: key.allowedAddresses,
    },
  });
  return { key: row, secret };
}

/** Adds a second secret, so that clients can move over before the first is deleted. */
export async function rotateSecret(
  tx: Tx,
  { vault, clock }: Deps,
  source: AuditSource,
  key: ApiKeyRow,
): Promise<NewSecret> {
  const live = await secretsOf(tx, [key.id]);
  if (live.length >= maxSecrets) {
    throw new Problem('conflict', `The key has ${maxSecrets} secrets already. Delete the old one first.`);
  }
  const now = clock.now();
  const secret = await addSecret(tx, vault, key.id, now);
  await touch(tx, key.id, now);
  await audit(tx, source, {
    ...target(key, 'api_key.secret_created'),
    details: { secretId: secret.row.id },
  });
  announce(tx, 'api_key', key.id);
  return secret;
}

export async function removeSecret(
  tx: Tx,
  { clock }: Deps,
  source: AuditSource,
  key: ApiKeyRow,
  secretId: string,
): Promise<void> {
  const live = await secretsOf(tx, [key.id]);
  if (!live.some((secret) => secret.id === secretId)) {
    throw new Problem('not_found', 'The key has no secret with this id.');
  }
  if (live.length === 1) {
    throw new Problem(
      'conflict',
      'This is the only secret of the key. Add another first, or delete the key.',
    );
  }
  await deleteSecret(tx, key.id, secretId);
  await touch(tx, key.id, clock.now());
  await audit(tx, source, { ...target(key, 'api_key.secret_deleted'), details: { secretId } });
  announce(tx, 'api_key', key.id);
}

async function addSecret(
  tx: Tx,
  vault: Vault,
  keyId: string,
  now: number,
  secret = makeSecret(),
): Promise<NewSecret> {
  const { digest, version } = vault.hash(secret);
  const row = { id: newId(now), api_key_id: keyId, digest, hash_version: version, created_at: now };
  await insertSecret(tx, row);
  return { row, secret };
}
