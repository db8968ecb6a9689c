import type { Auth } from '#core/actor.ts';
import { isAddressBlock } from '#core/addresses.ts';
import { Problem } from '#core/problem.ts';
import { type ActorType, isReadOnly, type Scope, scopesFor } from '#core/scopes.ts';

const defaultLifetimeMilliseconds = 90 * 86_400_000;

/** The scopes of a new key: what is asked for, or else what lets it look. Whether the caller may give them, Powers says. */
export function keyScopes(
  auth: Auth,
  type: ActorType,
  wanted: readonly Scope[] | undefined,
): readonly Scope[] {
  const holdable: ReadonlySet<Scope> = new Set(scopesFor(type));
  // A user's key may carry the operator's scopes, when the caller holds them: the actor is the same person.
  const mayHold = (scope: Scope) => holdable.has(scope) || (type === 'user' && auth.actor.type === 'user');
  if (!wanted) {
    const modest = scopesFor(type).filter((scope) => isReadOnly(scope) && auth.scopes.has(scope));
    if (modest.length > 0) return modest;
    throw new Problem('invalid_request', 'Your token has no read-only scope; send "scopes" for the key.');
  }
  for (const scope of wanted) {
    if (!mayHold(scope))
      throw new Problem('invalid_request', `A key of the ${type} actor cannot hold ${scope}.`);
  }
  return wanted;
}

/** `bound`: when the key ends that makes it. */
export function keyExpiry(
  wanted: string | null | undefined,
  { now, bound }: { now: number; bound: number | null },
): number | null {
  if (wanted === undefined)
    return Math.min(now + defaultLifetimeMilliseconds, bound ?? Number.POSITIVE_INFINITY);
  if (wanted === null) return null;
  const moment = Date.parse(wanted);
  if (moment <= now) throw new Problem('invalid_request', 'The field "expiresAt" must be in the future.');
  return moment;
}

/** `bound`: the addresses of the key that makes it. */
export function keyAddresses(
  wanted: readonly string[] | undefined,
  bound: readonly string[],
): readonly string[] {
  if (wanted === undefined) return bound;
  const wrong = wanted.find((block) => !isAddressBlock(block));
  if (wrong !== undefined) {
    const sentence = `The field "allowedAddresses" holds "${wrong}"; write an address or a block such as 192.0.2.0/24.`;
    throw new Problem('invalid_request', sentence);
  }
  return wanted;
}
