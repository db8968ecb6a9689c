import { createHash } from 'node:crypto';
import {
  attributesOf,
  type BucketRow,
  bucketGone,
  bucketQueue,
  contentForCopy,
  demandPresent,
  findBucket,
  findLive,
  type NewContent,
  type ObjectRow,
  putObject,
} from '#areas/storage/service.ts';
import { authorize, findVersion } from '../access/authorize.ts';
import { bucketOf, type Call, keyOf, sendXml } from '../call.ts';
import { s3Of } from '../documents.ts';
import { demandKey, encryptionHeaders, readCustomerKey } from '../encryption.ts';
import { S3Error } from '../errors.ts';
import {
  checksumXml,
  demandKeyText,
  demandWritable,
  newVersionOf,
  readConditions,
  versionOf,
} from '../properties.ts';
import { type Algorithm, newChecksum } from '../wire/checksums.ts';
import { decode } from '../wire/target.ts';
import { document, leaf } from '../wire/xml.ts';
import { askedAlgorithm, maxPutBytes, type Prepared, prepareNew } from './put.ts';

export interface CopySource {
  bucket: BucketRow;
  object: ObjectRow;
  /** Of the customer, where the source needs one. */
  key: Buffer | undefined;
}

/** What `x-amz-copy-source` names, when the caller may read it and its conditions hold. */
export async function readCopySource(call: Call): Promise<CopySource> {
  const header = String(call.headers['x-amz-copy-source']);
  const [, name = '', encoded = '', version] =
    /^\/?([^/]+)\/(.+?)(?:\?versionId=([^&?]+))?$/s.exec(header) ?? [];
  if (name === '')
    throw new S3Error(
      'InvalidArgument',
      'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
    );
  const key = decode(encoded);
  const bucket = await call.deps.buckets.bySlug(decode(name));
  if (!bucket) throw new S3Error('NoSuchBucket', undefined, { fields: { BucketName: name } });
  await authorize(call, {
    action: version === undefined ? 's3:GetObject' : 's3:GetObjectVersion',
    acl: { of: 'object', permission: 'READ' },
    writes: false,
    ...{ bucket, key, versionId: version },
  });
  const object = await findVersion(call, bucket, key, version);
  if (!object)
    throw new S3Error(version === undefined ? 'NoSuchKey' : 'NoSuchVersion', undefined, {
      fields: { Key: key },
    });
  if (object.delete_marker)
    throw new S3Error(
      'InvalidRequest',
      'The source of a copy request may not specifically refer to a delete marker by version id.',
    );
  checkSourceConditions(call, object);
  return { bucket, object, key: demandKey(s3Of(object), readCustomerKey(call, 'x-amz-copy-source-')) };
}

function checkSourceConditions({ headers }: Call, object: ObjectRow): void {
  const prefix = 'x-amz-copy-source-';
  const { ifMatch, ifNoneMatch } = readConditions(headers, prefix);
  const holds = (wanted: readonly string[] | '*') => wanted === '*' || wanted.includes(object.etag);
  const seconds = Math.floor(object.uploaded_at / 1000) * 1000;
  const date = (name: string) => Date.parse(String(headers[`${prefix}${name}`]));
  const failed = (Condition: string) =>
    new S3Error('PreconditionFailed', undefined, { fields: { Condition } });
  if (ifMatch !== undefined ? !holds(ifMatch) : seconds > date('if-unmodified-since'))
    throw failed(`${prefix}If-${ifMatch !== undefined ? 'Match' : 'Unmodified-Since'}`);
  if (ifNoneMatch !== undefined ? holds(ifNoneMatch) : seconds <= date('if-modified-since'))
    throw failed(`${prefix}If-${ifNoneMatch !== undefined ? 'None-Match' : 'Modified-Since'}`);
}

