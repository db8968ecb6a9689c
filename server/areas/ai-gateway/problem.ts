import { Problem, type ProblemKind } from '#core/problem.ts';

/** What the gateway itself refuses with, as clients of OpenAI's protocol read it. */
export type RefusalCode =
  | 'invalid_request'
  | 'model_not_found'
  | 'policy_denied'
  | 'budget_exceeded'
  | 'model_unpriced'
  | 'rate_limit_exceeded'
  | 'provider_error'
  | 'no_provider'
  | 'provider_timeout';

interface Details {
  /** Ours, or a provider's own. */
  code?: string | undefined;
  /** OpenAI's `type`; ours are made from the kind. */
  type?: string | undefined;
  /** The field that is wrong. */
  param?: string | undefined;
  /** Of a provider that answered; ours follow from the kind. */
  status?: number | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
  headers?: Record<string, string> | undefined;
}

/** A failure of `/ai/v1`, with what its protocols say beside the sentence. */
export class GatewayProblem extends Problem {
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly param: string | undefined;
  readonly status: number | undefined;

  constructor(kind: ProblemKind, message: string, details: Details = {}) {
    super(kind, message, {
      ...(details.cause === undefined ? {} : { cause: details.cause }),
      ...(details.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: details.retryAfterSeconds }),
      ...(details.headers === undefined ? {} : { headers: details.headers }),
    });
    this.code = details.code;
    this.type = details.type;
    this.param = details.param;
    this.status = details.status;
  }
}

const kinds: Record<RefusalCode, ProblemKind> = {
  invalid_request: 'invalid_request',
  model_not_found: 'not_found',
  policy_denied: 'forbidden',
  budget_exceeded: 'payment_required',
  model_unpriced: 'invalid_request',
  rate_limit_exceeded: 'too_many_requests',
  provider_error: 'bad_gateway',
  no_provider: 'unavailable',
  provider_timeout: 'upstream_timeout',
};

export function refusal(code: RefusalCode, sentence: string, details: Details = {}): GatewayProblem {
  return new GatewayProblem(kinds[code], sentence, { code, ...details });
}

const types: Partial<Record<ProblemKind, string>> = {
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  insufficient_scope: 'permission_error',
  payment_required: 'insufficient_quota',
  too_many_requests: 'rate_limit_error',
  bad_gateway: 'api_error',
  internal: 'api_error',
  unavailable: 'api_error',
  upstream_timeout: 'api_error',
  storage_full: 'api_error',
};

const codes: Partial<Record<ProblemKind, string>> = {
  unauthenticated: 'invalid_api_key',
  forbidden: 'permission_denied',
  insufficient_scope: 'insufficient_scope',
  not_found: 'not_found',
  too_many_requests: 'rate_limit_exceeded',
  internal: 'internal_error',
  unavailable: 'unavailable',
};

export interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

export function openAiError(problem: Problem): OpenAiError {
  const own = problem instanceof GatewayProblem ? problem : undefined;
  return {
    message: problem.message,
    type: own?.type ?? types[problem.kind] ?? 'invalid_request_error',
    param: own?.param ?? null,
    code: own?.code ?? codes[problem.kind] ?? problem.kind,
  };
}

const anthropicTypes: Partial<Record<ProblemKind, string>> = {
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  insufficient_scope: 'permission_error',
  payment_required: 'billing_error',
  not_found: 'not_found_error',
  too_large: 'request_too_large',
  too_many_requests: 'rate_limit_error',
  upstream_timeout: 'timeout_error',
  unavailable: 'overloaded_error',
  bad_gateway: 'api_error',
  internal: 'api_error',
};

/** As Anthropic's Messages protocol writes a failure. */
export function anthropicError(problem: Problem): object {
  const type = anthropicTypes[problem.kind] ?? 'invalid_request_error';
  const { code } = openAiError(problem);
  return { type: 'error', error: { type, message: problem.message, code } };
}
