import { ApiError, ConnectionError, TimeoutError, toApiError } from './errors.ts';

/** What a caller may say about any one request. */
export interface RequestOptions {
  /** Gives the request up; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Of each attempt, the reading of the answer included. The client's own unless given. */
  timeoutMilliseconds?: number | undefined;
  /** How many more times a request that failed for now is sent. The client's own unless given. */
  retries?: number | undefined;
}

export interface Outgoing extends RequestOptions {
  method: string;
  url: string;
  headers: Headers;
  body?: RequestInit['body'];
  credentials?: RequestInit['credentials'];
  /** To send it twice does no harm, whatever its method. */
  isRepeatable?: boolean;
}

/** What the sender takes from around it; tests bring their own. */
export interface Surroundings {
  fetch: typeof fetch;
  sleep: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  random: () => number;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface Patience {
  retries: number;
  timeoutMilliseconds: number;
}

const firstDelayMilliseconds = 250;
const longestDelayMilliseconds = 8_000;
/** Who is told to come back later than this is better told so than kept waiting. */
const longestRetryAfterSeconds = 30;
const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * Sends until an answer is final, and reads it with `read`. A request is sent again after a network failure, a 429 or a
 * 503, with exponential backoff and full jitter, and only where a second one cannot do the work twice: its method is
 * idempotent (RFC 9110, 9.2.2) or it carries an Idempotency-Key. Rejects with ApiError, ConnectionError, TimeoutError or
 * the reason of the signal.
 */
export async function send<T>(
  request: Outgoing,
  read: (response: Response) => Promise<T>,
  patience: Patience,
  around: Surroundings,
): Promise<T> {
  const isSafe =
    request.isRepeatable || idempotentMethods.has(request.method) || request.headers.has('idempotency-key');
  const retries = isSafe ? (request.retries ?? patience.retries) : 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(request, read, patience, around);
    } catch (error) {
      const wait = attempt < retries ? delayAfter(error, attempt, around.random) : undefined;
      if (wait === undefined) throw error;
      await abortable(around.sleep(wait), request.signal);
    }
  }
}

/** Milliseconds to wait after this failure; undefined where another attempt is of no use. */
function delayAfter(error: unknown, attempt: number, random: () => number): number | undefined {
  const backoff = Math.min(firstDelayMilliseconds * 2 ** attempt, longestDelayMilliseconds);
  if (error instanceof ConnectionError) return backoff * random();
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return undefined;
  if (error.retryAfter === undefined) return backoff * random();
  if (error.retryAfter > longestRetryAfterSeconds) return undefined;
  // Not before the time that was named, and not all at once after it.
  return error.retryAfter * 1000 + firstDelayMilliseconds * random();
}

async function sendOnce<T>(
  { method, url, headers, body, credentials, signal, timeoutMilliseconds }: Outgoing,
  read: (response: Response) => Promise<T>,
  patience: Patience,
  // Taken out: a browser's fetch refuses to be called as the method of an object of ours.
  { fetch }: Surroundings,
): Promise<T> {
  signal?.throwIfAborted();
  const milliseconds = timeoutMilliseconds ?? patience.timeoutMilliseconds;
  // AbortSignal.any is younger than the oldest runtimes that this works in.
  const attempt = new AbortController();
  const timeout = new TimeoutError(`${method} ${url} had no answer within ${milliseconds} milliseconds.`);
  const timer = setTimeout(() => attempt.abort(timeout), milliseconds);
  const giveUp = () => attempt.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal: attempt.signal,
      ...(body === undefined ? {} : { body }),
      ...(credentials === undefined ? {} : { credentials }),
    });
    if (!response.ok) throw await toApiError(response);
    return await read(response);
  } catch (error) {
    if (attempt.signal.aborted) throw attempt.signal.reason;
    if (error instanceof ApiError) throw error;
    throw new ConnectionError(`${method} ${url} was not answered in full.`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** The promise, or the rejection of the signal where that comes first. */
export function abortable<T>(promise: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(promise);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(promise)
      .finally(() => signal.removeEventListener('abort', stop))
      .then(resolve, reject);
  });
}

export const realSurroundings: Surroundings = {
  // Looked up at each call: some tools replace it after this module was loaded.
  fetch: (input, init) => globalThis.fetch(input, init),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
  now: Date.now,
};
