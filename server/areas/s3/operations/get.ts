import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  attributesOf,
  type BucketRow,
  listOthers,
  listPieces,
  type ObjectRow,
  parseRanges,
} from '#areas/storage/service.ts';
import type { BlobRange } from '#core/blobs.ts';
import { authorize, findVersion, isOwner } from '../access/authorize.ts';
import { bucketOf, type Call, keyOf, type ResponseHeaders, send, toHeader } from '../call.ts';
import { s3Of } from '../documents.ts';
import { encryptionHeaders, keyForReading } from '../encryption.ts';
import { S3Error } from '../errors.ts';
import { expirationHeader } from '../expiration.ts';
import { lockHeaders } from '../locks.ts';
import { attributeHeaders, checksumHeaders, versionOf } from '../properties.ts';
import { algorithms, headerOf } from '../wire/checksums.ts';

/** What is read at once instead of streamed. */
const smallBytes = 256 * 1024;

const overrides = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

/** GET and HEAD of an object. */
export async function getObject(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const object = await readableObject(call);
  const size = object.content_length;
  const part = await partOf(call, object);
  const key = keyForReading(call, object);
  const headers = headersFor(call, bucket, object);
  if (checkConditions(call, object, headers)) {
    // No checksum of a body that does not come: clients would check it.
    for (const name of ['x-amz-checksum-type', ...algorithms.map(headerOf)]) delete headers[name];
    return send(call, 304, headers);
  }
  const range = part?.range ?? rangeOf(call, object);
  const { start, end } = range ?? { start: 0, end: size };
  if (range) headers['content-range'] = `bytes ${start}-${Math.max(start, end - 1)}/${size}`;
  if (part) Object.assign(headers, part.headers);
  headers['content-length'] = end - start;
  await sendContent(call, range && size > 0 ? 206 : 200, headers, {
    bucket,
    object,
    range: { start, end },
    key,
  });
}

async function sendContent(
  call: Call,
  status: number,
  headers: ResponseHeaders,
  {
    bucket,
    object,
    range,
    key,
  }: { bucket: BucketRow; object: ObjectRow; range: BlobRange; key: Buffer | undefined },
): Promise<void> {
  const { contents } = call.deps;
  const length = range.end - range.start;
  if (call.method === 'HEAD' || length === 0) return send(call, status, headers);
  if (length <= smallBytes) {
    const bytes = await contents.read(bucket, object, range, key);
    if (bytes.length !== length) throw new Error(`The object ${object.id} is shorter than its row says.`);
    return send(call, status, headers, bytes);
  }
  const stream = await contents.open(bucket, object, range, key);
  const { response } = call;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) response.setHeader(name, typeof value === 'number' ? value : toHeader(value));
  response.writeHead(status);
  let sent = 0;
  for await (const chunk of stream) {
    if (response.destroyed) break;
    sent += chunk.length;
    // Now, since the response may break off while this waits.
    call.bytesOut = sent;
    if (!response.write(chunk)) await drained(response);
  }
  if (response.destroyed) return;
  if (sent !== length) throw new Error(`The content has ${sent} bytes instead of ${length}.`);
  response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
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

/** The version that is asked for, when the caller may read it. */
export async function readableObject(call: Call, action = 'GetObject'): Promise<ObjectRow> {
  const bucket = bucketOf(call);
  const key = keyOf(call);
  const versionId = call.target.query.get('versionId');
  const isVersioned =
    versionId !== undefined && action === 'GetObject' ? 's3:GetObjectVersion' : `s3:${action}`;
  const found = await findVersion(call, bucket, key, versionId);
  if (!found) await demandListing(call, bucket, key);
  await authorize(call, {
    action: isVersioned,
    acl: { of: 'object', permission: 'READ' },
    writes: false,
    bucket,
    key,
    versionId,
  }).catch((error: unknown) => {
    if (found || !(error instanceof S3Error)) throw error;
  });
  if (!found) throw await missing(call, bucket, key, versionId);
  if (found.delete_marker) {
    throw new S3Error('MethodNotAllowed', undefined, {
      headers: {
        'x-amz-delete-marker': 'true',
        'x-amz-version-id': versionOf(bucket, found) ?? 'null',
        'last-modified': new Date(found.created_at).toUTCString(),
        allow: 'DELETE',
      },
      fields: { Method: call.method, ResourceType: 'DeleteMarker' },
    });
  }
  call.object = found;
  return found;
}

/** Who may not list learns nothing of what is there. */
async function demandListing(call: Call, bucket: BucketRow, key: string): Promise<void> {
  if (isOwner(call, bucket) && call.auth?.signer.prefix === null) return;
  await authorize(call, {
    action: 's3:ListBucket',
    acl: { of: 'bucket', permission: 'READ' },
    writes: false,
    bucket,
    prefix: key,
  });
}

