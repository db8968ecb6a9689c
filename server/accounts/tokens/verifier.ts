import { verify } from 'node:crypto';
import { isAllowedFrom, isUsable, type KeyState, type KeyStates } from '#accounts/api-keys/service.ts';
import type { Auth } from '#core/actor.ts';
import type { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import type { Maybe } from '#core/maybe.ts';
import { isScope, type Scope, scopesFor } from '#core/scopes.ts';
import { invalidToken } from '#http/access.ts';
import type { Claims } from './issuer.ts';
import type { Keyring } from './keyring.ts';
import { isTokenRevoked } from './revocation-store.ts';
import { tokenTopic } from './revocations.ts';

/** No token of ours comes near it; longer ones are refused unread. */
const maxTokenLength = 8192;
const skewSeconds = 5;

/** What a person let a program do, as far as its tokens depend on it. */
export interface GrantState {
  userId: string;
  /** False once the person is suspended. */
  live: boolean;
  /** Milliseconds. */
  expiresAt: number;
}

/** A token whose signature and claims have been checked, kept until it expires. */
interface Verified {
  auth: Auth;
  claims: Claims;
}

/**
 * Decides whether a bearer token is accepted: signature, `typ`, `iss`, `aud`, times, and that its key, or what a person
 * granted, and its owner still stand. A token seen before costs two look-ups in memory.
 */
export class TokenVerifier {
  readonly #accepted: LazyLru<string, Verified>;
  readonly #tokenById = new Map<string, string>();
  #revocations = 0;
  readonly #db: Db;
  readonly #keys: KeyStates;
  readonly #grants: Cached<GrantState | null>;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #issuer: string;
  readonly #peopleIssuer: string;

  constructor(deps: {
    db: Db;
    keys: KeyStates;
    /** What people granted, by id; their tokens come from the issuer of their own, `<issuer>/idp`. */
    grants: Cached<GrantState | null>;
    keyring: Keyring;
    clock: Clock;
    issuer: string;
    maxTokens: number;
  }) {
    this.#db = deps.db;
    this.#keys = deps.keys;
    this.#grants = deps.grants;
    this.#keyring = deps.keyring;
    this.#clock = deps.clock;
    this.#issuer = deps.issuer;
    this.#peopleIssuer = peopleIssuer(deps.issuer);
    this.#accepted = new LazyLru({
      max: deps.maxTokens,
      dispose: ({ auth }) => this.#tokenById.delete(auth.tokenId),
    });
    deps.db.notifications.on(tokenTopic, (id) => {
      this.#revocations++;
      if (id === undefined) return this.#accepted.clear();
      const token = this.#tokenById.get(id);
      if (token) this.#accepted.delete(token);
    });
  }

  /** Synchronous for a token seen before. Throws, or rejects with, `Problem('unauthenticated')`. */
  authenticate(token: string, address: string): Maybe<Auth> {
    const accepted = this.#db.notifications.current() ? this.#accepted.get(token) : undefined;
    if (!accepted) return this.#check(token, address);
    const grantId = accepted.claims.grant_id;
    if (grantId !== undefined) {
      const grant = this.#grants.get(grantId);
      if (!grant || grant instanceof Promise) return this.#check(token, address);
      return this.#admitPerson(accepted, grant);
    }
    const key = this.#keys.get(accepted.auth.clientId);
    if (!key || key instanceof Promise) return this.#check(token, address);
    return this.#admit(accepted, key, address);
  }

  /** What the token says, when it would be accepted now; undefined otherwise. For introspection. */
  async inspect(token: string): Promise<Claims | undefined> {
    const accepted = await this.#verify(token);
    if (!accepted) return undefined;
    const { grant_id: grantId } = accepted.claims;
    if (grantId !== undefined) {
      const grant = await this.#grants.get(grantId);
      return grant && this.#personStands(accepted, grant) ? accepted.claims : undefined;
    }
    const key = await this.#keys.get(accepted.auth.clientId);
    return key && this.#stands(accepted, key) ? accepted.claims : undefined;
  }

  async #check(token: string, address: string): Promise<Auth> {
    const revocationsBefore = this.#revocations;
    const accepted = await this.#verify(token);
    if (!accepted) throw invalidToken('The token is not valid, or it was revoked. Get a new one.');
    const { grant_id: grantId } = accepted.claims;
    const grant = grantId === undefined ? undefined : await this.#grants.get(grantId);
    const key = grantId === undefined ? await this.#keys.get(accepted.auth.clientId) : undefined;
    if (!key && !grant) throw invalidToken('The account of this token no longer exists. Get a new one.');
    // A revocation that arrived meanwhile may have been this token's: then the next use asks again.
    if (this.#db.notifications.current() && this.#revocations === revocationsBefore) {
      this.#accepted.set(token, accepted);
      this.#tokenById.set(accepted.auth.tokenId, token);
    }
    return grant ? this.#admitPerson(accepted, grant) : this.#admit(accepted, key as KeyState, address);
  }

  #admitPerson(accepted: Verified, grant: GrantState): Auth {
    if (this.#personStands(accepted, grant)) return accepted.auth;
    throw invalidToken('The token has expired, or was revoked, or its user is suspended. Get a new one.');
  }

  #personStands({ claims }: Verified, grant: GrantState): boolean {
    const now = this.#clock.now();
    return claims.exp * 1000 > now && grant.live && grant.expiresAt > now && grant.userId === claims.sub;
  }

  #admit(accepted: Verified, key: KeyState, address: string): Auth {
    if (!this.#stands(accepted, key)) {
      throw invalidToken('The token has expired, or its API key was revoked or suspended. Get a new one.');
    }
    if (!isAllowedFrom(key, address))
      throw invalidToken('The API key of this token cannot be used from this address.');
    return accepted.auth;
  }

  #stands({ claims }: Verified, key: KeyState): boolean {
    const now = this.#clock.now();
    return (
      claims.exp * 1000 > now &&
      isUsable(key, now) &&
      // An application that moved: its tokens would act in the organization that it has left.
      (claims.organization_id ?? null) === key.actor.organizationId &&
      key.secrets.some((secret) => secret.id === claims.secret_id)
    );
  }

  async #verify(token: string): Promise<Verified | undefined> {
    const claims = await this.#verified(token);
    if (!claims || (await isTokenRevoked(this.#db, claims.jti))) return undefined;
    return { claims, auth: toAuth(claims) };
  }

  /** The claims of a token that we signed, for us, and that is not from the future. */
  async #verified(token: string): Promise<Claims | undefined> {
    if (token.length > maxTokenLength) return undefined;
    const [header = '', payload = '', signature = '', ...rest] = token.split('.', 4);
    if (rest.length > 0 || signature.length !== 86) return undefined;
    const key = this.#keyring.verifier(header) ?? (await this.#keyring.refreshedVerifier(header));
    if (!key) return undefined;
    const input = Buffer.from(`${header}.${payload}`, 'latin1');
    const bytes = Buffer.from(signature, 'base64url');
    // The last character has unused bits: only one way to write a signature is ours.
    if (bytes.toString('base64url') !== signature) return undefined;
    if (!verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, bytes)) return undefined;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims;
    const fromTheFuture = claims.iat > this.#clock.now() / 1000 + skewSeconds;
    const issuer = claims.grant_id === undefined ? this.#issuer : this.#peopleIssuer;
    return claims.iss === issuer && claims.aud === this.#issuer && !fromTheFuture ? claims : undefined;
  }
}

/** The issuer of what people sign in to and allow; keys have the plain one. */
export function peopleIssuer(baseUrl: string): string {
  return `${baseUrl}/idp`;
}

/** What operators may do is for API keys and browsers: a program never gets it by OAuth, whatever its token says. */
const grantable: ReadonlySet<Scope> = new Set(scopesFor('user'));

function toAuth(claims: Claims): Auth {
  const byPerson = claims.grant_id !== undefined;
  const scopes = claims.scope.split(' ').filter(isScope);
  return {
    actor: {
      type: claims.actor_type as Auth['actor']['type'],
      id: claims.sub,
      organizationId: claims.organization_id ?? null,
      applicationId: claims.application_id ?? null,
      environmentId: claims.environment_id ?? null,
    },
    scopes: new Set(byPerson ? scopes.filter((scope) => grantable.has(scope)) : scopes),
    through: byPerson ? 'oauth_client' : 'api_key',
    clientId: claims.client_id,
    tokenId: claims.jti,
    grantId: claims.grant_id ?? null,
    provenAt: null,
  };
}
