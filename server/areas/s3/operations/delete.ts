import {
  type BucketRow,
  bucketGone,
  bucketQueue,
  deleteKey,
  findBucket,
  findLive,
  findNullVersion,
  findObject,
  listOthers,
  type ObjectRow,
  purgeObject,
} from '#areas/storage/service.ts';
import type { Tx } from '#core/db.ts';
import { isId } from '#core/ids.ts';
import { authorize } from '../access/authorize.ts';
import { bodyOf, bucketOf, type Call, keyOf, send, sendXml } from '../call.ts';
import { S3Error, toS3Error } from '../errors.ts';
import { isBypassed } from '../locks.ts';
import { demandKeyText, failsConditions, readConditions } from '../properties.ts';
import { readAll } from '../signature/body.ts';
import { document, element, leaf } from '../wire/xml.ts';
import { childrenOf, parseXml, textOf } from '../wire/xml-parser.ts';

interface Wanted {
  key: string;
  versionId: string | undefined;
  ifMatch?: readonly string[] | '*' | undefined;
  /** Of what is deleted; undefined: any. */
  size?: number | undefined;
  modifiedAt?: number | undefined;
}

interface Deleted {
  versionId: string | undefined;
  /** What was deleted is a marker, or one was made. */
  isMarker: boolean;
}

export async function deleteObject(call: Call): Promise<void> {
  const key = keyOf(call);
  const { headers } = call;
  const modified = headers['x-amz-if-match-last-modified-time'];
  const size = headers['x-amz-if-match-size'];
  const wanted: Wanted = {
    key,
    versionId: call.target.query.get('versionId'),
    ifMatch: readConditions(headers).ifMatch,
    size: size === undefined ? undefined : Number(size),
    modifiedAt: modified === undefined ? undefined : Date.parse(String(modified)),
  };
  const deleted = await deleteOne(call, wanted);
  send(call, 204, {
    'x-amz-version-id': deleted.versionId,
    'x-amz-delete-marker': deleted.isMarker ? 'true' : undefined,
  });
}

async function deleteOne(call: Call, wanted: Wanted): Promise<Deleted> {
  const bucket = bucketOf(call);
  const { key, versionId } = wanted;
  demandKeyText(key);
  await authorize(call, {
    action: versionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion',
    acl: { of: 'bucket', permission: 'WRITE' },
    writes: true,
    ...{ bucket, key, versionId },
  });
  const bypass = isBypassed(call);
  if (bypass) await authorize(call, { action: 's3:BypassGovernanceRetention', writes: true, bucket, key });
  return call.deps.db.write(async (tx) => {
    const present = await findBucket(tx, bucket.id);
    if (!present) throw bucketGone();
    return versionId === undefined
      ? deleteCurrent(tx, call, present, wanted)
      : deleteVersion(tx, call, present, wanted, bypass);
  }, bucketQueue(bucket.id));
}

async function deleteCurrent(tx: Tx, { deps }: Call, bucket: BucketRow, wanted: Wanted): Promise<Deleted> {
  const { key } = wanted;
  const isConditional =
    wanted.ifMatch !== undefined || wanted.size !== undefined || wanted.modifiedAt !== undefined;
  if (isConditional) {
    const live = await findLive(tx, bucket.id, key);
    if (!live) return deleteMissing(tx, bucket, wanted);
    demandSame(live, wanted);
  }
  const { row, markerMade } = await deleteKey(tx, deps, bucket, key, { toTrash: deps.toTrash });
  if (!row || !markerMade) return { versionId: undefined, isMarker: false };
  return { versionId: row.null_version ? 'null' : row.id, isMarker: true };
}

/** Nothing is there, so no condition on it can fail but that there be something. */
async function deleteMissing(tx: Tx, bucket: BucketRow, { key, ifMatch }: Wanted): Promise<Deleted> {
  const [marker] = bucket.versioning === 'off' ? [] : await listOthers(tx, bucket.id, key, 'marker', 1);
  if (!marker || ifMatch !== undefined) throw new S3Error('NoSuchKey', undefined, { fields: { Key: key } });
  return { versionId: undefined, isMarker: false };
}

