import { isDeepStrictEqual } from 'node:util';
import {
  type BucketRow,
  deleteBucket as dropBucket,
  findBucketBySlug,
  findUsage,
  listBuckets as listStored,
  createBucket as makeBucket,
} from '#areas/storage/service.ts';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { aclOfHeaders, ownerXml } from '../access/acl.ts';
import { denied } from '../access/authorize.ts';
import { demandOwner } from '../acls.ts';
import { bucketOf, type Call, readDocument, send, sendXml, sourceOf } from '../call.ts';
import { type BucketDocuments, documentsOf, ownerships } from '../documents.ts';
import { S3Error } from '../errors.ts';
import { document, element, leaf } from '../wire/xml.ts';
import { parseXml, textOf } from '../wire/xml-parser.ts';

/** GET /: the buckets of the credential's application and environment. */
export async function listBuckets(call: Call): Promise<void> {
  const credential = call.auth?.signer;
  if (!credential) throw denied();
  const { applicationId, environmentId, bucketId } = credential;
  const { query } = call.target;
  const prefix = query.get('prefix') ?? '';
  const text = query.get('max-buckets');
  const limit = text === undefined ? 10_000 : /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 10_000)
    throw new S3Error('InvalidArgument', 'max-buckets must be between 1 and 10000', {
      fields: { ArgumentName: 'max-buckets', ArgumentValue: text ?? '' },
    });
  const token = query.get('continuation-token');
  const after = token === undefined ? '' : Buffer.from(token, 'base64url').toString('utf8');
  const rows = (await listStored(call.deps.db, { applicationId, environmentId }))
    .filter(
      (row) => (bucketId === null || row.id === bucketId) && row.slug.startsWith(prefix) && row.slug > after,
    )
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const page = rows.slice(0, limit);
  const name = (await call.deps.nameOf(applicationId)) ?? '';
  sendXml(
    call,
    document(
      'ListAllMyBucketsResult',
      ownerXml('Owner', applicationId, name),
      element(
        'Buckets',
        ...page.map((row) =>
          element(
            'Bucket',
            leaf('Name', row.slug),
            leaf('CreationDate', new Date(row.created_at).toISOString()),
            leaf('BucketRegion', call.deps.region),
          ),
        ),
      ),
      leaf(
        'ContinuationToken',
        rows.length > limit ? Buffer.from(page.at(-1)?.slug ?? '').toString('base64url') : undefined,
      ),
      leaf('Prefix', prefix === '' ? undefined : prefix),
    ),
  );
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
function demandBucketName(name: string): void {
  const isWrong =
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) ||
    /\.\.|\.-|-\./.test(name) ||
    /^\d+\.\d+\.\d+\.\d+$/.test(name) ||
    /^(xn--|sthree-|amzn-s3-demo-)|(-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/.test(name) ||
    isId(name);
  if (isWrong)
    throw new S3Error('InvalidBucketName', undefined, { fields: { BucketName: name.slice(0, 256) } });
}

