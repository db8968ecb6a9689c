import {
  attributesOf,
  bucketQueue,
  findObject,
  listAllPieces,
  type ObjectRow,
  updateObject,
} from '#areas/storage/service.ts';
import { authorize, findVersion } from '../access/authorize.ts';
import { bucketOf, type Call, keyOf, readXml, send, sendXml } from '../call.ts';
import { objectAcl, s3Of } from '../documents.ts';
import { keyForReading } from '../encryption.ts';
import { S3Error } from '../errors.ts';
import { demandLock, demandLongerRetention, isBypassed, readRetention } from '../locks.ts';
import { checksumXml, versionOf } from '../properties.ts';
import { type Algorithm, fieldOf } from '../wire/checksums.ts';
import { document, element, leaf } from '../wire/xml.ts';
import { textOf } from '../wire/xml-parser.ts';
import { readAcl, readTagging, sendAcl, tagsXml } from './bucket-config.ts';
import { readableObject } from './get.ts';

/** What is known of an object beside its content, each at an address of its own. */

async function objectOf(call: Call): Promise<ObjectRow> {
  const versionId = call.target.query.get('versionId');
  const found = await findVersion(call, bucketOf(call), keyOf(call), versionId);
  if (!found)
    throw new S3Error(versionId === undefined ? 'NoSuchKey' : 'NoSuchVersion', undefined, {
      fields: { Key: keyOf(call) },
    });
  if (found.delete_marker)
    throw new S3Error('MethodNotAllowed', undefined, { headers: { 'x-amz-delete-marker': 'true' } });
  call.object = found;
  return found;
}

/** Changes the row as it is at that moment. */
async function changeObject(
  call: Call,
  row: ObjectRow,
  changes: (present: ObjectRow) => Partial<ObjectRow>,
): Promise<void> {
  const { db } = call.deps;
  await db.write(async (tx) => {
    const present = await findObject(tx, row.bucket_id, row.id);
    if (!present) throw new S3Error('NoSuchKey');
    await updateObject(tx, row.id, changes(present));
  }, bucketQueue(row.bucket_id));
}

function versionHeader(call: Call, row: ObjectRow) {
  return { 'x-amz-version-id': versionOf(bucketOf(call), row) };
}

export async function getTagging(call: Call): Promise<void> {
  const object = await objectOf(call);
  sendXml(call, document('Tagging', tagsXml(attributesOf(object).tags ?? {})), versionHeader(call, object));
}

export async function putTagging(call: Call): Promise<void> {
  const tags = readTagging(await readXml(call, 'Tagging'), 10);
  const object = await objectOf(call);
  await changeObject(call, object, (present) => ({
    attributes: JSON.stringify({ ...attributesOf(present), tags }),
  }));
  send(call, 200, versionHeader(call, object));
}

export async function deleteTagging(call: Call): Promise<void> {
  const object = await objectOf(call);
  await changeObject(call, object, (present) => {
    const { tags: _, ...rest } = attributesOf(present);
    return { attributes: JSON.stringify(rest) };
  });
  send(call, 204, versionHeader(call, object));
}

export async function getObjectAcl(call: Call): Promise<void> {
  const object = await objectOf(call);
  await sendAcl(call, objectAcl(object, bucketOf(call)));
}

export async function putObjectAcl(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const object = await objectOf(call);
  const acl = await readAcl(call, bucket, objectAcl(object, bucket).owner);
  await changeObject(call, object, (present) => ({
    attributes: JSON.stringify({ ...attributesOf(present), s3: { ...s3Of(present), acl } }),
  }));
  send(call, 200, versionHeader(call, object));
}

export async function getRetention(call: Call): Promise<void> {
  demandLock(bucketOf(call));
  const { retention_mode: mode, retain_until: until } = await objectOf(call);
  if (mode === null || until === null) throw new S3Error('NoSuchObjectLockConfiguration');
  sendXml(
    call,
    document('Retention', leaf('Mode', mode), leaf('RetainUntilDate', new Date(until).toISOString())),
  );
}

