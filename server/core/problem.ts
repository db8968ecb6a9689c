/** What can go wrong, seen from the caller. The HTTP status belongs to the kind (see http/errors.ts). */
export type ProblemKind =
  | 'invalid_request'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'insufficient_scope'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'too_many_requests'
  | 'internal'
  /** It was sent to an engine that did not answer: it may have been done or not. */
  | 'outcome_unknown'
  | 'bad_gateway'
  | 'unavailable'
  | 'upstream_timeout'
  | 'storage_full'
  /** Nobody is there to take the answer. */
  | 'client_gone';

/**
 * The one error of this code base. `message` is a sentence for the caller: what is wrong and how to fix it.
 * What only an operator may see goes into `cause`, which is logged and never sent.
 */
export class Problem extends Error {
  readonly kind: ProblemKind;
  /** Seconds after which the caller may try again. */
  readonly retryAfterSeconds: number | undefined;
  /** Further response headers that belong to this failure, such as `WWW-Authenticate`. */
  readonly headers: Record<string, string> | undefined;

  constructor(
    kind: ProblemKind,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; headers?: Record<string, string> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers;
  }
}

/** A failure of an engine before it changed anything. Its sentence says so, which is true of the request's first change. */
export class NothingChanged extends Problem {}

/** For a request that had committed something before the rest of it failed. */
export function partlyChanged(cause: unknown): Problem {
  const sentence =
    'A part of the change was saved before the rest of the request failed. Look at what is there before you send it again.';
  return new Problem('outcome_unknown', sentence, { cause });
}

/** For a change whose confirmation was lost. Never an invitation to send it again blindly: no `Retry-After`. */
export function outcomeUnknown(cause: unknown): Problem {
  const sentence =
    'The connection was lost while the change was being saved, so its outcome is unknown. Check before you retry; with the same Idempotency-Key it is applied at most once.';
  return new Problem('outcome_unknown', sentence, { cause });
}
