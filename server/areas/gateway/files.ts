import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { PublishedFile, Slice } from '#areas/deployments/service.ts';
import type { Blobs } from '#core/blobs.ts';
import type { CacheStatus } from '#core/request-log.ts';

/** Larger files are streamed each time. */
const keptBytes = 256 * 1024;

export class Files {
  readonly #blobs: Blobs;
  readonly #kept: LRUCache<string, Buffer>;
  readonly #reading = new Map<string, Promise<Buffer>>();

  constructor({ blobs, maxBytes }: { blobs: Blobs; maxBytes: number }) {
    this.#blobs = blobs;
    this.#kept = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: (bytes) => bytes.length + 1,
    });
  }

  /** Answers with the file: conditional, by ranges, compressed where it is stored so. Returns how many bytes it sends, and from where. */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    file: PublishedFile,
    options: { status?: number | undefined; headers: Readonly<Record<string, string>> },
  ): Promise<{ bytes: number; cache: CacheStatus | undefined }> {
    const status = options.status ?? 200;
    const slice = variantFor(file, request);
    const encoding = slice === file.br ? 'br' : slice === file.gzip ? 'gzip' : null;
    // The same content in another coding is another representation (RFC 9110, 8.8.3).
    const etag = encoding ? `${file.etag.slice(0, -1)}-${encoding}"` : file.etag;
    response.setHeader('content-type', file.type);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('etag', etag);
    response.setHeader(
      'cache-control',
      file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
    );
    if (file.br || file.gzip) response.setHeader('vary', 'accept-encoding');
    if (encoding) response.setHeader('content-encoding', encoding);
    for (const [name, value] of Object.entries(options.headers)) response.setHeader(name, value);
    if (status === 200 && etagMatches(request.headers['if-none-match'], etag)) {
      response.writeHead(304).end();
      return { bytes: 0, cache: undefined };
    }
    const [blob, offset, size] = slice;
    if (status === 204 || status === 304) {
      response.writeHead(status).end();
      return { bytes: 0, cache: undefined };
    }
    const range = status === 200 && !encoding ? rangeOf(request, size, etag) : null;
    if (!encoding) response.setHeader('accept-ranges', 'bytes');
    if (range === 'unsatisfiable') {
      response.setHeader('content-range', `bytes */${size}`);
      response.writeHead(416).end();
      return { bytes: 0, cache: undefined };
    }
    const start = range?.start ?? 0;
    const end = range?.end ?? size;
    if (range) response.setHeader('content-range', `bytes ${start}-${end - 1}/${size}`);
    response.setHeader('content-length', end - start);
    if (request.method === 'HEAD' || end === start) {
      response.writeHead(range ? 206 : status).end();
      return { bytes: 0, cache: undefined };
    }
    const known = this.#kept.get(keyOf(slice));
    const cache = known ? 'hit' : 'miss';
    response.setHeader('x-mainstay-cache', cache);
    if (size <= keptBytes) {
      const content = known ?? (await this.#small(slice));
      response.writeHead(range ? 206 : status).end(content.subarray(start, end));
    } else {
      const bytes = await this.#blobs.stream(blob, { start: offset + start, end: offset + end });
      response.writeHead(range ? 206 : status);
      await pipeline(Readable.from(bytes), response);
    }
    return { bytes: end - start, cache };
  }

  /** Several requests for one that is not there yet share one read. */
  #small(slice: Slice): Promise<Buffer> {
    const [blob, offset, size] = slice;
    const key = keyOf(slice);
    const reading = this.#reading.get(key);
    if (reading !== undefined) return reading;
    const started = this.#blobs
      .read(blob, { start: offset, end: offset + size })
      .then((bytes) => {
        this.#kept.set(key, bytes);
        return bytes;
      })
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, started);
    return started;
  }
}

function keyOf([blob, offset]: Slice): string {
  return `${blob}:${offset}`;
}

function variantFor(file: PublishedFile, request: IncomingMessage): Slice {
  if (!file.br && !file.gzip) return file.slice;
  // A range is one of the file, as most clients mean it.
  if (request.headers.range !== undefined) return file.slice;
  const accepted = request.headers['accept-encoding'];
  const text = Array.isArray(accepted) ? accepted.join(',') : (accepted ?? '');
  if (file.br && accepts(text, 'br')) return file.br;
  return file.gzip && accepts(text, 'gzip') ? file.gzip : file.slice;
}

/** RFC 9110, 12.5.3: a coding is refused by a weight of zero. */
function accepts(header: string, coding: string): boolean {
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name === coding) return !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  }
  return false;
}

/** RFC 9110, 13.1.2: compared weakly, in a list. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const wanted = etag.replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === wanted);
}

/** One range of bytes; null where the whole file is to be sent, as for several ranges, which a server may ignore. */
function rangeOf(
  { headers, method }: IncomingMessage,
  size: number,
  etag: string,
): { start: number; end: number } | 'unsatisfiable' | null {
  if (headers.range === undefined || method !== 'GET') return null;
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range.trim());
  if (!found) return null;
  const [, first = '', last = ''] = found;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size };
  }
  const start = Number(first);
  if (start >= size) return 'unsatisfiable';
  const end = last === '' ? size : Math.min(size, Number(last) + 1);
  return end > start ? { start, end } : null;
}
