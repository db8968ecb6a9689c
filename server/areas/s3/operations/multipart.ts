import { createHash } from 'node:crypto';
import {
  addUsage,
  type BucketRow,
  bucketGone,
  bucketQueue,
  charge,
  closeUpload,
  findBucket,
  findLive,
  findObject,
  findPiece,
  findUpload,
  insertGarbage,
  insertPieces,
  insertUpload,
  isOpen,
  listAllPieces,
  listMultipart,
  type ObjectRow,
  type PieceRow,
  placePieces,
  putObject,
  removePiece,
  type UploadRow,
  updateUpload,
} from '#areas/storage/service.ts';
import { newBlobName } from '#core/blobs.ts';
import type { Tx } from '#core/db.ts';
import { isId, newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { ownerXml } from '../access/acl.ts';
import { bodyOf, bucketOf, type Call, keyOf, readDocument, send, sendXml } from '../call.ts';
import { type S3Attributes, s3Of } from '../documents.ts';
import { demandKey, encryptionHeaders, readCustomerKey } from '../encryption.ts';
import { S3Error } from '../errors.ts';
import { expirationHeader } from '../expiration.ts';
import { checksumXml, demandKeyText, demandWritable, readConditions, versionOf } from '../properties.ts';
import {
  type Algorithm,
  algorithms,
  combineChecksums,
  compositeChecksum,
  fieldOf,
  headerOf,
  isCombinable,
  newChecksum,
} from '../wire/checksums.ts';
import { document, element, leaf } from '../wire/xml.ts';
import { childrenOf, parseXml, textOf, type XmlElement } from '../wire/xml-parser.ts';
import { readCopySource } from './copy.ts';
import { namesOf, readListParameters, startAfter } from './listing.ts';
import { askedAlgorithm, demandLength, prepareNew } from './put.ts';

const maxPart = 10_000;
const minPartBytes = 5 * 1024 * 1024;
const maxObjectBytes = 5 * 1024 ** 4;
const maxCompleteBytes = 8 * 1024 * 1024;

interface PartDetails {
  etag: string;
  checksum?: { algorithm: Algorithm; value: string };
}

const detailsOf = (piece: PieceRow) => JSON.parse(piece.details) as PartDetails;

/** POST ?uploads */
export async function createMultipart(call: Call): Promise<void> {
  const { deps, headers } = call;
  const bucket = bucketOf(call);
  const key = keyOf(call);
  demandKeyText(key);
  const prepared = await prepareNew(call, bucket);
  const algorithm = askedAlgorithm(call);
  const type = headers['x-amz-checksum-type'];
  if (type !== undefined && type !== 'COMPOSITE' && type !== 'FULL_OBJECT')
    throw new S3Error('InvalidRequest', 'Value for x-amz-checksum-type header is invalid.');
  if (type === 'FULL_OBJECT' && algorithm && !isCombinable(algorithm))
    throw new S3Error(
      'InvalidRequest',
      `The FULL_OBJECT checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`,
    );
  if (type === 'COMPOSITE' && algorithm === 'CRC64NVME')
    throw new S3Error(
      'InvalidRequest',
      'The COMPOSITE checksum type cannot be used with the crc64nvme checksum algorithm.',
    );
  const wanted = algorithm && {
    algorithm,
    type: type ?? (algorithm === 'CRC64NVME' ? ('FULL_OBJECT' as const) : ('COMPOSITE' as const)),
  };
  const { retention, legalHold } = prepared.lock;
  const s3: S3Attributes = {
    ...prepared.s3,
    ...(wanted ? { wanted } : {}),
    ...(retention ? { retention } : {}),
    ...(legalHold === undefined ? {} : { legalHold }),
  };
  const encrypted = prepared.encryption.customerKey
    ? 2
    : (prepared.encryption.encrypted ?? deps.contents.encrypts)
      ? 1
      : 0;
  const now = deps.clock.now();
  const row: UploadRow = {
    ...{ id: newId(now), bucket_id: bucket.id, key, kind: 'multipart', state: 'pending' },
    ...{ content_type: prepared.contentType, content_length: null },
    ...{ checksum_sha1: null, checksum_sha256: null, checksum_md5: null, received: 0, encrypted },
    attributes: JSON.stringify({
      ...prepared.attributes,
      s3: { ...s3, owner: call.who ?? bucket.application_id },
    }),
    ...{
      object_id: null,
      expires_at: now + deps.uploadSeconds * 1000,
      uploaded_at: null,
      created_at: now,
      updated_at: now,
    },
  };
  await deps.db.write(async (tx) => {
    if (!(await findBucket(tx, bucket.id))) throw bucketGone();
    await insertUpload(tx, row);
    const usage = await addUsage(tx, bucket.id, { uploads: 1 });
    if (usage && usage.uploads > deps.limits.openUploads)
      throw new Problem('too_many_requests', 'The bucket has too many open uploads.', {
        retryAfterSeconds: 60,
      });
  }, bucketQueue(bucket.id));
  sendXml(
    call,
    document(
      'InitiateMultipartUploadResult',
      leaf('Bucket', bucket.slug),
      leaf('Key', key),
      leaf('UploadId', row.id),
    ),
    {
      ...encryptionHeaders(s3),
      'x-amz-checksum-algorithm': wanted?.algorithm,
      'x-amz-checksum-type': wanted?.type,
    },
  );
}

function noUpload(): S3Error {
  return new S3Error('NoSuchUpload');
}

async function uploadOf(call: Call, options: { whateverState?: boolean } = {}): Promise<UploadRow> {
  const id = call.target.query.get('uploadId') ?? '';
  const row = isId(id) ? await findUpload(call.deps.db, id.toLowerCase()) : undefined;
  const bucket = bucketOf(call);
  if (row?.kind !== 'multipart' || row.bucket_id !== bucket.id || row.key !== keyOf(call)) throw noUpload();
  if (!options.whateverState && !isOpen(row)) throw noUpload();
  return row;
}

function partNumberOf(call: Call): number {
  const text = call.target.query.get('partNumber') ?? '';
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxPart) return number;
  throw new S3Error('InvalidArgument', `Part number must be an integer between 1 and ${maxPart}, inclusive`, {
    fields: { ArgumentName: 'partNumber', ArgumentValue: text.slice(0, 32) },
  });
}

