import { createHash } from 'node:crypto';
import {
  bucketGone,
  bucketQueue,
  charge,
  demandRoomBeside,
  findBucket,
  findPiece,
  findUpload,
  insertGarbage,
  insertPieces,
  isOpen,
  removePiece,
  type UploadRow,
  updateUpload,
} from '#areas/storage/service.ts';
import { newBlobName } from '#core/blobs.ts';
import { bodyOf, bucketOf, type Call, send, sendXml } from '../call.ts';
import { s3Of } from '../documents.ts';
import { demandKey, encryptionHeaders, readCustomerKey } from '../encryption.ts';
import { S3Error } from '../errors.ts';
import { readCopySource } from '../operations/copy.ts';
import { demandLength } from '../operations/put.ts';
import { versionOf } from '../properties.ts';
import { fieldOf, headerOf, newChecksum } from '../wire/checksums.ts';
import { document, leaf } from '../wire/xml.ts';
import { maxPart, noUpload, type PartDetails, uploadOf } from './upload.ts';

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
  await demandRoomBeside(call.deps, bucket, body.length ?? 0, async () => {
    const before = await findPiece(call.deps.db, upload.id, number);
    return before?.size ?? 0;
  });
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
