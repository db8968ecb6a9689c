import {
  type BucketRow,
  demandRoom,
  findLive,
  type NewContent,
  type ObjectAttributes,
  type ObjectRow,
  storeObject,
  type WriteConditions,
} from '#areas/storage/service.ts';
import { authorize } from '../access/authorize.ts';
import { aclForNew } from '../acls.ts';
import { bodyOf, bucketOf, type Call, keyOf, type ResponseHeaders, send } from '../call.ts';
import { type S3Attributes, s3Of } from '../documents.ts';
import type { Encryption } from '../encryption.ts';
import { encryptionFor, encryptionHeaders } from '../encryption.ts';
import { S3Error } from '../errors.ts';
import { expirationHeader } from '../expiration.ts';
import { type Lock, lockFor } from '../locks.ts';
import {
  checksumHeaders,
  demandKeyText,
  demandWritable,
  newVersionOf,
  readAttributes,
  readConditions,
  readStorageClass,
} from '../properties.ts';
import type { Body, SentChecksum } from '../signature/body.ts';
import { type Algorithm, algorithmOf } from '../wire/checksums.ts';

export const maxPutBytes = 5 * 1024 ** 3;

export async function putObjectOperation(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const key = keyOf(call);
  demandKeyText(key);
  const prepared = await prepareNew(call, bucket);
  const conditions = readConditions(call.headers);
  const body = bodyOf(call, { wantsMd5: true, compute: askedAlgorithm(call) });
  demandLength(call, body);
  if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined)
    demandWritable(conditions, await findLive(call.deps.db, bucket.id, key));
  await demandRoom(call.deps, bucket, key, body.length ?? 0);
  const row = await store(call, bucket, { key, body, prepared, conditions });
  call.object = row;
  send(call, 200, storedHeaders(call, bucket, row));
}

/** What the headers say of an object that is about to be made; checked before its bytes are read. */
export interface Prepared {
  attributes: ObjectAttributes;
  s3: S3Attributes;
  encryption: Encryption;
  contentType: string;
  lock: Lock;
}

export async function prepareNew(call: Call, bucket: BucketRow): Promise<Prepared> {
  const { headers } = call;
  const attributes = readAttributes(call);
  if (attributes.tags)
    await authorize(call, {
      action: 's3:PutObjectTagging',
      acl: { of: 'bucket', permission: 'WRITE' },
      writes: true,
      bucket,
      key: keyOf(call),
    });
  const encryption = encryptionFor(call, bucket);
  const acl = await aclForNew(call, bucket);
  const lock = lockFor(call, bucket);
  if (lock.retention && headers['x-amz-object-lock-mode'] !== undefined)
    await authorize(call, { action: 's3:PutObjectRetention', writes: true, bucket, key: keyOf(call) });
  const redirect = headers['x-amz-website-redirect-location'];
  const s3: S3Attributes = {
    ...(acl ? { acl } : {}),
    ...encryption.attributes,
    ...readStorageClass(call),
    ...(typeof redirect === 'string' ? { websiteRedirect: redirect } : {}),
  };
  return { attributes, s3, encryption, contentType: headers['content-type'] || 'binary/octet-stream', lock };
}

export function askedAlgorithm({ headers }: Call): Algorithm | undefined {
  const name = headers['x-amz-sdk-checksum-algorithm'] ?? headers['x-amz-checksum-algorithm'];
  if (name === undefined) return undefined;
  const algorithm = algorithmOf(String(name));
  if (!algorithm)
    throw new S3Error(
      'InvalidRequest',
      'Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]',
    );
  return algorithm;
}

export function demandLength(call: Call, body: Body): void {
  if (body.length === undefined && call.headers['transfer-encoding'] === undefined)
    throw new S3Error('MissingContentLength');
  if ((body.length ?? 0) > maxPutBytes)
    throw new S3Error('EntityTooLarge', undefined, {
      fields: { ProposedSize: body.length ?? 0, MaxSizeAllowed: maxPutBytes },
    });
}

/** Writes the bytes, then the row. */
async function store(
  call: Call,
  bucket: BucketRow,
  {
    key,
    body,
    prepared,
    conditions,
  }: { key: string; body: Body; prepared: Prepared; conditions?: WriteConditions },
): Promise<ObjectRow> {
  const { contents } = call.deps;
  const { customerKey, encrypted = contents.encrypts } = prepared.encryption;
  const written = await contents.write(bucket, body.content(), {
    hashes: [],
    maxBytes: maxPutBytes,
    encrypted,
    customerKey,
    mayInline: true,
  });
  call.bytesIn = written.size;
  const checksum = checksumOf(body.checksum);
  const md5 = (body.md5 as Buffer).toString('hex');
  const { blob, inline, size, encrypted: isEncrypted } = written;
  const content = { blob, inline, contentId: null, size, encrypted: isEncrypted };
  return commit(call, bucket, {
    key,
    content: { ...content, etag: md5, md5, sha256: body.sha256 ?? null, sha1: hexOf(body.checksum, 'SHA1') },
    prepared: { ...prepared, s3: { ...prepared.s3, ...checksum } },
    conditions,
  });
}

function checksumOf(sent: SentChecksum | undefined): Pick<S3Attributes, 'checksum'> {
  return sent ? { checksum: { ...sent, type: 'FULL_OBJECT' } } : {};
}

function hexOf(sent: SentChecksum | undefined, algorithm: Algorithm): string | null {
  return sent?.algorithm === algorithm ? Buffer.from(sent.value, 'base64').toString('hex') : null;
}

/** Makes it what the key holds, under the rules of the bucket as they are at that moment. */
export function commit(
  call: Call,
  bucket: BucketRow,
  wanted: { key: string; content: NewContent; prepared: Prepared; conditions?: WriteConditions | undefined },
): Promise<ObjectRow> {
  const { key, content, prepared, conditions = {} } = wanted;
  return storeObject(call.deps, bucket, {
    ...{ key, content, contentType: prepared.contentType },
    attributes: { ...prepared.attributes, s3: { ...prepared.s3 } },
    retention: prepared.lock.retention,
    legalHold: prepared.lock.legalHold,
    demand: (live) => demandWritable(conditions, live),
  });
}

export function storedHeaders(call: Call, bucket: BucketRow, row: ObjectRow): ResponseHeaders {
  const s3 = s3Of(row);
  return {
    etag: `"${row.etag}"`,
    'x-amz-version-id': newVersionOf(row),
    ...checksumHeaders(s3),
    ...encryptionHeaders(s3),
    ...expirationHeader(call, bucket, row),
  };
}
