import { Problem, type ProblemKind } from '#core/problem.ts';
import type { ProblemSkin } from '#http/errors.ts';
import { OAuthProblem } from '#http/oauth-errors.ts';

/** A failure that a page has to tell apart from others of its kind: `code` is for programs, the message for people. */
export class PeopleProblem extends Problem {
  readonly code: string;
  /** Further fields of the answer. */
  readonly details: Record<string, unknown>;

  constructor(
    kind: ProblemKind,
    code: string,
    message: string,
    options: { retryAfterSeconds?: number; details?: Record<string, unknown> } = {},
  ) {
    super(kind, message, options);
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** `{code, message}`, as better-auth answers. */
export const peopleSkin: ProblemSkin = (problem) => {
  if (problem instanceof PeopleProblem)
    return { body: { code: problem.code, message: problem.message, ...problem.details } };
  const code = problem instanceof OAuthProblem ? problem.code : problem.kind;
  return { body: { code: code.toUpperCase(), message: problem.message } };
};