async function missing(
  call: Call,
  bucket: BucketRow,
  key: string,
  versionId: string | undefined,
): Promise<S3Error> {
  if (versionId !== undefined)
    return new S3Error('NoSuchVersion', undefined, { fields: { Key: key, VersionId: versionId } });
  const [marker] =
    bucket.versioning === 'off' ? [] : await listOthers(call.deps.db, bucket.id, key, 'marker', 1);
  const headers: Record<string, string> = marker
    ? { 'x-amz-delete-marker': 'true', 'x-amz-version-id': versionOf(bucket, marker) ?? 'null' }
    : { 'x-amz-delete-marker': 'false' };
  return new S3Error('NoSuchKey', undefined, { fields: { Key: key }, headers });
}

function headersFor(call: Call, bucket: BucketRow, object: ObjectRow): ResponseHeaders {
  const { query } = call.target;
  const s3 = s3Of(object);
  const wantsChecksum =
    String(call.headers['x-amz-checksum-mode']).toUpperCase() === 'ENABLED' &&
    call.headers.range === undefined;
  const headers: ResponseHeaders = {
    'accept-ranges': 'bytes',
    'content-type': object.content_type ?? 'binary/octet-stream',
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.uploaded_at).toUTCString(),
    'x-amz-version-id': versionOf(bucket, object),
    ...attributeHeaders(object, attributesOf(object)),
    ...encryptionHeaders(s3),
    ...lockHeaders(object),
    ...(wantsChecksum ? checksumHeaders(s3) : {}),
    ...expirationHeader(call, bucket, object),
  };
  for (const name of overrides) {
    const value = query.get(`response-${name}`);
    if (value === undefined) continue;
    if (!call.auth)
      throw new S3Error(
        'InvalidRequest',
        'Request specific response headers cannot be used for anonymous GET requests.',
      );
    headers[name] = value;
  }
  return headers;
}

/** RFC 9110, 13.2.2. True: 304. */
function checkConditions({ headers }: Call, object: ObjectRow, sent: ResponseHeaders): boolean {
  const seconds = Math.floor(object.uploaded_at / 1000) * 1000;
  const lists = (header: string) =>
    header.trim() === '*' ||
    header.split(',').some(
      (one) =>
        one
          .trim()
          .replace(/^W\//, '')
          .replace(/^"(.*)"$/, '$1') === object.etag,
    );
  const failed = (Condition: string) =>
    new S3Error('PreconditionFailed', undefined, { fields: { Condition } });
  const date = (text: string | undefined) => (text === undefined ? Number.NaN : Date.parse(text));
  if (headers['if-match'] !== undefined) {
    if (!lists(headers['if-match'])) throw failed('If-Match');
  } else if (seconds > date(headers['if-unmodified-since'])) throw failed('If-Unmodified-Since');
  const isUnchanged =
    headers['if-none-match'] !== undefined
      ? lists(headers['if-none-match'])
      : seconds <= date(headers['if-modified-since']);
  if (isUnchanged) sent['content-length'] = undefined;
  return isUnchanged;
}

/** Undefined: the whole. Several ranges at once S3 answers with the whole, too. */
function rangeOf({ headers }: Call, object: ObjectRow): BlobRange | undefined {
  if (headers.range === undefined) return undefined;
  const size = object.content_length;
  const ranges = parseRanges(headers.range, size);
  if (ranges?.length === 0) {
    throw new S3Error('InvalidRange', undefined, {
      fields: { RangeRequested: headers.range.slice(0, 256), ActualObjectSize: size },
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  return ranges?.length === 1 ? ranges[0] : undefined;
}

/** One part of what was uploaded in parts. */
async function partOf(
  call: Call,
  object: ObjectRow,
): Promise<{ range: BlobRange; headers: ResponseHeaders } | undefined> {
  const text = call.target.query.get('partNumber');
  if (text === undefined) return undefined;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 10_000)
    throw new S3Error('InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive');
  const { parts } = s3Of(object);
  if (parts === undefined || object.content_id === null) {
    if (number !== 1) throw wrongPart();
    return { range: { start: 0, end: object.content_length }, headers: {} };
  }
  const pieces = await listPieces(call.deps.db, object.content_id);
  const piece = pieces[number - 1];
  const count: ResponseHeaders = { 'x-amz-mp-parts-count': parts };
  if (!piece) {
    if (number === 1 && pieces.length === 0) return { range: { start: 0, end: 0 }, headers: count };
    throw wrongPart();
  }
  const { checksum } = JSON.parse(piece.details) as {
    checksum?: { algorithm: Parameters<typeof headerOf>[0]; value: string };
  };
  if (checksum && String(call.headers['x-amz-checksum-mode']).toUpperCase() === 'ENABLED') {
    count[headerOf(checksum.algorithm)] = checksum.value;
  }
  return { range: { start: piece.start, end: piece.start + piece.size }, headers: count };
}

function wrongPart(): S3Error {
  return new S3Error('InvalidPart', 'The requested partnumber is not satisfiable', { status: 400 });
}
