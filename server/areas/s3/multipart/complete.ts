import { createHash } from 'node:crypto';
import {
  addUsage,
  type BucketRow,
  bucketGone,
  bucketQueue,
  findBucket,
  findLive,
  findObject,
  findUpload,
  insertGarbage,
  isOpen,
  listAllPieces,
  type ObjectRow,
  type PieceRow,
  placePieces,
  putObject,
  removePiece,
  type UploadRow,
  updateUpload,
} from '#areas/storage/service.ts';
import type { Tx } from '#core/db.ts';
import { bucketOf, type Call, readDocument, sendXml } from '../call.ts';
import { type S3Attributes, s3Of } from '../documents.ts';
import { demandKey, encryptionHeaders, readCustomerKey } from '../encryption.ts';
import { S3Error } from '../errors.ts';
import { expirationHeader } from '../expiration.ts';
import { checksumXml, demandWritable, newVersionOf, readConditions } from '../properties.ts';
import type { SentChecksum } from '../signature/body.ts';
import {
  type Algorithm,
  algorithms,
  combineChecksums,
  compositeChecksum,
  fieldOf,
  headerOf,
  isDigest,
} from '../wire/checksums.ts';
import { document, leaf } from '../wire/xml.ts';
import { childrenOf, parseXml, textOf, type XmlElement } from '../wire/xml-parser.ts';
import { detailsOf, maxPart, noUpload, uploadOf } from './upload.ts';

const minPartBytes = 5 * 1024 * 1024;
const maxObjectBytes = 5 * 1024 ** 4;
const maxCompleteBytes = 8 * 1024 * 1024;

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
  const s3 = s3Of(upload);
  demandCustomer(call, s3);
  const named = readParts(
    parseXml(await readDocument(call, { maxBytes: maxCompleteBytes, isObject: false })),
  );
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
    if (expected) demandChecksum(expected, checksum);
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
      'x-amz-version-id': newVersionOf(row),
      ...encryptionHeaders(stored),
      ...expirationHeader(call, bucket, row),
    },
  );
}

/**
 * As on AWS, the customer's key is needed again only where the upload has a checksum: clients that send none leave the key
 * out (rclone). One that is sent has to be that of the parts.
 */
function demandCustomer(call: Call, s3: S3Attributes): void {
  const key = readCustomerKey(call);
  if (key || (s3.customerKeyMd5 !== undefined && s3.wanted)) demandKey(s3, key);
}

/** What the client says of the whole object; of the document that it sends, such headers say nothing here. */
function announced({ headers }: Call): SentChecksum | undefined {
  const [algorithm, second] = algorithms.filter((name) => headers[headerOf(name)] !== undefined);
  if (!algorithm) return undefined;
  if (second)
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  const value = String(headers[headerOf(algorithm)]);
  if (!isDigest(algorithm, value.replace(partCount, '')))
    throw new S3Error('BadDigest', `Value for ${headerOf(algorithm)} header is invalid.`);
  return { algorithm, value };
}

/** Behind a composite checksum; some clients leave it out. */
const partCount = /-\d{1,5}$/;

function demandChecksum(expected: SentChecksum, computed: S3Attributes['checksum']): void {
  if (computed?.algorithm !== expected.algorithm)
    throw new S3Error(
      'InvalidRequest',
      `Checksum Type mismatch occurred, expected checksum Type: ${computed?.algorithm.toLowerCase() ?? 'null'}, actual checksum Type: ${expected.algorithm.toLowerCase()}`,
    );
  const { value } = expected;
  if (value !== computed.value && value !== computed.value.replace(partCount, ''))
    throw new S3Error(
      'BadDigest',
      `The ${expected.algorithm} you specified did not match the calculated checksum.`,
    );
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
