import type { FastifyReply } from 'fastify';
import { bodyBuffers } from '#core/body-buffers.ts';
import { type CacheEntry, type CacheFailure, type CacheItem, type KeyedEntry, never } from '#core/cache.ts';
import { isoTime } from '#core/clock.ts';
import { Problem } from '#core/problem.ts';
import { etagOf } from './etags.ts';

type Described = Pick<CacheEntry, 'expiration' | 'byteSize'>;

/** A cache item as answers show it; `json` is the value as JSON text. */
export function itemText(key: string, json: string, { expiration, byteSize }: Described): string {
  return `{"key":${JSON.stringify(key)},"value":${json},"expiration":${expiration},"byteSize":${byteSize}}`;
}

/** Above this, joining bytes is cheaper than making text of them and bytes again. */
const textBytes = 4096;

/** The same, from the value's bytes. */
export function itemBody(key: string, item: CacheItem): string | Buffer {
  if (item.json.length <= textBytes) return itemText(key, item.json.toString('utf8'), item);
  const [head = '', tail = ''] = itemText(key, '\n', item).split('\n');
  const framed = bodyBuffers.frame(item.json, head, tail);
  return framed ?? Buffer.concat([Buffer.from(head), item.json, Buffer.from(tail)]);
}

const jsonType = 'application/json; charset=utf-8';

/** The answer may be kept by its client, who then asks whether it still holds. */
const revalidated = 'private, no-cache';

export function sendItem(reply: FastifyReply, body: string | Buffer): FastifyReply {
  // An answer that was cut off may still be on its way somewhere: its memory is not used again.
  if (typeof body !== 'string') reply.raw.once('finish', () => bodyBuffers.give(body));
  return reply.header('content-type', jsonType).send(body);
}

export function entryHeaders(reply: FastifyReply, { version, expiresAt }: CacheEntry): FastifyReply {
  reply.header('etag', etagOf(version)).header('cache-control', revalidated);
  return expiresAt === never ? reply : reply.header('expires', new Date(expiresAt).toUTCString());
}

export function expiresAtText(expiresAt: number): string | null {
  return expiresAt === never ? null : isoTime(expiresAt);
}

export function toKey({ key, expiration, expiresAt, byteSize }: KeyedEntry) {
  return { key, expiration, expiresAt: expiresAtText(expiresAt), byteSize };
}

export function missing(): Problem {
  return new Problem('not_found', 'There is no item with this key.');
}

export function failed(failure: CacheFailure): Problem {
  switch (failure) {
    case 'precondition':
      return new Problem('precondition_failed', 'The item does not match the precondition of the request.');
    case 'not_a_number':
      return new Problem('conflict', 'The item is not an integer, so it cannot be incremented.');
    case 'overflow':
      return new Problem(
        'conflict',
        'The result would exceed 9007199254740991, the largest supported integer.',
      );
    case 'full':
      return new Problem(
        'storage_full',
        'The cache is full, and evicting items of this application does not free enough space.',
      );
  }
}
