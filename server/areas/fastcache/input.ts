import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { CacheOperation } from '#core/cache.ts';
import { Problem } from '#core/problem.ts';
import { expiryOf } from './expiration.ts';
import { type IncrementBody, maxKeyBytes, type SetBody } from './schema.ts';

/** What is asked, checked where a schema cannot. */

export function applicationOf({ auth }: FastifyRequest): string {
  const { applicationId } = auth.actor;
  if (!applicationId) throw new Problem('forbidden', 'The token belongs to no application.');
  return applicationId;
}

export function toSet(
  { key, value, expiration }: Static<typeof SetBody>,
  now: number,
  maxValueBytes: number,
): CacheOperation & { op: 'set' } {
  checkKey(key, 'The field "key"');
  const byteSize = Buffer.byteLength(value);
  if (byteSize > maxValueBytes) {
    const sentence = `The field "value" must be at most ${maxValueBytes} bytes of UTF-8; this has ${byteSize}.`;
    throw new Problem('too_large', sentence);
  }
  if (!value.isWellFormed()) {
    const sentence = 'The field "value" must be valid Unicode text; send binary as base64.';
    throw new Problem('invalid_request', sentence);
  }
  const json = JSON.stringify(value);
  return {
    op: 'set',
    key,
    json,
    byteSize,
    expiration: expiration ?? 0,
    expiresAt: expiryOf(expiration, now),
  };
}

export function toIncrement(
  { key, by, expiration }: Static<typeof IncrementBody>,
  now: number,
): CacheOperation & { op: 'increment' } {
  checkKey(key, 'The field "key"');
  return { op: 'increment', key, by, expiration: expiration ?? 0, expiresAt: expiryOf(expiration, now) };
}

/** A key or a prefix from the query. What cannot be decoded has been left as it was sent: that is refused. */
export function queryText(request: FastifyRequest, name: string, text: string): string {
  if (text.includes('%')) demandDecodable(request.url, name);
  checkKey(text, `The query parameter "${name}"`);
  return text;
}

function demandDecodable(url: string, name: string): void {
  try {
    decodeURIComponent(url.slice(url.indexOf('?')));
  } catch {
    throw new Problem('invalid_request', `The query parameter "${name}" must be percent-encoded UTF-8.`);
  }
}

export function checkKey(key: string, field: string): void {
  // A UTF-16 unit takes at most three bytes.
  if (key.length * 3 > maxKeyBytes && Buffer.byteLength(key) > maxKeyBytes)
    throw new Problem('invalid_request', `${field} must be at most ${maxKeyBytes} bytes of UTF-8.`);
  if (!key.isWellFormed()) throw new Problem('invalid_request', `${field} must be valid Unicode text.`);
}

/** Room for the largest key and value in any spelling of JSON: \\u0041 is six bytes for one. */
export function bodyLimitFor(maxValueBytes: number): number {
  return 6 * (maxValueBytes + maxKeyBytes) + 4096;
}
