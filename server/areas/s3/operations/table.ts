import type { Permission } from '../access/acl.ts';
import type { Call } from '../call.ts';
import { notOffered, S3Error } from '../errors.ts';
import { postObject } from '../forms/post-object.ts';
import { completeMultipart } from '../multipart/complete.ts';
import { listMultipartUploads, listParts } from '../multipart/lists.ts';
import { uploadPart, uploadPartCopy } from '../multipart/parts.ts';
import { abortMultipart, createMultipart } from '../multipart/upload.ts';
import type { Query } from '../wire/target.ts';
import * as config from './bucket-config.ts';
import * as buckets from './buckets.ts';
import { copyObject } from './copy.ts';
import { deleteObject, deleteObjects } from './delete.ts';
import { getObject } from './get.ts';
import * as lifecycle from './lifecycle.ts';
import { listObjects, listObjectsV2 } from './listing.ts';
import * as unset from './not-configured.ts';
import * as objects from './object-config.ts';
import { putObjectOperation } from './put.ts';
import { listObjectVersions } from './versions.ts';

export interface Operation {
  run(call: Call): Promise<void>;
  /** Of policies; undefined: the operation asks for itself. */
  action?: string;
  acl?: { of: 'bucket' | 'object'; permission: Permission };
  writes: boolean;
  /** Whether the query's prefix bounds what is seen. */
  lists?: boolean;
}

type Acl = NonNullable<Operation['acl']>;
const bucketRead: Acl = { of: 'bucket', permission: 'READ' };
const bucketWrite: Acl = { of: 'bucket', permission: 'WRITE' };

function read(action: string, run: Operation['run'], acl?: Acl): Operation {
  return { run, action: `s3:${action}`, writes: false, ...(acl ? { acl } : {}) };
}

function write(action: string, run: Operation['run'], acl?: Acl): Operation {
  return { run, action: `s3:${action}`, writes: true, ...(acl ? { acl } : {}) };
}

/** Names in the query that choose what of a bucket is meant, by method. */
const bucketTable: Record<string, Record<string, Operation>> = {
  GET: {
    location: read('GetBucketLocation', buckets.getLocation),
    versioning: read('GetBucketVersioning', config.getVersioning),
    versions: { ...read('ListBucketVersions', listObjectVersions, bucketRead), lists: true },
    uploads: {
      ...read('ListBucketMultipartUploads', listMultipartUploads, bucketRead),
      lists: true,
    },
    acl: read('GetBucketAcl', config.getBucketAcl, { of: 'bucket', permission: 'READ_ACP' }),
    cors: read('GetBucketCORS', config.getCors),
    lifecycle: read('GetLifecycleConfiguration', lifecycle.getLifecycle),
    tagging: read('GetBucketTagging', config.getBucketTagging),
    policy: read('GetBucketPolicy', config.getPolicy),
    policyStatus: read('GetBucketPolicyStatus', config.getPolicyStatus),
    publicAccessBlock: read('GetBucketPublicAccessBlock', config.getPublicAccessBlock),
    ownershipControls: read('GetBucketOwnershipControls', config.getOwnership),
    encryption: read('GetEncryptionConfiguration', config.getEncryption),
    'object-lock': read('GetBucketObjectLockConfiguration', config.getObjectLock),
    logging: read('GetBucketLogging', unset.getLogging),
    notification: read('GetBucketNotification', unset.getNotification),
    requestPayment: read('GetBucketRequestPayment', unset.getRequestPayment),
    accelerate: read('GetAccelerateConfiguration', unset.getAccelerate),
    website: read('GetBucketWebsite', unset.getWebsite),
    replication: read('GetReplicationConfiguration', unset.getReplication),
  },
  PUT: {
    versioning: write('PutBucketVersioning', config.putVersioning),
    acl: write('PutBucketAcl', config.putBucketAcl, { of: 'bucket', permission: 'WRITE_ACP' }),
    cors: write('PutBucketCORS', config.putCors),
    lifecycle: write('PutLifecycleConfiguration', lifecycle.putLifecycle),
    tagging: write('PutBucketTagging', config.putBucketTagging),
    policy: write('PutBucketPolicy', config.putPolicy),
    publicAccessBlock: write('PutBucketPublicAccessBlock', config.putPublicAccessBlock),
    ownershipControls: write('PutBucketOwnershipControls', config.putOwnership),
    encryption: write('PutEncryptionConfiguration', config.putEncryption),
    'object-lock': write('PutBucketObjectLockConfiguration', config.putObjectLock),
  },
  DELETE: {
    cors: write('PutBucketCORS', config.deleteCors),
    lifecycle: write('PutLifecycleConfiguration', lifecycle.deleteLifecycle),
    tagging: write('PutBucketTagging', config.deleteBucketTagging),
    policy: write('DeleteBucketPolicy', config.deletePolicy),
    publicAccessBlock: write('PutBucketPublicAccessBlock', config.deletePublicAccessBlock),
    ownershipControls: write('PutBucketOwnershipControls', config.deleteOwnership),
    encryption: write('PutEncryptionConfiguration', config.deleteEncryption),
  },
  POST: { delete: { run: deleteObjects, writes: true } },
};

