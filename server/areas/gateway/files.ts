import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { PublishedFile, Slice } from '#areas/deployments/service.ts';
import type { Blobs } from '#core/blobs.ts';
import type { CacheStatus } from '#core/request-log.ts';

/** Larger files are streamed each time. */
const keptBytes = 256 * 1024;

/** A file in one of its codings, and what is said of it to everyone. */
interface Representation {
  slice: Slice;
  /** Of its content in memory. */
  key: string;
  etag: string;
  isEncoded: boolean;
  headers: Readonly<Record<string, string>>;
}

/** What became of a request for a file. */
export interface Sent {
  bytes: number;
  cache: CacheStatus | undefined;
  headers: Readonly<Record<string, string>>;
}

export class Files {
  readonly #blobs: Blobs;
  readonly #kept: LRUCache<string, Buffer>;
  /** Made once: most files are asked for again and again. A slice belongs to one file of one manifest. */
  readonly #representations = new WeakMap<Slice, Representation>();
  readonly #reading = new Map<string, Promise<Buffer>>();

  constructor({ blobs, maxBytes }: { blobs: Blobs; maxBytes: number }) {
    this.#blobs = blobs;
    this.#kept = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: (bytes) => bytes.length + 1,
    });
  }

  /** Answers with the file: conditional, by ranges, compressed where it is stored so. */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    file: PublishedFile,
    options: { status?: number | undefined; headers: Readonly<Record<string, string>> },
  ): Promise<Sent> {
    const representation = this.#representationOf(file, variantFor(file, request));
    const { slice, etag, key, isEncoded } = representation;
    const headers: Record<string, string> = { ...representation.headers, ...options.headers };
    const { status = 200 } = options;
    const none = (code: number, cache?: CacheStatus): Sent => {
      response.writeHead(code, headers).end();
      return { bytes: 0, cache, headers };
    };
    if (status === 200 && etagMatches(request.headers['if-none-match'], etag)) return none(304);
    if (status === 204 || status === 304) return none(status);
    const [blob, offset, size] = slice;
    if (!isEncoded) headers['accept-ranges'] = 'bytes';
    const range = status === 200 && !isEncoded ? rangeOf(request, size, etag) : null;
    if (range === 'unsatisfiable') {
      headers['content-range'] = `bytes */${size}`;
      return none(416);
    }
    const start = range?.start ?? 0;
    const end = range?.end ?? size;
    const code = range ? 206 : status;
    if (range) headers['content-range'] = `bytes ${start}-${end - 1}/${size}`;
    headers['content-length'] = String(end - start);
    const known = this.#kept.get(key);
    const cache = known ? 'hit' : 'miss';
    headers['x-mainstay-cache'] = cache;
    if (request.method === 'HEAD' || end === start) return none(code, cache);
    if (size <= keptBytes) {
      const content = known ?? (await this.#small(slice, key));
      response.writeHead(code, headers).end(range ? content.subarray(start, end) : content);
    } else {
      const bytes = await this.#blobs.stream(blob, { start: offset + start, end: offset + end });
      // Kept by the response, for the log of one that breaks off.
      response.setHeaders(new Map(Object.entries(headers)));
      response.writeHead(code);
      return { bytes: await passOn(bytes, response), cache, headers };
    }
    return { bytes: end - start, cache, headers };
  }

  #representationOf(file: PublishedFile, slice: Slice): Representation {
    const known = this.#representations.get(slice);
    if (known) return known;
    const encoding = slice === file.br ? 'br' : slice === file.gzip ? 'gzip' : null;
    // The same content in another coding is another representation (RFC 9110, 8.8.3).
    const etag = encoding ? `${file.etag.slice(0, -1)}-${encoding}"` : file.etag;
    const made: Representation = {
      ...{ slice, key: `${slice[0]}:${slice[1]}`, etag, isEncoded: encoding !== null },
      headers: {
        'content-type': file.type,
        'x-content-type-options': 'nosniff',
        etag,
        'cache-control': file.immutable
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=0, must-revalidate',
        ...(file.br || file.gzip ? { vary: 'accept-encoding' } : {}),
        ...(encoding ? { 'content-encoding': encoding } : {}),
      },
    };
    this.#representations.set(slice, made);
    return made;
  }

  /** Several requests for one that is not there yet share one read. */
  #small([blob, offset, size]: Slice, key: string): Promise<Buffer> {
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

/** Resolves with how many bytes were taken; a visitor who leaves before the end is no error. */
async function passOn(bytes: AsyncIterable<Buffer>, response: ServerResponse): Promise<number> {
  let taken = 0;
  async function* counting() {
    for await (const chunk of bytes) {
      taken += chunk.length;
      yield chunk;
    }
  }
  await pipeline(Readable.from(counting()), response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
  return taken;
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