export async function putRetention(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  demandLock(bucket);
  const root = await readXml(call, 'Retention');
  const [mode, until] = [textOf(root, 'Mode'), textOf(root, 'RetainUntilDate')];
  const now = call.deps.clock.now();
  if ((mode === undefined) !== (until === undefined)) throw new S3Error('MalformedXML');
  if (mode !== undefined && mode !== 'GOVERNANCE' && mode !== 'COMPLIANCE') throw new S3Error('MalformedXML');
  const wanted = mode === undefined ? undefined : readRetention(mode, until ?? '', now);
  const bypass = isBypassed(call);
  if (bypass)
    await authorize(call, { action: 's3:BypassGovernanceRetention', writes: true, bucket, key: keyOf(call) });
  const object = await objectOf(call);
  await changeObject(call, object, (present) => {
    demandLongerRetention(present, wanted, { now, bypass });
    return { retention_mode: wanted?.mode ?? null, retain_until: wanted?.until ?? null };
  });
  send(call, 200);
}

export async function getLegalHold(call: Call): Promise<void> {
  demandLock(bucketOf(call));
  const object = await objectOf(call);
  sendXml(call, document('LegalHold', leaf('Status', object.legal_hold ? 'ON' : 'OFF')));
}

export async function putLegalHold(call: Call): Promise<void> {
  demandLock(bucketOf(call));
  const status = textOf(await readXml(call, 'LegalHold'), 'Status');
  if (status !== 'ON' && status !== 'OFF') throw new S3Error('MalformedXML');
  const object = await objectOf(call);
  await changeObject(call, object, () => ({ legal_hold: status === 'ON' ? 1 : 0 }));
  send(call, 200);
}

const attributeNames = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'];

/** GET ?attributes */
export async function getAttributes(call: Call): Promise<void> {
  const { headers } = call;
  const object = await readableObject(call, 'GetObjectAttributes');
  keyForReading(call, object);
  const asked = String(headers['x-amz-object-attributes'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (asked.length === 0 || asked.some((name) => !attributeNames.includes(name)))
    throw new S3Error('InvalidArgument', 'Invalid attribute name specified.', {
      fields: { ArgumentName: 'x-amz-object-attributes' },
    });
  const s3 = s3Of(object);
  const wants = (name: string) => asked.includes(name);
  sendXml(
    call,
    document(
      'GetObjectAttributesResponse',
      wants('ETag') && leaf('ETag', object.etag),
      wants('Checksum') && s3.checksum && element('Checksum', checksumXml(s3)),
      wants('ObjectParts') && s3.parts !== undefined && (await partsXml(call, object, s3.parts)),
      wants('StorageClass') && leaf('StorageClass', s3.storageClass ?? 'STANDARD'),
      wants('ObjectSize') && leaf('ObjectSize', object.content_length),
    ),
    { ...versionHeader(call, object), 'last-modified': new Date(object.uploaded_at).toUTCString() },
  );
}

async function partsXml(call: Call, object: ObjectRow, count: number): Promise<string> {
  const number = (name: string, fallback: number) => {
    const text = call.headers[name];
    if (text === undefined) return fallback;
    if (!/^\d{1,5}$/.test(String(text))) throw new S3Error('InvalidArgument', `${name} must be a number`);
    return Number(text);
  };
  const limit = Math.min(1000, number('x-amz-max-parts', 1000));
  const marker = number('x-amz-part-number-marker', 0);
  const { checksum } = s3Of(object);
  const pieces =
    object.content_id === null
      ? []
      : await listAllPieces(call.deps.db, object.content_id, { after: marker, limit: limit + 1 });
  const page = pieces.slice(0, limit);
  const details = (piece: (typeof pieces)[number]) =>
    JSON.parse(piece.details) as { checksum?: { algorithm: Algorithm; value: string } };
  return element(
    'ObjectParts',
    leaf('PartsCount', count),
    leaf('PartNumberMarker', marker),
    leaf('NextPartNumberMarker', page.at(-1)?.number ?? 0),
    leaf('MaxParts', limit),
    leaf('IsTruncated', pieces.length > limit),
    // As AWS: parts are shown one by one where they have checksums.
    ...page.map((piece) => {
      const own = details(piece).checksum;
      return element(
        'Part',
        leaf('PartNumber', piece.number),
        leaf('Size', piece.size),
        checksum && own && leaf(fieldOf(own.algorithm), own.value),
      );
    }),
  );
}

/** POST ?restore: nothing here was ever put away. */
export async function restoreArchived(call: Call): Promise<void> {
  await objectOf(call);
  throw new S3Error('InvalidObjectState', "Restore is not allowed for the object's current storage class", {
    fields: { StorageClass: 'STANDARD' },
  });
}
