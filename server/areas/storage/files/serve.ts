import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlobRange } from '#core/blobs.ts';
import type { Contents } from '../content.ts';
import { isProgram } from '../content-type.ts';
import type { ObjectRow } from '../object-store.ts';
import { attributesOf } from '../objects.ts';
import type { BucketRow } from '../store.ts';
import { Refusal } from './answers.ts';
import { parseRanges } from './ranges.ts';

/** RFC 9110 over one object: conditions, ranges, HEAD, and what keeps a browser from misreading it. */

/** What is read at once instead of streamed. */
const smallBytes = 256 * 1024;

/** What a page of one bucket can do on a host that others have pages on, too: nothing as that host. */
const sandbox = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts';

export interface Served {
  bucket: BucketRow;
  object: ObjectRow;
  /** Seen by everybody, or through a signed address. */
  isPublic: boolean;
  /** Whether the host is the bucket's own. */
  ownHost: boolean;
  /** To be saved as a file. */
  download: boolean;
  cors: Record<string, string>;
}

export async function serveObject(
  contents: Contents,
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
): Promise<void> {
  const { bucket, object } = served;
  const headers = headersOf(served);
  const etag = headers['etag'] as string;
  const unchanged = checkConditions(request, etag, object.uploaded_at);
  if (unchanged) {
    response.writeHead(304, headers).end();
    return;
  }
  const size = object.content_length;
  const ranges = rangesOf(request, etag, object, size);
  if (ranges?.length === 0) {
    throw new Refusal(416, `The object has ${size} bytes.`, { 'content-range': `bytes */${size}` });
  }
  const isHead = request.method === 'HEAD';
  const type = headers['content-type'] as string;
  const [range, second] = ranges ?? [];
  if (second !== undefined) {
    await sendParts(contents, response, { bucket, object, headers, type, ranges: ranges ?? [], isHead });
    return;
  }
  const { start, end } = range ?? { start: 0, end: size };
  if (range) headers['content-range'] = `bytes ${start}-${end - 1}/${size}`;
  headers['content-length'] = end - start;
  const status = range ? 206 : 200;
  if (isHead || end === start) {
    response.writeHead(status, headers).end();
  } else if (end - start <= smallBytes) {
    const bytes = await contents.read(bucket, object, { start, end });
    if (bytes.length !== end - start)
      throw new Error(`The object ${object.id} is shorter than its row says.`);
    response.writeHead(status, headers).end(bytes);
  } else {
    const stream = await contents.open(bucket, object, { start, end });
    response.writeHead(status, headers);
    await sendStream(response, stream, end - start);
    response.end();
  }
}

function headersOf({
  bucket,
  object,
  isPublic,
  ownHost,
  download,
  cors,
}: Served): Record<string, string | number> {
  const attributes = attributesOf(object);
  const type = object.content_type ?? 'application/octet-stream';
  const visibility = isPublic ? 'public' : 'private';
  const fallback = `${visibility}, max-age=0, must-revalidate`;
  const disposition = download ? attachment(object.key) : attributes.contentDisposition;
  return {
    ...cors,
    'content-type': type,
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.uploaded_at).toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': attributes.cacheControl ?? bucket.cache_control ?? fallback,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
    ...(attributes.contentEncoding === undefined ? {} : { 'content-encoding': attributes.contentEncoding }),
    ...(attributes.contentLanguage === undefined ? {} : { 'content-language': attributes.contentLanguage }),
    ...(attributes.expires === undefined ? {} : { expires: attributes.expires }),
    ...(isProgram(type) && !(ownHost && isPublic) ? { 'content-security-policy': sandbox } : {}),
  };
}

/** RFC 6266, with the name in UTF-8 (RFC 8187). */
function attachment(key: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1) || 'file';
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** RFC 9110, 13.2.2. True: 304. */
function checkConditions({ headers }: IncomingMessage, etag: string, modifiedAt: number): boolean {
  const seconds = Math.floor(modifiedAt / 1000) * 1000;
  const failed = () => new Refusal(412, 'The object is not the one that the request names.');
  if (headers['if-match'] !== undefined) {
    if (!lists(headers['if-match'], etag, false)) throw failed();
  } else if (seconds > dateOf(headers['if-unmodified-since'], Number.POSITIVE_INFINITY)) throw failed();
  if (headers['if-none-match'] !== undefined) return lists(headers['if-none-match'], etag, true);
  return seconds <= dateOf(headers['if-modified-since'], Number.NEGATIVE_INFINITY);
}

function dateOf(text: string | undefined, fallback: number): number {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? fallback : time;
}

function lists(header: string, etag: string, weakly: boolean): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((part) => {
    const one = part.trim();
    return one === etag || (weakly && one === `W/${etag}`);
  });
}

/** Undefined: the whole. */
function rangesOf(
  { headers, method }: IncomingMessage,
  etag: string,
  object: ObjectRow,
  size: number,
): BlobRange[] | undefined {
  if (headers.range === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const condition = headers['if-range'];
  if (typeof condition === 'string') {
    const isDate = !condition.startsWith('"') && !condition.startsWith('W/');
    const modified = new Date(object.uploaded_at).toUTCString();
    if (isDate ? condition !== modified : condition !== etag) return undefined;
  }
  return parseRanges(headers.range, size);
}

async function sendStream(
  response: ServerResponse,
  stream: AsyncIterable<Buffer>,
  expected: number,
): Promise<void> {
  let sent = 0;
  for await (const chunk of stream) {
    if (response.destroyed) return;
    sent += chunk.length;
    if (!response.write(chunk) && !response.destroyed) await drained(response);
  }
  if (sent !== expected) throw new Error(`The content has ${sent} bytes instead of ${expected}.`);
}

async function drained(response: ServerResponse): Promise<void> {
  const closed = new AbortController();
  const close = () => closed.abort();
  response.once('close', close);
  try {
    await once(response, 'drain', { signal: closed.signal });
  } catch {
    // The client has gone; the loop sees it.
  } finally {
    response.off('close', close);
  }
}

/** RFC 9110, 14.6. */
async function sendParts(
  contents: Contents,
  response: ServerResponse,
  options: {
    bucket: BucketRow;
    object: ObjectRow;
    headers: Record<string, string | number>;
    type: string;
    ranges: readonly BlobRange[];
    isHead: boolean;
  },
): Promise<void> {
  const { bucket, object, headers, type, ranges, isHead } = options;
  const boundary = randomBytes(16).toString('hex');
  const size = object.content_length;
  const heads = ranges.map(({ start, end }) =>
    Buffer.from(
      `\r\n--${boundary}\r\ncontent-type: ${type}\r\ncontent-range: bytes ${start}-${end - 1}/${size}\r\n\r\n`,
    ),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const lengths = ranges.map(({ start, end }, at) => end - start + (heads[at] as Buffer).length);
  headers['content-type'] = `multipart/byteranges; boundary=${boundary}`;
  headers['content-length'] = lengths.reduce((sum, length) => sum + length, tail.length);
  const first = isHead ? undefined : await contents.open(bucket, object, ranges[0] as BlobRange);
  response.writeHead(206, headers);
  if (first) {
    for (const [at, range] of ranges.entries()) {
      response.write(heads[at]);
      const stream = at === 0 ? first : await contents.open(bucket, object, range);
      await sendStream(response, stream, range.end - range.start);
    }
    response.write(tail);
  }
  response.end();
}
