import { ApiError, ConnectionError, TimeoutError } from '@mainstay/sdk';
import { Failure } from './failure.ts';

/** Any error as what the user is told: what happened, and what to do. */
export function explain(error: unknown, url: string | undefined): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) return explainAnswer(error, url);
  if (error instanceof TimeoutError)
    return new Failure(`${url ?? 'The instance'} did not respond in time.`, {
      exit: 'unreachable',
      next: 'Run the command again; `mainstay doctor` tests the connection.',
      cause: error,
    });
  if (error instanceof ConnectionError)
    return new Failure(`Could not reach ${url ?? 'the instance'}: ${reasonOf(error)}.`, {
      exit: 'unreachable',
      next: 'Check the address and your network; `mainstay doctor` tests the connection.',
      cause: error,
    });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const message = error instanceof Error ? error.message : String(error);
  if (typeof code === 'string' && code.startsWith('E')) return new Failure(message, { cause: error });
  return new Failure(message || 'Unknown error.', { cause: error });
}

function explainAnswer(error: ApiError, url: string | undefined): Failure {
  const { status, requestId, message, retryAfter } = error;
  const about = { status, requestId, cause: error };
  if (status === 401)
    return new Failure(`${url ?? 'The instance'} rejected the credentials: ${message}`, {
      ...about,
      exit: 'notSignedIn',
      next: `Run \`mainstay login${url ? ` ${url}` : ''}\`.`,
    });
  if (status === 403)
    return new Failure(message, {
      ...about,
      exit: 'notAllowed',
      next: 'Ask an owner of the organization, or use other credentials: `mainstay whoami` shows the current ones.',
    });
  if (status === 404) return new Failure(message, { ...about, exit: 'notFound' });
  if (status === 409 || status === 412) return new Failure(message, { ...about, exit: 'conflict' });
  if (status === 429)
    return new Failure(message, {
      ...about,
      exit: 'rateLimited',
      next:
        retryAfter === undefined ? 'Try again later.' : `Run it again in ${Math.ceil(retryAfter)} seconds.`,
    });
  if (status >= 500)
    return new Failure(`The instance failed: ${message}`, {
      ...about,
      next: 'Run it again. If it persists, send the request ID to the operator of the instance.',
    });
  return new Failure(message, about);
}

/** Of a network failure, in words. */
function reasonOf(error: Error): string {
  let deepest = error;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code;
    if (code !== undefined) return reasons[code] ?? code;
    deepest = at;
  }
  return deepest.message;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused (ECONNREFUSED)',
  ConnectionRefused: 'connection refused',
  ENOTFOUND: 'host not found (ENOTFOUND)',
  EAI_AGAIN: 'DNS lookup failed (EAI_AGAIN)',
  ECONNRESET: 'connection reset (ECONNRESET)',
  UND_ERR_SOCKET: 'the connection was cut',
  ETIMEDOUT: 'timed out (ETIMEDOUT)',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed (set NODE_EXTRA_CA_CERTS to trust it)',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is issued by an unknown authority (set NODE_EXTRA_CA_CERTS to trust it)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is issued by an unknown authority (set NODE_EXTRA_CA_CERTS to trust it)',
};