/** PUT /bucket */
export async function createBucket(call: Call): Promise<void> {
  const credential = call.auth?.signer;
  const { deps, headers } = call;
  if (!credential) throw denied();
  if (credential.access === 'read' || credential.bucketId !== null || credential.prefix !== null)
    throw denied('The credential cannot create buckets.');
  const name = call.target.bucket ?? '';
  demandBucketName(name);
  const location = await readLocation(call);
  const { applicationId, environmentId } = credential;
  const organizationId = await deps.organizationOf(applicationId);
  if (organizationId === null) throw denied();
  const ownership = headers['x-amz-object-ownership'];
  const documents: BucketDocuments = location === undefined ? {} : { location };
  if (ownership !== undefined) {
    const known = ownerships.find((one) => one === ownership);
    if (!known) throw new S3Error('InvalidArgument', 'Invalid x-amz-object-ownership header');
    documents.ownership = known;
  }
  const acl = await aclOfHeaders(headers, {
    owner: applicationId,
    bucketOwner: applicationId,
    demandOwner: demandOwner(call),
  });
  if (acl && documents.ownership === 'BucketOwnerEnforced' && headers['x-amz-acl'] !== 'private')
    throw new S3Error('InvalidBucketAclWithObjectOwnership');
  if (acl) documents.acl = acl;
  const objectLock = String(headers['x-amz-bucket-object-lock-enabled']).toLowerCase() === 'true';
  const made = await deps.db.write(async (tx) => {
    const there = await findBucketBySlug(tx, name);
    if (there) return { there };
    await makeBucket(tx, deps, sourceOf(call), {
      ...{ organizationId, applicationId, environmentId, name, slug: name, visibility: 'private' as const },
      ...{ objectLock, documents: { ...documents } },
    }).catch((thrown: unknown) => {
      if (thrown instanceof Problem && thrown.kind === 'forbidden')
        throw new S3Error('TooManyBuckets', thrown.message);
      if (thrown instanceof Problem && thrown.kind === 'conflict')
        throw new S3Error('BucketAlreadyExists', thrown.message);
      throw thrown;
    });
    return {};
  });
  if (made.there) answerExisting(call, made.there, documents);
  send(call, 200, { location: `/${name}` });
}

/** In us-east-1 making one's own bucket again is no mistake, as long as it asks for the same access. */
function answerExisting(call: Call, there: BucketRow, wanted: BucketDocuments): void {
  const { applicationId, environmentId } = call.auth?.signer ?? {};
  const fields = { BucketName: there.slug };
  if (there.application_id !== applicationId || there.environment_id !== environmentId)
    throw new S3Error('BucketAlreadyExists', undefined, { fields });
  const { acl } = documentsOf(there);
  if (!isDeepStrictEqual(acl, wanted.acl)) throw new S3Error('BucketAlreadyExists', undefined, { fields });
  if (call.deps.region !== 'us-east-1') throw new S3Error('BucketAlreadyOwnedByYou', undefined, { fields });
}

async function readLocation(call: Call): Promise<string | undefined> {
  const bytes = await readDocument(call);
  if (bytes.length === 0) return undefined;
  const root = parseXml(bytes);
  if (root.name !== 'CreateBucketConfiguration') throw new S3Error('MalformedXML');
  const wanted = textOf(root, 'LocationConstraint');
  const { region, anyRegion } = call.deps;
  // `EU` and the like of other services mean a place that is not here.
  if (wanted && wanted !== region && !anyRegion && wanted !== 'default')
    throw new S3Error(
      'InvalidArgument',
      `The specified location-constraint is not valid; this is ${region}.`,
      { fields: { LocationConstraint: wanted.slice(0, 64) } },
    );
  return wanted || undefined;
}

export async function headBucket(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const usage = await findUsage(call.deps.db, bucket.id);
  send(call, 200, {
    'x-amz-bucket-region': call.deps.region,
    'x-amz-access-point-alias': 'false',
    // As Ceph's gateway tells it.
    'x-rgw-object-count': usage?.live_objects ?? 0,
    'x-rgw-bytes-used': usage?.live_bytes ?? 0,
  });
}

export async function deleteBucket(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  await call.deps.db
    .write((tx) => dropBucket(tx, call.deps, sourceOf(call), bucket.id, { onlyIfEmpty: true }))
    .catch((thrown: unknown) => {
      if (thrown instanceof Problem && thrown.kind === 'conflict')
        throw new S3Error('BucketNotEmpty', thrown.message, { fields: { BucketName: bucket.slug } });
      throw thrown;
    });
  send(call, 204);
}

export async function getLocation(call: Call): Promise<void> {
  const { region } = call.deps;
  // us-east-1 is said by saying nothing, unless the bucket was made there by name.
  const shown = documentsOf(bucketOf(call)).location ?? (region === 'us-east-1' ? '' : region);
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
  sendXml(
    call,
    `<?xml version="1.0" encoding="UTF-8"?>\n<LocationConstraint xmlns="${namespace}">${shown}</LocationConstraint>`,
  );
}
