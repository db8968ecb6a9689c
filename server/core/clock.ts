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