const objectTable: Record<string, Record<string, Operation>> = {
  GET: {
    acl: read('GetObjectAcl', objects.getObjectAcl, { of: 'object', permission: 'READ_ACP' }),
    tagging: read('GetObjectTagging', objects.getTagging),
    retention: read('GetObjectRetention', objects.getRetention),
    'legal-hold': read('GetObjectLegalHold', objects.getLegalHold),
    attributes: { run: objects.getAttributes, writes: false },
    uploadId: read('ListMultipartUploadParts', listParts),
  },
  PUT: {
    acl: write('PutObjectAcl', objects.putObjectAcl, { of: 'object', permission: 'WRITE_ACP' }),
    tagging: write('PutObjectTagging', objects.putTagging),
    retention: write('PutObjectRetention', objects.putRetention),
    'legal-hold': write('PutObjectLegalHold', objects.putLegalHold),
    uploadId: write(
      'PutObject',
      (call) => (isCopy(call.headers) ? uploadPartCopy : uploadPart)(call),
      bucketWrite,
    ),
  },
  DELETE: {
    tagging: write('DeleteObjectTagging', objects.deleteTagging),
    uploadId: write('AbortMultipartUpload', abortMultipart, bucketWrite),
  },
  POST: {
    uploads: write('PutObject', createMultipart, bucketWrite),
    uploadId: write('PutObject', completeMultipart, bucketWrite),
    restore: write('RestoreObject', objects.restoreArchived),
  },
};

/** What AWS has beside it. */
const notHere = [
  ...['analytics', 'annotation', 'append', 'inventory', 'intelligent-tiering', 'metrics', 'abac'],
  ...['metadataAnnotationTable', 'metadataConfiguration', 'metadataInventoryTable', 'metadataJournalTable'],
  ...['metadataTable', 'renameObject', 'select', 'session', 'torrent'],
];

/** Every name that makes a request mean something else than the bucket or the object. */
const subresources: ReadonlySet<string> = new Set([
  ...[bucketTable, objectTable].flatMap((table) => Object.values(table).flatMap(Object.keys)),
  ...notHere,
]);

const listing = { ...read('ListBucket', listObjects, bucketRead), lists: true };
const listingV2 = { ...read('ListBucket', listObjectsV2, bucketRead), lists: true };

/** Which operation a request means. Throws `NotImplemented` or `MethodNotAllowed`. */
export function operationOf(call: Call): Operation {
  const { method, target } = call;
  const { bucket, key, query } = target;
  if (bucket === undefined) {
    if (method === 'GET') return { run: buckets.listBuckets, writes: false };
    throw notAllowed(method);
  }
  const named = [...new Set(query.pairs.map(([name]) => name).filter((name) => subresources.has(name)))];
  if (named.length > 1)
    throw new S3Error('InvalidArgument', `Conflicting query string parameters: ${named.join(', ')}`);
  const [name] = named;
  if (name !== undefined) {
    const operation = (key === undefined ? bucketTable : objectTable)[method]?.[name];
    if (!operation) throw notOffered(`${method} with "?${name}"`);
    return operation;
  }
  if (method !== 'GET' && method !== 'HEAD') demandKnownNames(query);
  const operation =
    key === undefined ? plainBucket(method, query.get('list-type')) : plainObject(method, call);
  if (!operation) throw notAllowed(method);
  return operation;
}

/**
 * A name alone that nobody knows may be a sub-resource of tomorrow: a write that ignored it would change or delete the
 * bucket or the object instead. Parameters with values are ignored, as on AWS.
 */
function demandKnownNames({ pairs }: Query): void {
  for (const [name, value] of pairs)
    if (value === '' && !isParameter(name)) throw notOffered(`"?${name.slice(0, 64)}"`);
}

/** Of signatures and SDKs, and of operations that look at its value themselves. */
function isParameter(name: string): boolean {
  return /^(?:x-|response-)/i.test(name) || name === 'versionId' || name === 'partNumber';
}

function plainBucket(method: string, listType: string | undefined): Operation | undefined {
  switch (method) {
    case 'GET':
      return listType === '2' ? listingV2 : listing;
    case 'HEAD':
      return read('ListBucket', buckets.headBucket, bucketRead);
    case 'PUT':
      return { run: buckets.createBucket, writes: true };
    case 'DELETE':
      return write('DeleteBucket', buckets.deleteBucket);
    case 'POST':
      return { run: postObject, writes: true };
    default:
      return undefined;
  }
}

function plainObject(method: string, { headers, target }: Call): Operation | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { run: getObject, writes: false };
    case 'PUT':
      for (const name of ['partNumber', 'versionId'])
        if (target.query.has(name))
          throw new S3Error('InvalidArgument', `This operation does not accept ${name}.`);
      return write('PutObject', isCopy(headers) ? copyObject : putObjectOperation, bucketWrite);
    case 'DELETE':
      return { run: deleteObject, writes: true };
    default:
      return undefined;
  }
}

function isCopy(headers: Call['headers']): boolean {
  return headers['x-amz-copy-source'] !== undefined;
}

function notAllowed(method: string): S3Error {
  return new S3Error('MethodNotAllowed', undefined, { fields: { Method: method, ResourceType: 'SERVICE' } });
}
