import { never } from '#core/cache.ts';
import { Problem } from '#core/problem.ts';

/** Thirty days: memcached's border between a lifetime and a moment. */
const longestLifetimeSeconds = 2_592_000;
const latestSeconds = 100_000_000_000;

/**
 * When an item expires, by memcached's rule
 * (https://github.com/memcached/memcached/blob/master/doc/protocol.txt, "Expiration times"): 0 or none is never, up to
 * thirty days is a lifetime in seconds, more is a Unix time in seconds. `now` and the result are milliseconds.
 */
export function expiryOf(expiration: number | null | undefined, now: number): number {
  if (!expiration) return never;
  if (expiration > latestSeconds) {
    const sentence =
      'The field "expiration" is too large: send a lifetime or a Unix time in seconds, not milliseconds.';
    throw new Problem('invalid_request', sentence);
  }
  return expiration <= longestLifetimeSeconds ? now + expiration * 1000 : expiration * 1000;
}
