/** Time is handed in, so that tests move it instead of waiting. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601, UTC, milliseconds, `Z`: the only way a moment leaves the API. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * How long what has expired is still kept: the clock of the node that sweeps may be ahead of those that still need it.
 * Far longer than a token lives, and than the difference of clocks at which nodes stop understanding each other.
 */
export const clockMarginMilliseconds = 3_600_000;
