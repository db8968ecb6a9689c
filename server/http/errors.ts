import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { NothingChanged, Problem, type ProblemKind, partlyChanged } from '#core/problem.ts';
import { sentenceFor } from '#http/validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Statuses of failures that only this route has, for the API description: `[409, 504]`. */
    errors?: readonly number[];
  }
}

const statuses: Record<ProblemKind, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
  // As nginx logs it; it is never sent.
  client_gone: 499,
  internal: 500,
  outcome_unknown: 500,
  bad_gateway: 502,
  unavailable: 503,
  upstream_timeout: 504,
  storage_full: 507,
};

export function statusOf(problem: Problem): number {
  return statuses[problem.kind];
}

/** Where no route is. */
export function notFound({ method, url }: FastifyRequest): Problem {
  const path = url.split('?', 1)[0] ?? '';
  const sentence = `There is no endpoint ${method} ${path.slice(0, 200)}. See the API reference at /docs.`;
  return new Problem('not_found', sentence);
}

const bodyTooLarge: [ProblemKind, string] = ['too_large', 'The body is larger than this endpoint accepts.'];

export function tooLarge(): Problem {
  return new Problem(...bodyTooLarge);
}

/** Fastify's own errors, in our words. */
const frameworkProblems: Record<string, [ProblemKind, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLarge,
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_request', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['invalid_request', 'The path holds a malformed percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'Not found: a part of the path is too long.'],
  FST_ERR_ASYNC_CONSTRAINT: ['not_found', 'Not found.'],
};

/** Whatever was thrown, as a Problem. What is not one of ours becomes `internal` and says nothing of the inside. */
function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  const error = thrown as Partial<FastifyError>;
  if (error.validation) {
    const [first] = error.validation;
    if (error.validationContext === 'params')
      return new Problem('not_found', 'There is nothing with this id.');
    return new Problem('invalid_request', sentenceFor(first, error.validationContext ?? 'body'));
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || error.code === 'FST_ERR_CTP_INVALID_TYPE') {
    return new Problem(
      'unsupported_media_type',
      'This content type is not accepted here; send application/json.',
    );
  }
  const known = frameworkProblems[error.code ?? ''];
  if (known) return new Problem(...known);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem('invalid_request', 'The request is malformed.', { cause: thrown });
  }
  return new Problem('internal', 'Internal error. Include the request ID when you contact the operator.', {
    cause: thrown,
  });
}

/** "Nothing was changed" is said by an engine, which does not know what the request had committed before. */
function afterCommit(problem: Problem, { waits }: FastifyRequest): Problem {
  const isFalse = problem instanceof NothingChanged && waits?.hasCommitted;
  return isFalse ? partlyChanged(problem.cause ?? problem) : problem;
}

/** What may be due to something outside of the platform: a provider, a registry, an engine. */
const ofOthers: ReadonlySet<ProblemKind> = new Set(['bad_gateway', 'unavailable', 'upstream_timeout']);

/** How a protocol writes a failure: the body, and headers that only it needs. */
export type ProblemSkin = (problem: Problem) => { body: unknown; headers?: Record<string, string> };

const plainSkin: ProblemSkin = (problem) => ({ body: { error: problem.message } });

/** Sends any failure in the given skin; the API's own is `{"error": "<sentence>"}`. */
export function problemSender(log: Logger, skin: ProblemSkin = plainSkin) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = afterCommit(toProblem(thrown), request);
    const status = statusOf(problem);
    if (status >= 500) {
      const { kind, cause, message } = problem;
      // A stack says something of a fault of ours or of an engine's, and nothing of a refusal because of others.
      if (cause === undefined && ofOthers.has(kind)) log.warn({ requestId: request.id, kind }, message);
      else log.error({ requestId: request.id, err: cause ?? problem, kind }, message);
    }
    const { body, headers } = skin(problem);
    if (problem.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(problem.retryAfterSeconds));
    reply.headers({ ...problem.headers, ...headers });
    // A handler may have chosen the content type of its success already.
    reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
  };
}
