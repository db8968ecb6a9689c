import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Outgoing } from '#core/outgoing.ts';

const timeoutMilliseconds = 10_000;

export interface Sent {
  status: number | null;
  /** Null: it was accepted. */
  error: string | null;
}

/** Posts to an address that somebody else has named: only where `outgoing` permits, and never along a redirect. */
export async function post(
  outgoing: Outgoing,
  {
    url,
    headers,
    type,
    body,
  }: { url: string; headers: Readonly<Record<string, string>>; type: string; body: string },
): Promise<Sent> {
  const target = new URL(url);
  let addresses: readonly string[];
  try {
    addresses = await outgoing.addressesOf(target.hostname);
  } catch (error) {
    return { status: null, error: `${target.hostname}: ${(error as Error).message}` };
  }
  const bytes = Buffer.from(body);
  return new Promise((resolve) => {
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(target, {
      method: 'POST',
      headers: {
        'user-agent': 'mainstay-log-drain',
        ...headers,
        'content-type': type,
        'content-length': bytes.length,
      },
      lookup: Outgoing.pinned(addresses),
      signal: AbortSignal.timeout(timeoutMilliseconds),
      agent: false,
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      // What it says is of no use to us, and may be long.
      response.destroy();
      resolve({
        status,
        error: status >= 200 && status < 300 ? null : `The collector responded with ${status}.`,
      });
    });
    request.on('error', (error) => {
      const isLate = error.name === 'TimeoutError' || error.name === 'AbortError';
      const reason = isLate ? `no answer within ${timeoutMilliseconds / 1000} seconds` : error.message;
      resolve({ status: null, error: `${target.host}: ${reason}` });
    });
    request.end(bytes);
  });
}
