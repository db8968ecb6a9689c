import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '#core/problem.ts';
import { statusOf } from '#http/errors.ts';

/** How the storage host says no. It speaks HTTP and tus, not the API, but in the API's shape. */

/** A refusal with a status that no `Problem` has: those of tus. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** A connection that is closed while bytes arrive is reset, and the client never reads why. */
const lingerMilliseconds = 5000;

export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers = {} }: { status: number; message: string; headers?: Record<string, string> },
): void {
  if (response.headersSent) {
    // Half of it is sent: that it was cut off is all that can still be said.
    response.destroy();
    return;
  }
  const body = JSON.stringify({ error: message });
  // What the client still sends is thrown away for a moment, so that it reads the answer.
  if (!request.complete) {
    response.setHeader('connection', 'close');
    request.on('error', () => undefined);
    request.resume();
    setTimeout(() => request.destroy(), lingerMilliseconds).unref();
  }
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** What was thrown, as status and sentence; undefined: nobody foresaw it. */
export function refusalOf(
  thrown: unknown,
): { status: number; message: string; headers?: Record<string, string> } | undefined {
  if (thrown instanceof Refusal) return thrown;
  if (!(thrown instanceof Problem)) return undefined;
  const { message, retryAfterSeconds, headers } = thrown;
  const retry: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { status: statusOf(thrown), message, headers: { ...headers, ...retry } };
}