export async function copyObject(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const key = keyOf(call);
  const { headers, deps } = call;
  demandKeyText(key);
  const source = await readCopySource(call);
  const { object } = source;
  if (object.content_length > maxPutBytes)
    throw new S3Error(
      'InvalidRequest',
      `The specified copy source is larger than the maximum allowable size for a copy source: ${maxPutBytes}`,
    );
  const directive = headers['x-amz-metadata-directive'] ?? 'COPY';
  const tagging = headers['x-amz-tagging-directive'] ?? 'COPY';
  for (const one of [directive, tagging])
    if (one !== 'COPY' && one !== 'REPLACE')
      throw new S3Error('InvalidArgument', 'Unknown metadata directive.');
  const prepared = await prepareNew(call, bucket);
  const isItself = source.bucket.id === bucket.id && object.key === key && object.state === 'live';
  const changes =
    directive === 'REPLACE' ||
    tagging === 'REPLACE' ||
    headers['x-amz-storage-class'] !== undefined ||
    prepared.encryption.customerKey ||
    headers['x-amz-server-side-encryption'] !== undefined ||
    headers['x-amz-website-redirect-location'] !== undefined;
  if (isItself && !changes) {
    throw new S3Error(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  const described = describe(object, prepared, { directive, tagging });
  const { content, checksum } = await contentOf(call, source, bucket, prepared);
  const conditions = readConditions(headers);
  const row = await deps.db.write(async (tx) => {
    const present = await findBucket(tx, bucket.id);
    if (!present) throw bucketGone();
    if (content.isShared) await demandPresent(tx, object);
    if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined)
      demandWritable(conditions, await findLive(tx, bucket.id, key));
    const s3 = {
      ...described.s3,
      ...(checksum ? { checksum } : {}),
      ...(content.isShared ? partsOf(object) : {}),
    };
    return putObject(tx, deps, present, {
      ...{ key, content, contentType: described.contentType },
      attributes: { ...described.attributes, s3: { ...s3 } },
      retention: prepared.lock.retention,
      legalHold: prepared.lock.legalHold,
    });
  }, bucketQueue(bucket.id));
  call.object = row;
  sendXml(
    call,
    document(
      'CopyObjectResult',
      leaf('LastModified', new Date(row.uploaded_at).toISOString()),
      leaf('ETag', `"${row.etag}"`),
      checksumXml(s3Of(row)),
    ),
    {
      'x-amz-version-id': newVersionOf(row),
      'x-amz-copy-source-version-id': versionOf(source.bucket, object),
      ...encryptionHeaders(s3Of(row)),
    },
  );
}

function partsOf(object: ObjectRow): { parts?: number } {
  const { parts } = s3Of(object);
  return parts === undefined ? {} : { parts };
}

/** What stays of the source, and what the request says instead. */
function describe(
  object: ObjectRow,
  prepared: Prepared,
  { directive, tagging }: { directive: unknown; tagging: unknown },
): Pick<Prepared, 'attributes' | 's3' | 'contentType'> {
  const { tags: ownTags, s3: _, ...own } = attributesOf(object);
  const { tags: newTags, ...given } = prepared.attributes;
  const tags = tagging === 'REPLACE' ? newTags : ownTags;
  return {
    attributes: { ...(directive === 'REPLACE' ? given : own), ...(tags ? { tags } : {}) },
    s3: prepared.s3,
    contentType:
      directive === 'REPLACE' ? prepared.contentType : (object.content_type ?? prepared.contentType),
  };
}

/** The bytes for the copy: the same ones inside a bucket, where neither encryption nor a checksum asks for new ones. */
async function contentOf(
  call: Call,
  source: CopySource,
  bucket: BucketRow,
  prepared: Prepared,
): Promise<{
  content: NewContent & { isShared: boolean };
  checksum: { algorithm: Algorithm; value: string; type: 'FULL_OBJECT' | 'COMPOSITE' } | undefined;
}> {
  const { object, key } = source;
  const { customerKey, encrypted } = prepared.encryption;
  const known = s3Of(object).checksum;
  const wanted = askedAlgorithm(call);
  const isSame =
    source.bucket.id === bucket.id &&
    !key &&
    !customerKey &&
    !(encrypted && !object.encrypted && object.content_length > 0) &&
    (wanted === undefined || wanted === known?.algorithm);
  if (isSame) {
    const content = await contentForCopy(call.deps, source, bucket);
    return { content: { ...content, isShared: true }, checksum: known };
  }
  const { contents } = call.deps;
  const algorithm = wanted ?? known?.algorithm;
  const sum = algorithm ? newChecksum(algorithm) : undefined;
  const md5 = createHash('md5');
  const size = object.content_length;
  const bytes = await contents.open(source.bucket, object, { start: 0, end: size }, key);
  async function* seen() {
    for await (const chunk of bytes) {
      md5.update(chunk);
      sum?.update(chunk);
      yield chunk;
    }
  }
  const written = await contents.write(bucket, seen(), {
    hashes: [],
    customerKey,
    encrypted: encrypted ?? contents.encrypts,
    mayInline: true,
  });
  if (written.size !== size) throw new Error(`The object ${object.id} is not as long as its row says.`);
  const digest = md5.digest('hex');
  const content = {
    blob: written.blob,
    inline: written.inline,
    contentId: null,
    size,
    encrypted: written.encrypted,
    etag: digest,
    md5: digest,
  };
  const kept = { sha1: object.checksum_sha1, sha256: object.checksum_sha256 };
  return {
    content: { ...content, ...kept, isShared: false },
    checksum: algorithm && sum ? { algorithm, value: sum.digest(), type: 'FULL_OBJECT' } : undefined,
  };
}
