import { Problem, type ProblemKind } from '#core/problem.ts';
import type { ProblemSkin } from '#http/errors.ts';

/** A failure that OAuth gives a code of its own (RFC 6749, 5.2; RFC 8628, 3.5). */
export class OAuthProblem extends Problem {
  readonly code: string;

  constructor(code: string, message: string, options: { kind?: ProblemKind } = {}) {
    super(options.kind ?? 'invalid_request', message);
    this.code = code;
  }
}

const codes: Partial<Record<ProblemKind, string>> = {
  unauthenticated: 'invalid_client',
  forbidden: 'access_denied',
  too_many_requests: 'slow_down',
  internal: 'server_error',
  outcome_unknown: 'server_error',
  unavailable: 'temporarily_unavailable',
};

/** RFC 6749, 5.2. */
export const oauthSkin: ProblemSkin = (problem) => {
  const code = problem instanceof OAuthProblem ? problem.code : (codes[problem.kind] ?? 'invalid_request');
  return {
    body: { error: code, error_description: problem.message },
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
  };
};
