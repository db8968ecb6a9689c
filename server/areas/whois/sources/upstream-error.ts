/**
 * How an upstream failed. `silent`: no answer in time. `throttled`: it asks for patience. `refused`: it answers, but not
 * us. `broken`: what it sent is no answer. `unreachable`: no connection. `forbidden`: an address that is not asked.
 */
export type UpstreamFailure = 'silent' | 'throttled' | 'refused' | 'broken' | 'unreachable' | 'forbidden';

export class UpstreamError extends Error {
  readonly failure: UpstreamFailure;
  readonly upstream: string;
  /** Seconds that the upstream wants to be left alone, when it says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    failure: UpstreamFailure,
    upstream: string,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(`${upstream}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UpstreamError';
    this.failure = failure;
    this.upstream = upstream;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