/** PUT ?partNumber&uploadId */
export async function uploadPart(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const number = partNumberOf(call);
  const upload = await uploadOf(call);
  const s3 = s3Of(upload);
  const key = demandKey(s3, readCustomerKey(call));
  const body = bodyOf(call, { wantsMd5: true, compute: s3.wanted?.algorithm });
  demandLength(call, body);
  if (s3.wanted && body.algorithm && body.algorithm !== s3.wanted.algorithm && body.algorithm !== 'MD5') {
    throw new S3Error(
      'InvalidRequest',
      `Checksum Type mismatch occurred, expected checksum Type: ${s3.wanted.algorithm.toLowerCase()}, actual checksum Type: ${body.algorithm.toLowerCase()}`,
    );
  }
  const written = await call.deps.contents.write(bucket, body.content(), {
    hashes: [],
    customerKey: key,
    encrypted: upload.encrypted === 1,
  });
  call.bytesIn = written.size;
  const etag = (body.md5 as Buffer).toString('hex');
  const details: PartDetails = { etag, ...(body.checksum ? { checksum: body.checksum } : {}) };
  await keepPart(call, upload, { number, blob: written.blob, size: written.size, details });
  send(call, 200, {
    etag: `"${etag}"`,
    ...(body.checksum ? { [headerOf(body.checksum.algorithm)]: body.checksum.value } : {}),
    ...encryptionHeaders(s3),
  });
}

