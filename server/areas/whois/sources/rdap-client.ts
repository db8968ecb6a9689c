import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Outgoing } from '#core/outgoing.ts';
import { UpstreamError } from './upstream-error.ts';
import { resolve } from './whois-client.ts';

export interface HttpLimits {
  connectSeconds: number;
  idleSeconds: number;
  totalSeconds: number;
  maxBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
}

const MAX_REDIRECTS = 4;

/** Whether a URL that an answer names may be followed. */
export type MayFollow = (url: URL) => boolean;

/** GET with redirects, each checked before it is followed. Throws `UpstreamError`. */
export async function get(
  start: URL,
  options: {
    accept: string;
    headers?: Record<string, string>;
    outgoing: Outgoing;
    limits: HttpLimits;
    mayFollow: MayFollow;
  },
): Promise<HttpAnswer> {
  let url = start;
  for (let hops = 0; ; hops++) {
    const answer = await getOnce(url, options);
    const location = answer.headers.location;
    if (answer.status < 300 || answer.status > 308 || answer.status === 304 || location === undefined)
      return answer;
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (!next || hops === MAX_REDIRECTS)
      throw new UpstreamError('broken', url.host, 'redirects in circles or to nowhere.');
    const downgrade = url.protocol === 'https:' && next.protocol !== 'https:';
    if (downgrade || !options.mayFollow(next)) {
      throw new UpstreamError('forbidden', url.host, `redirects to ${next.origin}, which is not followed.`);
    }
    url = next;
  }
}

async function getOnce(
  url: URL,
  options: { accept: string; headers?: Record<string, string>; outgoing: Outgoing; limits: HttpLimits },
): Promise<HttpAnswer> {
  const { accept, headers, outgoing, limits } = options;
  const addresses = await resolve(outgoing, url.hostname);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve: answered, reject } = Promise.withResolvers<HttpAnswer>();
  const sent = request(url, {
    headers: { accept, 'user-agent': 'mainstay', ...headers },
    lookup: Outgoing.pinned(addresses),
    timeout: limits.connectSeconds * 1000,
    agent: false,
  });
  const fail = (failure: 'silent' | 'unreachable' | 'broken', message: string, cause?: unknown) => {
    reject(new UpstreamError(failure, url.host, message, { cause }));
    sent.destroy();
  };
  const deadline = setTimeout(
    () => fail('silent', `did not finish its answer within ${limits.totalSeconds} s.`),
    limits.totalSeconds * 1000,
  );
  sent.on('timeout', () => fail('silent', 'did not respond in time.'));
  sent.on('error', (error) => fail('unreachable', 'cannot be reached, or broke off.', error));
  sent.on('response', (response) => {
    sent.setTimeout(limits.idleSeconds * 1000);
    collect(response, limits.maxBytes).then(
      (body) => answered({ status: response.statusCode ?? 0, headers: response.headers, body, url }),
      (error) => fail('broken', 'broke off, or sent too much.', error),
    );
  });
  sent.end();
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    sent.destroy();
  }
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw new Error(`More than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Seconds of a `Retry-After` header (RFC 9110, 10.2.3): a number or a date. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,6}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(1, Math.ceil((at - now) / 1000));
}
