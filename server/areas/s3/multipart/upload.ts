import {
  addUsage,
  bucketGone,
  bucketQueue,
  closeUpload,
  findBucket,
  findUpload,
  insertUpload,
  isOpen,
  type PieceRow,
  type UploadRow,
} from '#areas/storage/service.ts';
import { isId, newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { bucketOf, type Call, keyOf, send, sendXml } from '../call.ts';
import type { S3Attributes } from '../documents.ts';
import { encryptionHeaders } from '../encryption.ts';
import { S3Error } from '../errors.ts';
import { askedAlgorithm, prepareNew } from '../operations/put.ts';
import { demandKeyText } from '../properties.ts';
import { type Algorithm, isCombinable } from '../wire/checksums.ts';
import { document, leaf } from '../wire/xml.ts';

/** Of one upload. */
export const maxPart = 10_000;

export interface PartDetails {
  etag: string;
  checksum?: { algorithm: Algorithm; value: string };
}

export const detailsOf = (piece: PieceRow) => JSON.parse(piece.details) as PartDetails;

export function noUpload(): S3Error {
  return new S3Error('NoSuchUpload');
}

export async function uploadOf(call: Call, options: { whateverState?: boolean } = {}): Promise<UploadRow> {
  const id = call.target.query.get('uploadId') ?? '';
  const row = isId(id) ? await findUpload(call.deps.db, id.toLowerCase()) : undefined;
  const bucket = bucketOf(call);
  if (row?.kind !== 'multipart' || row.bucket_id !== bucket.id || row.key !== keyOf(call)) throw noUpload();
  if (!options.whateverState && !isOpen(row)) throw noUpload();
  return row;
}

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
    object_id: null,
    expires_at: now + deps.uploadSeconds * 1000,
    uploaded_at: null,
    created_at: now,
    updated_at: now,
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