/** The same with bytes of another object. */
export async function uploadPartCopy(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const number = partNumberOf(call);
  const upload = await uploadOf(call);
  const source = await readCopySource(call);
  const size = source.object.content_length;
  const range = copyRange(call, size);
  const s3 = s3Of(upload);
  const key = demandKey(s3, readCustomerKey(call));
  const { contents } = call.deps;
  const bytes = await contents.open(source.bucket, source.object, range, source.key);
  const md5 = createHash('md5');
  const sum = s3.wanted ? newChecksum(s3.wanted.algorithm) : undefined;
  async function* seen() {
    for await (const chunk of bytes) {
      md5.update(chunk);
      sum?.update(chunk);
      yield chunk;
    }
  }
  const written = await contents.write(bucket, seen(), {
    hashes: [],
    customerKey: key,
    encrypted: upload.encrypted === 1,
  });
  if (written.size !== range.end - range.start) throw new Error('The source of a copied part was cut short.');
  const checksum = s3.wanted && sum ? { algorithm: s3.wanted.algorithm, value: sum.digest() } : undefined;
  const details: PartDetails = { etag: md5.digest('hex'), ...(checksum ? { checksum } : {}) };
  await keepPart(call, upload, { number, blob: written.blob, size: written.size, details });
  sendXml(
    call,
    document(
      'CopyPartResult',
      leaf('LastModified', new Date(call.deps.clock.now()).toISOString()),
      leaf('ETag', `"${details.etag}"`),
      checksum && leaf(fieldOf(checksum.algorithm), checksum.value),
    ),
    { 'x-amz-copy-source-version-id': versionOf(source.bucket, source.object), ...encryptionHeaders(s3) },
  );
}

function copyRange({ headers }: Call, size: number): { start: number; end: number } {
  const text = headers['x-amz-copy-source-range'];
  if (text === undefined) return { start: 0, end: size };
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(String(text)) ?? [];
  const start = Number(first);
  const end = Number(last) + 1;
  if (first === undefined || start >= end) {
    throw new S3Error(
      'InvalidArgument',
      'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
      {
        fields: { ArgumentName: 'x-amz-copy-source-range', ArgumentValue: String(text).slice(0, 64) },
      },
    );
  }
  if (end > size)
    throw new S3Error('InvalidRange', `Range specified is not valid for source object of size: ${size}`);
  return { start, end };
}

/** Names the bytes as a part; those that the number had before go. */
async function keepPart(
  { deps }: Call,
  { id, bucket_id }: UploadRow,
  {
    number,
    blob: written,
    size,
    details,
  }: { number: number; blob: string | null; size: number; details: PartDetails },
): Promise<void> {
  const { db, clock } = deps;
  const blob = written ?? (await emptyBlob(deps));
  await db.write(async (tx) => {
    const bucket = await findBucket(tx, bucket_id);
    const upload = await findUpload(tx, id);
    if (!bucket) throw bucketGone();
    if (!upload || !isOpen(upload)) throw noUpload();
    const now = clock.now();
    const before = await findPiece(tx, id, number);
    if (before) {
      await insertGarbage(tx, [before.blob], now + deps.limits.garbageSeconds * 1000);
      await removePiece(tx, id, number);
    }
    const piece = { content_id: id, number, blob, start: 0, size };
    await insertPieces(tx, [{ ...piece, details: JSON.stringify(details), created_at: now }]);
    const grown = size - (before?.size ?? 0);
    await updateUpload(tx, id, { state: 'ready', received: upload.received + grown, updated_at: now });
    await charge(tx, deps, bucket, { upload_bytes: grown });
  }, bucketQueue(bucket_id));
}

/** A part without bytes is a part all the same, and each has a blob. */
async function emptyBlob({ contents, clock }: Call['deps']): Promise<string> {
  const blob = newBlobName(clock.now());
  await contents.putEmpty(blob);
  return blob;
}

interface NamedPart {
  number: number;
  etag: string;
  checksum: { algorithm: Algorithm; value: string } | undefined;
}

