import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LazyLru } from '#core/lazy-lru.ts';
import { encodeForSigning, encodePath, type Target } from '../wire/target.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */

export interface Scope {
  /** `20261122` */
  date: string;
  region: string;
  service: string;
}

export function scopeText({ date, region, service }: Scope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

/** Keys for a day, by the secret they come from. */
export class SigningKeys {
  readonly #known = new LazyLru<string, Buffer>({ max: 2000 });

  get(accessKeyId: string, secret: string, scope: Scope): Buffer {
    const { date, region, service } = scope;
    // The secret belongs to the name: an access key id is never given out twice.
    const name = `${accessKeyId}/${date}/${region}/${service}`;
    const known = this.#known.get(name);
    if (known) return known;
    let key = hmac(`AWS4${secret}`, date);
    for (const part of [region, service, 'aws4_request']) key = hmac(key, part);
    this.#known.set(name, key);
    return key;
  }
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

export function sha256Hex(data: string | Uint8Array, encoding: 'latin1' | 'utf8' = 'utf8'): string {
  const hash = createHash('sha256');
  return (typeof data === 'string' ? hash.update(data, encoding) : hash.update(data)).digest('hex');
}

/** Values of headers by name, in lower case, in the order in which they came, with repeated ones joined by commas. */
export function signableHeaders(request: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  const { rawHeaders } = request;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    const value = (rawHeaders[at + 1] as string).trim().replace(/ {2,}/g, ' ');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

/** What both sides hash. Bytes of headers that are not ASCII are kept as they came, hence latin1. */
export function canonicalHash(
  method: string,
  target: Target,
  headers: ReadonlyMap<string, string>,
  { signed, payload, without }: { signed: readonly string[]; payload: string; without?: string },
): string {
  const pairs = target.query.pairs
    .filter(([name]) => name !== without)
    .map(([name, value]) => [encodeForSigning(name), encodeForSigning(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : x > y ? 1 : 0) : a < b ? -1 : 1));
  const query = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  const lines = signed.map((name) => `${name}:${headers.get(name) ?? ''}\n`).join('');
  const path = encodePath(target.path);
  const text = `${method}\n${path}\n${query}\n${lines}\n${signed.join(';')}\n${payload}`;
  return sha256Hex(text, 'latin1');
}

export function stringToSign(time: string, scope: Scope, hash: string): string {
  return `AWS4-HMAC-SHA256\n${time}\n${scopeText(scope)}\n${hash}`;
}

/** In constant time, whatever the text that was sent. */
export function isSignature(expected: Buffer, given: string): boolean {
  const bytes = /^[0-9a-f]{64}$/.test(given) ? Buffer.from(given, 'hex') : Buffer.alloc(32);
  return timingSafeEqual(expected, bytes) && given.length === 64;
}
