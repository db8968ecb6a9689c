import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { BlobContent, BlobRange } from '#core/blobs.ts';

/**
 * Content at rest: AES-256-GCM in chunks of 64 KiB, each with its tag, so that any range can be read without the rest.
 * The key of a blob is derived from the bucket's and the blob's name (HKDF-SHA-256), which is used once, so the number
 * of the chunk serves as nonce. How long the content is stands in the database: a blob that was cut short does not open.
 */

const chunkBytes = 64 * 1024;
const tagBytes = 16;
const sealedBytes = chunkBytes + tagBytes;

class BlobCorrupt extends Error {
  override name = 'BlobCorrupt';
}

function blobKey(key: Buffer, blob: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.from(blob, 'utf8'), 'mainstay storage blob', 32));
}

function nonceOf(chunk: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(chunk), 4);
  return nonce;
}

/** Content of one chunk at most, at once. */
export function encryptSmall(key: Buffer, name: string, plain: Uint8Array): Buffer {
  return seal(blobKey(key, name), 0, plain);
}

export function decryptSmall(key: Buffer, name: string, sealed: Uint8Array): Buffer {
  return open(blobKey(key, name), 0, Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length), name);
}

function seal(derived: Buffer, chunk: number, plain: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', derived, nonceOf(chunk));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(derived: Buffer, chunk: number, sealed: Buffer, blob: string): Buffer {
  if (sealed.length <= tagBytes) throw new BlobCorrupt(`The blob ${blob} is cut short.`);
  const decipher = createDecipheriv('aes-256-gcm', derived, nonceOf(chunk), { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new BlobCorrupt(`The blob ${blob} was changed, or its key is another one.`, { cause });
  }
}

/** The content as it is stored. */
export async function* encrypt(key: Buffer, blob: string, content: BlobContent): AsyncGenerator<Buffer> {
  const derived = blobKey(key, blob);
  let chunk = 0;
  const waiting = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    for (let at = 0; at < part.length; ) {
      const taken = Math.min(chunkBytes - filled, part.length - at);
      waiting.set(part.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled === chunkBytes) {
        yield seal(derived, chunk++, waiting);
        filled = 0;
      }
    }
  }
  if (filled > 0) yield seal(derived, chunk, waiting.subarray(0, filled));
}

/** The stored bytes that a range of the content is in. `size` is that of the content. */
export function sealedRange({ start, end }: BlobRange, size: number): BlobRange {
  const first = Math.floor(start / chunkBytes);
  const last = Math.ceil(Math.min(end, size) / chunkBytes);
  return { start: first * sealedBytes, end: last * sealedBytes };
}

/** A range of the content, of the stored bytes of `sealedRange`. */
export async function* decrypt(
  key: Buffer,
  blob: string,
  stored: AsyncIterable<Uint8Array>,
  range: BlobRange,
): AsyncGenerator<Buffer> {
  const derived = blobKey(key, blob);
  let chunk = Math.floor(range.start / chunkBytes);
  let waiting = Buffer.alloc(0);
  const openNext = (sealed: Buffer): Buffer => {
    const begins = chunk * chunkBytes;
    const plain = open(derived, chunk++, sealed, blob);
    return plain.subarray(Math.max(0, range.start - begins), Math.max(0, range.end - begins));
  };
  for await (const part of stored) {
    waiting = waiting.length === 0 ? Buffer.from(part) : Buffer.concat([waiting, part]);
    while (waiting.length >= sealedBytes) {
      yield openNext(waiting.subarray(0, sealedBytes));
      waiting = waiting.subarray(sealedBytes);
    }
  }
  if (waiting.length > 0) yield openNext(waiting);
}