/** POST ?uploadId */
export async function completeMultipart(call: Call): Promise<void> {
  const { deps, headers } = call;
  const bucket = bucketOf(call);
  const upload = await uploadOf(call, { whateverState: true });
  const named = readParts(parseXml(await readDocument(call, maxCompleteBytes)));
  const s3 = s3Of(upload);
  const expected = announced(call);
  const conditions = readConditions(headers);
  const size = headers['x-amz-mp-object-size'];
  const row = await deps.db.write(async (tx) => {
    const present = await findBucket(tx, bucket.id);
    const now = await findUpload(tx, upload.id);
    if (!present) throw bucketGone();
    if (now?.state === 'completed' && now.object_id !== null) {
      // A client that lost the answer asks again.
      const made = await findObject(tx, bucket.id, now.object_id);
      if (made) return made;
    }
    if (!now || !isOpen(now)) throw noUpload();
    if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined)
      demandWritable(conditions, await findLive(tx, bucket.id, upload.key));
    const pieces = await listAllPieces(tx, upload.id);
    const parts = chooseParts(named, pieces, s3);
    const total = parts.reduce((sum, part) => sum + part.size, 0);
    if (size !== undefined && Number(size) !== total)
      throw new S3Error(
        'InvalidRequest',
        'The provided x-amz-mp-object-size does not match what was computed.',
      );
    if (total > maxObjectBytes) throw new S3Error('EntityTooLarge');
    const checksum = wholeChecksum(s3, parts);
    if (
      expected &&
      checksum &&
      expected.algorithm === checksum.algorithm &&
      expected.value !== checksum.value.replace(/-\d+$/, '') &&
      expected.value !== checksum.value
    )
      throw new S3Error(
        'BadDigest',
        `The ${expected.algorithm} you specified did not match the calculated checksum.`,
      );
    await dropOthers(tx, call, upload.id, pieces, parts);
    return finish(tx, call, present, now, { parts, total, checksum });
  }, bucketQueue(bucket.id));
  call.object = row;
  const location = `http://${call.headers.host ?? ''}${call.target.path}`;
  const stored = s3Of(row);
  sendXml(
    call,
    document(
      'CompleteMultipartUploadResult',
      leaf('Location', location),
      leaf('Bucket', bucket.slug),
      leaf('Key', upload.key),
      leaf('ETag', `"${row.etag}"`),
      checksumXml(stored),
    ),
    {
      'x-amz-version-id': versionOf(bucket, row),
      ...encryptionHeaders(stored),
      ...expirationHeader(call, bucket, row),
    },
  );
}

function announced({ headers }: Call): { algorithm: Algorithm; value: string } | undefined {
  for (const algorithm of algorithms) {
    const value = headers[headerOf(algorithm)];
    if (typeof value === 'string') return { algorithm, value };
  }
  return undefined;
}

function readParts(root: XmlElement): NamedPart[] {
  const parts = childrenOf(root, 'Part');
  if (root.name !== 'CompleteMultipartUpload' || parts.length === 0 || parts.length > maxPart)
    throw new S3Error('MalformedXML');
  const named: NamedPart[] = [];
  for (const part of parts) {
    const number = Number(textOf(part, 'PartNumber') ?? Number.NaN);
    const etag = textOf(part, 'ETag');
    if (!Number.isInteger(number) || etag === undefined) throw new S3Error('MalformedXML');
    const last = named.at(-1)?.number ?? 0;
    if (number < last) throw new S3Error('InvalidPartOrder');
    // A part that was sent again may be named again: the last one counts, as on Ceph.
    if (number === last) named.pop();
    const algorithm = algorithms.find((name) => textOf(part, fieldOf(name)) !== undefined);
    const checksum = algorithm && { algorithm, value: textOf(part, fieldOf(algorithm)) ?? '' };
    named.push({ number, etag: etag.replace(/^"(.*)"$/, '$1'), checksum });
  }
  return named;
}

/** The pieces that the client names, which must be those that it sent. */
function chooseParts(named: readonly NamedPart[], pieces: readonly PieceRow[], s3: S3Attributes): PieceRow[] {
  const byNumber = new Map(pieces.map((piece) => [piece.number, piece]));
  return named.map(({ number, etag, checksum }, at) => {
    const piece = byNumber.get(number);
    const details = piece && detailsOf(piece);
    const isOther =
      checksum &&
      details?.checksum?.algorithm === checksum.algorithm &&
      details.checksum.value !== checksum.value;
    if (!piece || details?.etag !== etag || isOther)
      throw new S3Error('InvalidPart', undefined, {
        fields: { PartNumber: number, ETag: etag.slice(0, 64) },
      });
    if (s3.wanted && !details.checksum)
      throw new S3Error(
        'InvalidRequest',
        `The upload was created using a ${s3.wanted.algorithm.toLowerCase()} checksum. The complete request must include the checksum for each part.`,
      );
    if (at < named.length - 1 && piece.size < minPartBytes) {
      throw new S3Error('EntityTooSmall', undefined, {
        fields: {
          ProposedSize: piece.size,
          MinSizeAllowed: minPartBytes,
          PartNumber: number,
          ETag: etag.slice(0, 64),
        },
      });
    }
    return piece;
  });
}

