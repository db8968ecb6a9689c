import type { Actor } from '#core/actor.ts';
import { AddressBlocks } from '#core/addresses.ts';
import { Cached } from '#core/cached.ts';
import type { Db } from '#core/db.ts';
import { isScope, type Scope, scopesFor } from '#core/scopes.ts';
import type { Vault } from '#core/vault.ts';
import { findWithOwners, type KeyWithOwners, type SecretRow, secretsOf } from './store.ts';

/** What is needed to decide whether a key and its tokens are valid. */
export interface KeyState {
  id: string;
  actor: Actor;
  scopes: ReadonlySet<Scope>;
  /** Space-separated, as tokens say it. */
  scope: string;
  /** False once the key is revoked, or its owner is suspended or deleted. */
  live: boolean;
  /** Milliseconds; null: never. */
  expiresAt: number | null;
  /** Null: from anywhere. */
  addresses: AddressBlocks | null;
  /** The same as it was written; empty: from anywhere. */
  addressBlocks: readonly string[];
  origin: KeyOrigin;
  secrets: readonly SecretDigest[];
}

/** Through whom and through what a key was made. All null: by the program itself. */
export interface KeyOrigin {
  userId: string | null;
  keyId: string | null;
  clientId: string | null;
  grantId: string | null;
}

export type KeyStates = Cached<KeyState | null>;

/** What each node knows of the keys in use; revocation and suspension reach it as a notification. */
export function keyStates({ db, max }: { db: Db; max: number }): KeyStates {
  return new Cached<KeyState | null>({
    notifications: db.notifications,
    max,
    topics: ['api_key'],
    // A user or an organization may own many keys, and is suspended rarely.
    sweepingTopics: ['user', 'organization', 'application'],
    async load(id) {
      const row = await findWithOwners(db, id);
      return row ? toState(row, await secretsOf(db, [id])) : null;
    },
  });
}

function toState(row: KeyWithOwners, secrets: SecretRow[]): KeyState {
  const actor = actorOf(row);
  const blocks = JSON.parse(row.allowed_addresses) as string[];
  // What came through a program never acts as an operator, whatever its row says.
  const operator = row.is_operator === 1 && row.created_by_client_id === null;
  const allowed = new Set(scopesFor(row.actor_type, { operator }));
  const scopes = row.scopes.split(' ').filter((scope) => isScope(scope) && allowed.has(scope)) as Scope[];
  return {
    id: row.id,
    actor,
    scopes: new Set(scopes),
    scope: scopes.join(' '),
    live:
      row.revoked_at === null &&
      row.user_suspended_at === null &&
      row.organization_deleted_at === null &&
      row.organization_suspended_at === null &&
      row.application_deleted_at === null,
    expiresAt: row.expires_at,
    addresses: blocks.length > 0 ? new AddressBlocks(blocks) : null,
    addressBlocks: blocks,
    origin: {
      userId: row.created_by_user_id,
      keyId: row.created_by_key_id,
      clientId: row.created_by_client_id,
      grantId: row.created_by_grant_id,
    },
    secrets: secrets.map(({ id, digest, hash_version }) => ({ id, digest, version: hash_version })),
  };
}

function actorOf(row: KeyWithOwners): Actor {
  const id = {
    user: row.user_id,
    organization: row.organization_id,
    application: row.application_id,
    deployment: row.actor_id,
    function: row.actor_id,
  }[row.actor_type];
  return {
    type: row.actor_type,
    id: id ?? row.id,
    organizationId: row.organization_id,
    applicationId: row.application_id,
    environmentId: row.environment_id,
  };
}

export function isAllowedFrom(state: KeyState, address: string): boolean {
  return state.addresses === null || state.addresses.has(address);
}

export function isUsable(state: KeyState, now: number): boolean {
  return state.live && (state.expiresAt === null || state.expiresAt > now);
}

/** A stored secret: its digest, and the version of the hash key that made it. */
export interface SecretDigest {
  id: string;
  digest: Uint8Array;
  version: number;
}

/**
 * The id of the stored secret that this is, if it is one. Takes the same time when there are none, as for a key that
 * does not exist: it hashes and compares against a digest that nothing has.
 */
export function matchingSecret(
  vault: Vault,
  digests: readonly SecretDigest[],
  secret: string,
): string | undefined {
  let found: string | undefined;
  for (const candidate of digests.length > 0 ? digests : [nobody]) {
    if (vault.matches(secret, candidate) && candidate !== nobody) found = candidate.id;
  }
  return found;
}

const nobody: SecretDigest = { id: '', digest: new Uint8Array(32), version: 1 };
