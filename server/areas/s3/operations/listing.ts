import {
  afterPrefix,
  type BucketRow,
  type ListResult,
  listObjects as listStored,
  type ObjectRow,
} from '#areas/storage/service.ts';
import { ownerXml } from '../access/acl.ts';
import { bucketOf, type Call, sendXml } from '../call.ts';
import { objectAcl, s3Of } from '../documents.ts';
import { S3Error } from '../errors.ts';
import { encodeForSigning } from '../wire/target.ts';
import { type Child, document, element, leaf } from '../wire/xml.ts';

const maxPage = 1000;

export interface ListParameters {
  prefix: string;
  delimiter: string;
  limit: number;
  /** As keys are shown: escaped where the client asks for it. */
  shown(text: string): string;
  isEncoded: boolean;
}

export function readListParameters(call: Call, limitName = 'max-keys'): ListParameters {
  const { query } = call.target;
  const encoding = query.get('encoding-type');
  if (encoding !== undefined && encoding !== '' && encoding !== 'url')
    throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request');
  const isEncoded = encoding === 'url';
  const texts = [query.get('prefix') ?? '', query.get('delimiter') ?? ''] as const;
  for (const text of texts)
    if (text.includes('\0') || Buffer.byteLength(text) > 1024)
      throw new S3Error('InvalidArgument', 'A key has at most 1024 bytes, and no NUL.');
  const [prefix, delimiter] = texts;
  const escaped = (text: string) => encodeForSigning(text).replaceAll('%2F', '/');
  return {
    prefix,
    delimiter,
    limit: readLimit(query.get(limitName), limitName),
    shown: isEncoded ? escaped : (text) => text,
    isEncoded,
  };
}

function readLimit(text: string | undefined, name: string): number {
  if (text === undefined || text === '') return maxPage;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2_147_483_647) {
    throw new S3Error('InvalidArgument', `Provided ${name} not an integer or within integer range`, {
      fields: { ArgumentName: name, ArgumentValue: text.slice(0, 64) },
    });
  }
  return Math.min(maxPage, Number(text));
}

/** Keys hold no NUL: the least text above one. */
export function startAfter(key: string): string {
  return `${key}\u0001`;
}

/** Where a list continues behind a marker; a common prefix as marker leaves out all that has it. */
export function startOf(marker: string, { prefix, delimiter }: ListParameters): string {
  if (marker === '') return '';
  const isGroup =
    delimiter !== '' &&
    marker.startsWith(prefix) &&
    marker.endsWith(delimiter) &&
    marker.length > prefix.length &&
    marker.indexOf(delimiter, prefix.length) === marker.length - delimiter.length;
  return isGroup ? (afterPrefix(marker) ?? startAfter(marker)) : startAfter(marker);
}

export async function listObjects(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const parameters = readListParameters(call);
  const marker = call.target.query.get('marker') ?? '';
  demandText(marker, 'marker');
  const { prefix, delimiter, limit, shown, isEncoded } = parameters;
  const result = await listStored(call.deps.db, bucket.id, {
    prefix,
    delimiter,
    limit,
    start: startOf(marker, parameters),
  });
  const names = await ownerNames(call, bucket, result);
  const last = result.entries.at(-1);
  const isTruncated = limit > 0 && result.next !== undefined;
  const next = last && isTruncated ? ('object' in last ? last.object.key : last.prefix) : undefined;
  sendXml(
    call,
    document(
      'ListBucketResult',
      leaf('Name', bucket.slug),
      // Never escaped here: boto does not undo it in this one place.
      leaf('Prefix', prefix),
      leaf('Marker', shown(marker)),
      leaf('NextMarker', next !== undefined && delimiter !== '' ? shown(next) : undefined),
      leaf('MaxKeys', limit),
      leaf('Delimiter', delimiter === '' ? undefined : shown(delimiter)),
      leaf('IsTruncated', isTruncated),
      leaf('EncodingType', isEncoded ? 'url' : undefined),
      ...entriesXml(result, parameters, (object) => ownerOf(object, bucket, names)),
    ),
  );
}

export async function listObjectsV2(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const { query } = call.target;
  const parameters = readListParameters(call);
  const { prefix, delimiter, limit, shown, isEncoded } = parameters;
  const after = query.get('start-after') ?? '';
  demandText(after, 'start-after');
  const token = query.get('continuation-token');
  const start = token ? readToken(token) : startOf(after, parameters);
  const result = await listStored(call.deps.db, bucket.id, { prefix, delimiter, limit, start });
  const wantsOwner = query.get('fetch-owner') === 'true';
  const names = wantsOwner ? await ownerNames(call, bucket, result) : new Map();
  const isTruncated = limit > 0 && result.next !== undefined;
  sendXml(
    call,
    document(
      'ListBucketResult',
      leaf('Name', bucket.slug),
      leaf('Prefix', shown(prefix)),
      leaf('StartAfter', after === '' ? undefined : shown(after)),
      leaf('ContinuationToken', token),
      leaf(
        'NextContinuationToken',
        isTruncated ? Buffer.from(result.next as string).toString('base64url') : undefined,
      ),
      leaf('KeyCount', result.entries.length),
      leaf('MaxKeys', limit),
      leaf('Delimiter', delimiter === '' ? undefined : shown(delimiter)),
      leaf('IsTruncated', isTruncated),
      leaf('EncodingType', isEncoded ? 'url' : undefined),
      ...entriesXml(result, parameters, wantsOwner ? (object) => ownerOf(object, bucket, names) : undefined),
    ),
  );
}

function demandText(text: string, name: string): void {
  if (text.includes('\0') || Buffer.byteLength(text) > 4096)
    throw new S3Error('InvalidArgument', `The parameter ${name} is no key.`);
}

function readToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  if (token.length > 8192 || Buffer.from(text).toString('base64url') !== token || text.includes('\0'))
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  return text;
}

function* entriesXml(
  { entries }: ListResult,
  { shown }: ListParameters,
  owner: ((object: ObjectRow) => Child) | undefined,
): Generator<string> {
  for (const entry of entries) {
    if (!('object' in entry)) {
      yield element('CommonPrefixes', leaf('Prefix', shown(entry.prefix)));
      continue;
    }
    const { object } = entry;
    const { checksum, storageClass = 'STANDARD' } = s3Of(object);
    yield element(
      'Contents',
      leaf('Key', shown(object.key)),
      leaf('LastModified', new Date(object.uploaded_at).toISOString()),
      leaf('ETag', `"${object.etag}"`),
      leaf('ChecksumAlgorithm', checksum?.algorithm),
      leaf('ChecksumType', checksum?.type),
      leaf('Size', object.content_length),
      owner?.(object),
      leaf('StorageClass', storageClass),
    );
  }
}

async function ownerNames(
  call: Call,
  bucket: BucketRow,
  { entries }: ListResult,
): Promise<Map<string, string>> {
  const owners = entries.flatMap((entry) =>
    'object' in entry ? [objectAcl(entry.object, bucket).owner] : [],
  );
  return namesOf(call, owners);
}

export async function namesOf(call: Call, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const id of new Set(ids)) names.set(id, (await call.deps.nameOf(id)) ?? '');
  return names;
}

export function ownerOf(object: ObjectRow, bucket: BucketRow, names: ReadonlyMap<string, string>): string {
  const { owner } = objectAcl(object, bucket);
  return ownerXml('Owner', owner, names.get(owner) ?? '');
}