function demandSame(row: ObjectRow, { ifMatch, size, modifiedAt }: Wanted): void {
  const isOther =
    failsConditions({ ifMatch }, row.etag) ||
    (size !== undefined && size !== row.content_length) ||
    (modifiedAt !== undefined && Math.floor(modifiedAt / 1000) !== Math.floor(row.uploaded_at / 1000));
  if (isOther) throw new S3Error('PreconditionFailed', undefined, { fields: { Condition: 'If-Match' } });
}

async function deleteVersion(
  tx: Tx,
  { deps }: Call,
  bucket: BucketRow,
  wanted: Wanted,
  bypassGovernance: boolean,
): Promise<Deleted> {
  const { key, versionId = '' } = wanted;
  const found =
    versionId === 'null'
      ? await findNullVersion(tx, bucket.id, key)
      : isId(versionId)
        ? await findObject(tx, bucket.id, versionId.toLowerCase())
        : undefined;
  if (versionId !== 'null' && !isId(versionId))
    throw new S3Error('InvalidArgument', 'Invalid version id specified');
  // Deleting what is not there has succeeded.
  if (!found || found.key !== key || found.state === 'trash') return { versionId, isMarker: false };
  demandSame(found, wanted);
  await purgeObject(tx, deps, bucket, found, { bypassGovernance });
  return { versionId, isMarker: found.delete_marker === 1 };
}

const maxKeys = 1000;
const maxDeleteBytes = 4 * 1024 * 1024;

/** POST ?delete. Each key for itself: one that cannot be deleted does not keep the others. */
export async function deleteObjects(call: Call): Promise<void> {
  const body = bodyOf(call);
  if (!body.isProtected)
    throw new S3Error('InvalidRequest', 'Missing required header for this request: Content-MD5');
  const root = parseXml(await readAll(body, maxDeleteBytes));
  const objects = childrenOf(root, 'Object');
  if (root.name !== 'Delete' || objects.length === 0 || objects.length > maxKeys)
    throw new S3Error('MalformedXML');
  const isQuiet = textOf(root, 'Quiet') === 'true';
  const lines: string[] = [];
  for (const object of objects) {
    // Blanks belong to a key.
    const key = object.children.find(({ name }) => name === 'Key')?.text;
    const versionId = textOf(object, 'VersionId');
    if (key === undefined) throw new S3Error('MalformedXML');
    const etag = textOf(object, 'ETag');
    const size = textOf(object, 'Size');
    const modified = textOf(object, 'LastModifiedTime');
    try {
      const deleted = await deleteOne(call, {
        ...{ key, versionId: versionId === '' ? undefined : versionId },
        ifMatch: etag === undefined ? undefined : etag === '*' ? '*' : [etag.replace(/^"(.*)"$/, '$1')],
        size: size === undefined ? undefined : Number(size),
        modifiedAt: modified === undefined ? undefined : Date.parse(modified),
      });
      if (!isQuiet) lines.push(deletedXml(key, versionId, deleted));
    } catch (thrown) {
      const { code, message, status } = toS3Error(thrown);
      if (status >= 500) throw thrown;
      lines.push(
        element(
          'Error',
          leaf('Key', key),
          leaf('VersionId', versionId),
          leaf('Code', code),
          leaf('Message', message),
        ),
      );
    }
  }
  sendXml(call, document('DeleteResult', ...lines));
}

function deletedXml(key: string, asked: string | undefined, { versionId, isMarker }: Deleted): string {
  return element(
    'Deleted',
    leaf('Key', key),
    leaf('VersionId', asked || undefined),
    leaf('DeleteMarker', isMarker || undefined),
    leaf('DeleteMarkerVersionId', isMarker ? versionId : undefined),
  );
}