function wholeChecksum({ wanted }: S3Attributes, parts: readonly PieceRow[]): S3Attributes['checksum'] {
  const sums = parts.map((part) => ({ ...detailsOf(part).checksum, size: part.size }));
  const algorithm = wanted?.algorithm ?? sums[0]?.algorithm;
  if (!algorithm || sums.some((sum) => sum.algorithm !== algorithm)) return undefined;
  const values = sums.map(({ value = '', size }) => ({ value, size }));
  const type = wanted?.type ?? (algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE');
  const value =
    type === 'FULL_OBJECT'
      ? combineChecksums(algorithm, values)
      : compositeChecksum(
          algorithm,
          values.map((sum) => sum.value),
        );
  return { algorithm, value, type };
}

async function dropOthers(
  tx: Tx,
  { deps }: Call,
  id: string,
  pieces: readonly PieceRow[],
  parts: readonly PieceRow[],
): Promise<void> {
  const kept = new Set(parts.map(({ number }) => number));
  const dropped = pieces.filter(({ number }) => !kept.has(number));
  const dueAt = deps.clock.now() + deps.limits.garbageSeconds * 1000;
  await insertGarbage(
    tx,
    dropped.map(({ blob }) => blob),
    dueAt,
  );
  for (const { number } of dropped) await removePiece(tx, id, number);
}

async function finish(
  tx: Tx,
  { deps }: Call,
  bucket: BucketRow,
  upload: UploadRow,
  {
    parts,
    total,
    checksum,
  }: { parts: readonly PieceRow[]; total: number; checksum: S3Attributes['checksum'] },
): Promise<ObjectRow> {
  const now = deps.clock.now();
  await placePieces(tx, upload.id);
  await addUsage(tx, bucket.id, { uploads: -1, upload_bytes: -upload.received });
  const md5 = createHash('md5');
  for (const part of parts) md5.update(Buffer.from(detailsOf(part).etag, 'hex'));
  const attributes = JSON.parse(upload.attributes) as Record<string, unknown> & {
    s3: S3Attributes & { owner?: string };
  };
  const { wanted: _, retention, legalHold, owner: __, ...s3 } = attributes.s3;
  const object = await putObject(tx, deps, bucket, {
    key: upload.key,
    content: {
      blob: null,
      contentId: upload.id,
      size: total,
      encrypted: upload.encrypted,
      etag: `${md5.digest('hex')}-${parts.length}`,
    },
    contentType: upload.content_type,
    attributes: { ...attributes, s3: { ...s3, parts: parts.length, ...(checksum ? { checksum } : {}) } },
    uploadSessionId: upload.id,
    retention,
    legalHold,
  });
  await updateUpload(tx, upload.id, {
    state: 'completed',
    object_id: object.id,
    uploaded_at: now,
    updated_at: now,
  });
  return object;
}

/** DELETE ?uploadId */
export async function abortMultipart(call: Call): Promise<void> {
  const upload = await uploadOf(call);
  await call.deps.db.write(async (tx) => {
    const present = await findUpload(tx, upload.id);
    if (!present || !isOpen(present)) throw noUpload();
    await closeUpload(tx, call.deps, present, 'expired');
  }, bucketQueue(upload.bucket_id));
  send(call, 204);
}

/** GET ?uploadId */
export async function listParts(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const upload = await uploadOf(call);
  const { limit } = readListParameters(call, 'max-parts');
  const marker = Number(call.target.query.get('part-number-marker') || 0);
  if (!Number.isInteger(marker) || marker < 0)
    throw new S3Error('InvalidArgument', 'part-number-marker must be a number');
  const pieces = await listAllPieces(call.deps.db, upload.id, { after: marker, limit: limit + 1 });
  const page = pieces.slice(0, limit);
  const s3 = s3Of(upload) as S3Attributes & { owner?: string };
  const owner = s3.owner ?? bucket.application_id;
  const names = await namesOf(call, [owner]);
  const isTruncated = pieces.length > limit && limit > 0;
  sendXml(
    call,
    document(
      'ListPartsResult',
      leaf('Bucket', bucket.slug),
      leaf('Key', upload.key),
      leaf('UploadId', upload.id),
      ownerXml('Initiator', owner, names.get(owner) ?? ''),
      ownerXml('Owner', owner, names.get(owner) ?? ''),
      leaf('StorageClass', s3.storageClass ?? 'STANDARD'),
      leaf('PartNumberMarker', marker),
      leaf('NextPartNumberMarker', page.at(-1)?.number ?? 0),
      leaf('MaxParts', limit),
      leaf('IsTruncated', isTruncated),
      leaf('ChecksumAlgorithm', s3.wanted?.algorithm),
      leaf('ChecksumType', s3.wanted?.type),
      ...page.map((piece) => {
        const { etag, checksum } = detailsOf(piece);
        return element(
          'Part',
          leaf('PartNumber', piece.number),
          leaf('LastModified', new Date(piece.created_at).toISOString()),
          leaf('ETag', `"${etag}"`),
          leaf('Size', piece.size),
          checksum && leaf(fieldOf(checksum.algorithm), checksum.value),
        );
      }),
    ),
  );
}

/** GET ?uploads */
export async function listMultipartUploads(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const { query } = call.target;
  const { prefix, delimiter, limit, shown, isEncoded } = readListParameters(call, 'max-uploads');
  const keyMarker = query.get('key-marker') ?? '';
  const idMarker = keyMarker === '' ? '' : (query.get('upload-id-marker') ?? '');
  const entries: ({ row: UploadRow } | { prefix: string })[] = [];
  let after: { key: string; id: string } | undefined =
    keyMarker === '' ? undefined : { key: keyMarker, id: idMarker };
  let group: string | undefined;
  walk: for (;;) {
    const rows = await listMultipart(call.deps.db, bucket.id, { prefix, after, limit: 1000 });
    for (const row of rows) {
      after = { key: row.key, id: row.id };
      if (group !== undefined && row.key.startsWith(group)) continue;
      const at = delimiter === '' ? -1 : row.key.indexOf(delimiter, prefix.length);
      group = at < 0 ? undefined : row.key.slice(0, at + delimiter.length);
      entries.push(group === undefined ? { row } : { prefix: group });
      if (entries.length > limit) break walk;
    }
    if (rows.length < 1000) break;
  }
  const isTruncated = entries.length > limit && limit > 0;
  const page = entries.slice(0, limit);
  const last = isTruncated ? page.at(-1) : undefined;
  const ownerId = (row: UploadRow) => (s3Of(row) as { owner?: string }).owner ?? bucket.application_id;
  const names = await namesOf(
    call,
    page.flatMap((entry) => ('row' in entry ? [ownerId(entry.row)] : [])),
  );
  const who = (name: string, row: UploadRow) => ownerXml(name, ownerId(row), names.get(ownerId(row)) ?? '');
  sendXml(
    call,
    document(
      'ListMultipartUploadsResult',
      leaf('Bucket', bucket.slug),
      leaf('KeyMarker', shown(keyMarker)),
      leaf('UploadIdMarker', idMarker),
      leaf('NextKeyMarker', last && shown('row' in last ? last.row.key : startAfter(last.prefix))),
      leaf('NextUploadIdMarker', last && ('row' in last ? last.row.id : '')),
      leaf('Prefix', shown(prefix)),
      leaf('Delimiter', delimiter === '' ? undefined : shown(delimiter)),
      leaf('MaxUploads', limit),
      leaf('IsTruncated', isTruncated),
      leaf('EncodingType', isEncoded ? 'url' : undefined),
      ...page.map((entry) => {
        if (!('row' in entry)) return element('CommonPrefixes', leaf('Prefix', shown(entry.prefix)));
        const { row } = entry;
        const s3 = s3Of(row);
        return element(
          'Upload',
          leaf('Key', shown(row.key)),
          leaf('UploadId', row.id),
          who('Initiator', row),
          who('Owner', row),
          leaf('StorageClass', s3.storageClass ?? 'STANDARD'),
          leaf('Initiated', new Date(row.created_at).toISOString()),
          leaf('ChecksumAlgorithm', s3.wanted?.algorithm),
          leaf('ChecksumType', s3.wanted?.type),
        );
      }),
    ),
  );
}
