import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Outgoing } from '#core/outgoing.ts';

export interface OutsideAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Asks an address that an operator or an admin has named, and reads its whole answer. Redirects are not followed.
 * Throws `ForbiddenAddress` for what is not public and not allowed.
 */
export async function askOutside(
  outgoing: Outgoing,
  target: URL,
  options: {
    method: 'GET' | 'POST';
    headers: Record<string, string>;
    body?: string;
    maxBytes: number;
    signal: AbortSignal;
  },
): Promise<OutsideAnswer> {
  const { method, headers, body, maxBytes, signal } = options;
  const addresses = await outgoing.addressesOf(target.hostname);
  signal.throwIfAborted();
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const { promise, resolve, reject } = Promise.withResolvers<OutsideAnswer>();
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(target, {
    method,
    headers: {
      'user-agent': 'mainstay-ai-gateway',
      ...headers,
      ...(bytes ? { 'content-length': bytes.length } : {}),
    },
    lookup: Outgoing.pinned(addresses),
    signal,
    agent: false,
  });
  request.on('response', (response) => {
    const pieces: Buffer[] = [];
    let length = 0;
    response.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > maxBytes) response.destroy(new Error(`The answer is longer than ${maxBytes} bytes.`));
      else pieces.push(piece);
    });
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(pieces).toString(),
      }),
    );
    response.on('error', reject);
  });
  request.on('error', reject);
  request.end(bytes);
  return promise;
}
