import { hash } from 'node:crypto';
import {
  isAllowedFrom,
  isUsable,
  isWellFormed,
  type KeyState,
  type KeyStates,
  secretByDigest,
} from '#accounts/api-keys/service.ts';
import type { Auth } from '#core/actor.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { LastUsed } from '#core/last-used.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import type { Scope } from '#core/scopes.ts';
import type { Vault } from '#core/vault.ts';
import { invalidToken } from '#http/access.ts';
import type { FailureThrottle } from './failures.ts';

interface SecretDeps {
  db: Db;
  vault: Vault;
  clock: Clock;
  keys: KeyStates;
  keysUsed: LastUsed;
  failures: FailureThrottle;
}

/**
 * Verifies the secret of an API key without its id, for tools that know no token endpoint. Only of keys that carry
 * nothing but the scopes that the caller of this names: a secret sent with every request had better open little.
 */
export class SecretVerifier {
  readonly #deps: SecretDeps;
  /** By a hash of the secret: which key and which of its secrets it is. That they still stand is asked each time. */
  readonly #known = new LazyLru<string, { keyId: string; secretId: string }>({ max: 10_000 });

  constructor(deps: SecretDeps) {
    this.#deps = deps;
  }

  authenticate(secret: string, address: string, allowed: ReadonlySet<Scope>): Maybe<Auth> {
    const name = hash('sha256', secret, 'base64');
    const known = this.#known.get(name);
    if (known)
      return andThen(this.#deps.keys.get(known.keyId), (key) => {
        const auth = this.#admit(key, known.secretId, address, allowed);
        return auth ?? this.#refuse(address);
      });
    return this.#look(name, secret, address, allowed);
  }

  async #look(name: string, secret: string, address: string, allowed: ReadonlySet<Scope>): Promise<Auth> {
    const { db, vault, keys } = this.#deps;
    const found = isWellFormed(secret) ? await secretByDigest(db, vault, secret) : undefined;
    if (!found) return this.#refuse(address);
    const auth = this.#admit(await keys.get(found.api_key_id), found.id, address, allowed);
    if (!auth) return this.#refuse(address);
    this.#known.set(name, { keyId: found.api_key_id, secretId: found.id });
    return auth;
  }

  #admit(
    key: KeyState | null,
    secretId: string,
    address: string,
    allowed: ReadonlySet<Scope>,
  ): Auth | undefined {
    const { clock, keysUsed } = this.#deps;
    if (!key || !isUsable(key, clock.now()) || !isAllowedFrom(key, address)) return undefined;
    if (!key.secrets.some(({ id }) => id === secretId)) return undefined;
    const other = [...key.scopes].find((scope) => !allowed.has(scope));
    if (other !== undefined) {
      const sentence = `The secret of an API key is accepted here only if the key has no other scopes than ${[...allowed].join(', ')}; this one has ${other}. Exchange it for a token, or create a separate key.`;
      throw new Problem('forbidden', sentence);
    }
    keysUsed.note(key.id);
    return {
      ...{ actor: key.actor, scopes: key.scopes, through: 'api_key', clientId: key.id, tokenId: secretId },
      ...{ grantId: null, provenAt: null },
    };
  }

  async #refuse(address: string): Promise<never> {
    await this.#deps.failures.failed(undefined, address);
    throw invalidToken('The API key is not valid: it is unknown, has expired or was revoked.');
  }
}
