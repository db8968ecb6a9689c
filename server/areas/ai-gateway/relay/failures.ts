import type { IncomingMessage } from 'node:http';
import type { Problem } from '#core/problem.ts';
import { GatewayProblem, refusal } from '../problem.ts';
import { AttemptFailure } from './dial.ts';

/** What to do after an attempt that failed before any output. */
export type Next =
  /** The same provider once more: it may have been a moment's trouble. */
  | 'again'
  /** The same provider with another key. */
  | 'other_key'
  /** The next candidate. */
  | 'next'
  /** Nothing: it would fail the same way everywhere. */
  | 'stop';

const longerContext =
  /context.{0,20}(length|window)|maximum context|too many (input )?tokens|prompt is too long/i;

export function nextAfter(failure: AttemptFailure): Next {
  switch (failure.kind) {
    case 'aborted':
    case 'denied':
      return 'stop';
    // A silent provider stays silent: the next one is asked.
    case 'timeout':
    case 'forbidden':
    case 'refused':
      return 'next';
    case 'connection':
    case 'malformed':
      return 'again';
    case 'status':
      return afterStatus(failure);
  }
}

function afterStatus({ status = 0, detail }: AttemptFailure): Next {
  if (status === 429 || status === 401 || status === 402 || status === 403) return 'other_key';
  if (status === 408 || status === 409 || status >= 500) return 'again';
  const tooLong = detail?.code === 'context_length_exceeded' || longerContext.test(detail?.message ?? '');
  return tooLong ? 'next' : 'stop';
}

/** Whether it says something about the health of the provider. */
export function isFault(failure: AttemptFailure): boolean | undefined {
  if (failure.kind === 'aborted' || failure.kind === 'denied') return undefined;
  if (failure.kind === 'status') return (failure.status ?? 0) >= 500 || failure.status === 429;
  return failure.kind !== 'forbidden';
}

/** What the client is told when nobody could answer. */
export function problemOf(failure: AttemptFailure): Problem {
  const { kind, status = 0, detail, message, retryAfterSeconds } = failure;
  if (failure.cause instanceof GatewayProblem && kind === 'denied') return failure.cause;
  if (kind === 'timeout') return refusal('provider_timeout', message, { cause: failure });
  if (kind === 'status' && status === 429)
    return refusal('rate_limit_exceeded', detail?.message ?? 'The provider limits requests.', {
      retryAfterSeconds,
    });
  const isAboutRequest = kind === 'status' && [400, 404, 405, 409, 413, 415, 422, 451].includes(status);
  if (isAboutRequest)
    return new GatewayProblem(status === 404 ? 'not_found' : 'invalid_request', detail?.message ?? message, {
      code: detail?.code ?? 'provider_error',
      type: detail?.type ?? undefined,
      param: detail?.param ?? undefined,
      status,
    });
  const said = detail && kind === 'malformed' ? `The provider failed: ${detail.message}` : message;
  return refusal('provider_error', said, { cause: failure, retryAfterSeconds });
}

const maxErrorBytes = 64 * 1024;

/** An answer that is an error, read as far as it is needed. */
export async function failureOfStatus(response: IncomingMessage): Promise<AttemptFailure> {
  const status = response.statusCode ?? 0;
  const text = await readSome(response);
  const detail = detailOf(text);
  const isKeyTrouble = status === 401 || status === 402 || status === 403;
  const message = isKeyTrouble
    ? `The provider rejected the API key (${status}).`
    : `The provider responded with ${status}.`;
  return new AttemptFailure('status', `http_${status}`, message, {
    status,
    retryAfterSeconds: retryAfterOf(response, text),
    // What a provider says of a key may name it.
    detail: isKeyTrouble ? undefined : detail,
  });
}

async function readSome(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      pieces.push(piece as Buffer);
      length += (piece as Buffer).length;
      if (length > maxErrorBytes) break;
    }
  } catch {
    // What came until then has to do.
  }
  response.destroy();
  return Buffer.concat(pieces).toString('utf8', 0, maxErrorBytes);
}

function detailOf(text: string): NonNullable<AttemptFailure['detail']> {
  const plain = {
    message: text.slice(0, 500) || 'The provider did not give a reason.',
    code: null,
    type: null,
    param: null,
  };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return plain;
  }
  const one = Array.isArray(body) ? body[0] : body;
  const error = (one as { error?: unknown })?.error ?? one;
  if (typeof error === 'string') return { ...plain, message: error.slice(0, 2000) };
  if (typeof error !== 'object' || error === null) return plain;
  const { message, code, type, param, status } = error as Record<string, unknown>;
  const asText = (value: unknown) => (typeof value === 'string' ? value.slice(0, 2000) : null);
  return {
    message: asText(message) ?? plain.message,
    code: asText(code) ?? asText(status),
    type: asText(type),
    param: asText(param),
  };
}

/** The header (seconds or a date), or Google's RetryInfo. */
function retryAfterOf({ headers }: IncomingMessage, text: string): number | undefined {
  const given = headers['retry-after'];
  if (given !== undefined) {
    const seconds = Number(given);
    const until = Number.isFinite(seconds) ? seconds : (Date.parse(given) - Date.now()) / 1000;
    if (Number.isFinite(until) && until >= 0) return Math.min(3600, Math.ceil(until));
  }
  const match = /"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d{1,6})?)s"/.exec(text);
  return match ? Math.min(3600, Math.ceil(Number(match[1]))) : undefined;
}
