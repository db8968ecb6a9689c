import type { Auth, Role } from '#core/actor.ts';
import { isWithin } from '#core/addresses.ts';
import type { Clock } from '#core/clock.ts';
import { Problem } from '#core/problem.ts';
import { isOperatorScope, isReadOnly, type Scope, scopesFor } from '#core/scopes.ts';
import type { KeyOrigin, KeyStates } from './states.ts';

/** What is about to be brought into being: an API key or a secret of one, an S3 credential, a grant, a role, a link. */
export interface Power {
  /**
   * `bearer`: a secret works for whoever has it, so it inherits the bounds of the key that makes it. `person`: somebody
   * signs in to use it. `program`: a person lets an OAuth client act for them.
   */
  heldBy: 'bearer' | 'person' | 'program';
  /** What it lets its holder do. */
  scopes: readonly Scope[];
  /** When it ends by itself, in milliseconds; null: never. */
  expiresAt: number | null;
  /** Addresses and blocks that it works from; empty: anywhere. */
  addresses: readonly string[];
}

/** The credential that asks, as far as it matters for what it may make. */
export interface Maker {
  through: Auth['through'];
  scopes: ReadonlySet<Scope>;
  /** Of a session: whether the person proved lately who they are. */
  fresh: boolean;
  /** Of an API key, like `addresses`. Null: it never expires. */
  expiresAt: number | null;
  addresses: readonly string[];
  /** The OAuth client that it acts for, or that the key was made through. */
  clientId: string | null;
}

/** What outlives this counts as lasting: a date in a hundred years is no bound. */
const lastingMilliseconds = 366 * 86_400_000;

/**
 * Why this credential may not make that power; undefined when it may. The one rule for everything that makes a
 * credential, a grant or an invitation: nobody hands on more than they hold, for longer, or to more places.
 */
export function refusal(maker: Maker, power: Power, now: number): Problem | undefined {
  const { through, clientId } = maker;
  const byProgram = through === 'oauth_client';
  for (const scope of power.scopes) {
    if (!maker.scopes.has(scope)) return forbidden(`Your token does not have the scope ${scope}; remove it.`);
    if (isOperatorScope(scope) && (power.heldBy === 'program' || byProgram || clientId !== null))
      return forbidden(
        `The scope ${scope} cannot be granted to an OAuth app; use an API key of the operator.`,
      );
  }
  if (power.heldBy === 'bearer') {
    const { expiresAt, addresses } = maker;
    if (expiresAt !== null && (power.expiresAt === null || power.expiresAt > expiresAt)) {
      const end = new Date(expiresAt).toISOString();
      return forbidden(`The expiration must not be later than that of the API key that creates it, ${end}.`);
    }
    const isWider =
      addresses.length > 0 &&
      (power.addresses.length === 0 || power.addresses.some((block) => !isWithin(block, addresses)));
    if (isWider) {
      const known = addresses.join(', ');
      return forbidden(
        `The allowed addresses must be within those of the API key that creates it: ${known}.`,
      );
    }
  }
  const isLasting = power.expiresAt === null || power.expiresAt > now + lastingMilliseconds;
  if (!isLasting || power.heldBy === 'program') return undefined;
  if (byProgram)
    return forbidden(
      'An OAuth app cannot create something that never expires or lasts longer than a year; set an expiration.',
    );
  if (through === 'session' && !maker.fresh)
    return forbidden(
      'Sign in again first: creating something that does not expire requires a recent sign-in.',
    );
  return undefined;
}

/** Asks `refusal` for the callers of this instance. Share one; every route that makes a power has it. */
export class Powers {
  readonly #keys: KeyStates;
  readonly #clock: Clock;
  readonly #freshMilliseconds: number;

  constructor(deps: { keys: KeyStates; clock: Clock; freshSeconds: number }) {
    this.#keys = deps.keys;
    this.#clock = deps.clock;
    this.#freshMilliseconds = deps.freshSeconds * 1000;
  }

  /**
   * Throws `Problem('forbidden')` unless the caller may make that. Returns through whom and what it is made, to be kept
   * with it. Ask before the transaction, and before `once` looks for a stored answer.
   */
  async demand(auth: Auth, power: Power): Promise<KeyOrigin> {
    const { maker, origin } = await this.#look(auth);
    const problem = refusal(maker, power, this.#clock.now());
    if (problem) throw problem;
    return origin;
  }

  /** The bounds that what this caller makes has to stay in; for defaults. */
  async boundsOf(auth: Auth): Promise<Pick<Maker, 'expiresAt' | 'addresses'>> {
    const { maker } = await this.#look(auth);
    return { expiresAt: maker.expiresAt, addresses: maker.addresses };
  }

  async #look(auth: Auth): Promise<{ maker: Maker; origin: KeyOrigin }> {
    const { actor, through, scopes, grantId } = auth;
    const fresh = auth.provenAt !== null && this.#clock.now() - auth.provenAt < this.#freshMilliseconds;
    const user = actor.type === 'user' ? actor.id : null;
    if (through !== 'api_key') {
      const clientId = through === 'oauth_client' ? auth.clientId : null;
      const maker = { through, scopes, fresh, expiresAt: null, addresses: [], clientId };
      return { maker, origin: { userId: user, keyId: null, clientId, grantId } };
    }
    const key = await this.#keys.get(auth.clientId);
    if (!key) throw forbidden('The API key of this token no longer exists.');
    const { expiresAt, addressBlocks: addresses, origin } = key;
    const maker = { through, scopes, fresh, expiresAt, addresses, clientId: origin.clientId };
    return { maker, origin: { ...origin, userId: origin.userId ?? user, keyId: key.id } };
  }
}

/** What a role in an organization lets a person do there, as scopes: who gives the role has to hold them. */
export function scopesOfRole(role: Role): readonly Scope[] {
  const all = scopesFor('user');
  if (role !== 'MEMBER') return all;
  return all.filter((scope) => isReadOnly(scope) && /^(network|platform:organizations):/.test(scope));
}

function forbidden(sentence: string): Problem {
  return new Problem('forbidden', sentence);
}
