import {
  type BucketRow,
  keyProblem,
  type ObjectAttributes,
  type ObjectRow,
  type WriteConditions,
} from '#areas/storage/service.ts';
import type { Call, ResponseHeaders } from './call.ts';
import { type S3Attributes, s3Of } from './documents.ts';
import { S3Error } from './errors.ts';
import { fieldOf, headerOf } from './wire/checksums.ts';
import { readQuery } from './wire/target.ts';
import { type Child, leaf } from './wire/xml.ts';

/** What is said of an object in headers, both ways. */

export function demandKeyText(key: string): void {
  if (Buffer.byteLength(key) > 1024)
    throw new S3Error('KeyTooLongError', undefined, {
      fields: { Size: Buffer.byteLength(key), MaxSizeAllowed: 1024 },
    });
  const wrong = keyProblem(key);
  if (wrong) throw new S3Error('InvalidArgument', `The key ${wrong}.`);
}

const plain = [
  ['cache-control', 'cacheControl'],
  ['content-disposition', 'contentDisposition'],
  ['content-language', 'contentLanguage'],
  ['expires', 'expires'],
] as const satisfies readonly [string, keyof ObjectAttributes][];

const maxMetadataBytes = 2048;

/** Header bytes are UTF-8 where they can be. */
function fromHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : value;
}

export function readAttributes(call: Call): ObjectAttributes {
  const { headers } = call;
  const attributes: ObjectAttributes = {};
  for (const [header, name] of plain) {
    const value = headers[header];
    if (typeof value === 'string' && value !== '') attributes[name] = fromHeader(value);
  }
  // It belongs to the way here, not to the content.
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'aws-chunked')
    .join(', ');
  if (encoding !== '') attributes.contentEncoding = encoding;
  const metadata = readMetadata(headers);
  if (Object.keys(metadata).length > 0) attributes.metadata = metadata;
  const tags = headers['x-amz-tagging'];
  if (typeof tags === 'string' && tags !== '') attributes.tags = readTags(readQuery(tags).pairs);
  return attributes;
}

function readMetadata(headers: Call['headers']): Record<string, string> {
  const metadata: Record<string, string> = Object.create(null);
  let size = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('x-amz-meta-')) continue;
    const text = fromHeader(String(value));
    size += name.length - 'x-amz-meta-'.length + Buffer.byteLength(text);
    metadata[name.slice('x-amz-meta-'.length)] = text;
  }
  if (size > maxMetadataBytes)
    throw new S3Error('MetadataTooLarge', undefined, {
      fields: { Size: size, MaxSizeAllowed: maxMetadataBytes },
    });
  return { ...metadata };
}

const maxTags = 10;

/** Throws `InvalidTag` for more, or others, than an object may have. */
export function readTags(
  pairs: readonly (readonly [string, string])[],
  max = maxTags,
): Record<string, string> {
  if (pairs.length > max) throw new S3Error('InvalidTag', `Object tags cannot be greater than ${max}`);
  const tags = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (tags.has(name)) throw new S3Error('InvalidTag', 'Cannot provide multiple Tags with the same key');
    if ([...name].length > 128 || name === '')
      throw new S3Error('InvalidTag', 'The TagKey you have provided is invalid');
    if ([...value].length > 256) throw new S3Error('InvalidTag', 'The TagValue you have provided is invalid');
    if (/^aws:/i.test(name))
      throw new S3Error('InvalidTag', 'System tags cannot be added/updated by requester');
    tags.set(name, value);
  }
  return Object.fromEntries(tags);
}

const storageClasses = ['STANDARD', 'REDUCED_REDUNDANCY', 'STANDARD_IA', 'ONEZONE_IA', 'INTELLIGENT_TIERING'];

/** Classes that only differ in their price elsewhere; what has to be restored first is not offered. */
export function readStorageClass({ headers }: Call): Pick<S3Attributes, 'storageClass'> {
  const name = headers['x-amz-storage-class'];
  if (name === undefined || name === 'STANDARD') return {};
  if (!storageClasses.includes(String(name))) throw new S3Error('InvalidStorageClass');
  return { storageClass: String(name) };
}

/** ETags with quotes or without, as S3's clients send them. */
export function readConditions(headers: Call['headers'], prefix = ''): WriteConditions {
  const read = (name: string) => {
    const value = headers[`${prefix}${name}`];
    if (typeof value !== 'string') return undefined;
    if (value.trim() === '*') return '*' as const;
    return value.split(',').map((one) =>
      one
        .trim()
        .replace(/^W\//, '')
        .replace(/^"(.*)"$/, '$1'),
    );
  };
  return { ifMatch: read('if-match'), ifNoneMatch: read('if-none-match') };
}

export function failsConditions(
  { ifMatch, ifNoneMatch }: WriteConditions,
  etag: string | undefined,
): boolean {
  const holds = (wanted: readonly string[] | '*') =>
    etag !== undefined && (wanted === '*' || wanted.includes(etag));
  return (ifMatch !== undefined && !holds(ifMatch)) || (ifNoneMatch !== undefined && holds(ifNoneMatch));
}

/** Before the body comes, and again in the transaction. */
export function demandWritable(conditions: WriteConditions, live: { etag: string } | undefined): void {
  if (conditions.ifMatch !== undefined && !live) throw new S3Error('NoSuchKey');
  if (failsConditions(conditions, live?.etag)) {
    throw new S3Error('PreconditionFailed', undefined, {
      fields: { Condition: conditions.ifMatch !== undefined ? 'If-Match' : 'If-None-Match' },
    });
  }
}

export function versionOf(bucket: BucketRow, row: ObjectRow): string | undefined {
  if (row.null_version) return bucket.versioning === 'off' ? undefined : 'null';
  return row.id;
}

/** Of an answer to a write: what takes the place of what was there before has no version of its own. */
export function newVersionOf(row: ObjectRow): string | undefined {
  return row.null_version ? undefined : row.id;
}

export function checksumHeaders({ checksum }: S3Attributes): ResponseHeaders {
  if (!checksum) return {};
  return { [headerOf(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type };
}

export function checksumXml({ checksum }: S3Attributes, withType = true): Child {
  if (!checksum) return undefined;
  const type = withType ? leaf('ChecksumType', checksum.type) : '';
  return `${leaf(fieldOf(checksum.algorithm), checksum.value)}${type}`;
}

/** Of a HEAD or GET. */
export function attributeHeaders(row: ObjectRow, attributes: ObjectAttributes): ResponseHeaders {
  const headers: ResponseHeaders = {
    'cache-control': attributes.cacheControl,
    'content-disposition': attributes.contentDisposition,
    'content-encoding': attributes.contentEncoding,
    'content-language': attributes.contentLanguage,
    expires: attributes.expires,
  };
  for (const [name, value] of Object.entries(attributes.metadata ?? {})) {
    if (/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) headers[`x-amz-meta-${name}`] = value;
  }
  const count = Object.keys(attributes.tags ?? {}).length;
  if (count > 0) headers['x-amz-tagging-count'] = count;
  const { storageClass, websiteRedirect } = s3Of(row);
  if (storageClass) headers['x-amz-storage-class'] = storageClass;
  if (websiteRedirect) headers['x-amz-website-redirect-location'] = websiteRedirect;
  return headers;
}
