import { type BucketRow, type CorsRule, changeBucket } from '#areas/storage/service.ts';
import { Problem } from '#core/problem.ts';
import { type Acl, aclOfHeaders, aclOfXml, aclXml, isPublicAcl } from '../access/acl.ts';
import { isPublicPolicy, parsePolicy } from '../access/policy.ts';
import { demandAllowed, demandOwner, saysNothing } from '../acls.ts';
import { bucketOf, type Call, readDocument, readXml, send, sendXml, sourceOf } from '../call.ts';
import { type BucketDocuments, bucketAcl, documentsOf, ownerships } from '../documents.ts';
import { S3Error } from '../errors.ts';
import { readTags } from '../properties.ts';
import { type Child, document, element, leaf } from '../wire/xml.ts';
import { childOf, childrenOf, parseXml, textOf, type XmlElement } from '../wire/xml-parser.ts';
import { namesOf } from './listing.ts';

/** What a bucket is set to, read and written as S3's documents. */

export async function change(call: Call, changes: Parameters<typeof changeBucket>[4]): Promise<void> {
  const { id } = bucketOf(call);
  await call.deps.db
    .write((tx) => changeBucket(tx, call.deps, sourceOf(call), id, changes))
    .catch((thrown: unknown) => {
      if (thrown instanceof Problem && thrown.kind === 'conflict')
        throw new S3Error('InvalidBucketState', thrown.message);
      throw thrown;
    });
}

function changeDocuments(call: Call, documents: BucketDocuments): Promise<void> {
  return change(call, { documents: { ...documents } });
}

export async function getVersioning(call: Call): Promise<void> {
  const { versioning } = bucketOf(call);
  const status = { off: undefined, enabled: 'Enabled', suspended: 'Suspended' }[versioning];
  sendXml(call, document('VersioningConfiguration', leaf('Status', status)));
}

export async function putVersioning(call: Call): Promise<void> {
  const root = await readXml(call, 'VersioningConfiguration');
  const status = textOf(root, 'Status');
  if (textOf(root, 'MfaDelete') === 'Enabled')
    throw new S3Error('NotImplemented', 'MFA delete is not offered here.');
  if (status !== 'Enabled' && status !== 'Suspended')
    throw new S3Error('IllegalVersioningConfigurationException');
  await change(call, { versioning: status === 'Enabled' ? 'enabled' : 'suspended' });
  send(call, 200);
}

export async function getCors(call: Call): Promise<void> {
  const rules = JSON.parse(bucketOf(call).cors) as CorsRule[];
  if (rules.length === 0) throw new S3Error('NoSuchCORSConfiguration');
  const each = (name: string, values: readonly string[] = []) => values.map((value) => leaf(name, value));
  sendXml(
    call,
    document(
      'CORSConfiguration',
      ...rules.map((rule) =>
        element(
          'CORSRule',
          ...each('AllowedOrigin', rule.allowedOrigins),
          ...each('AllowedMethod', rule.allowedMethods),
          ...each('AllowedHeader', rule.allowedHeaders),
          ...each('ExposeHeader', rule.exposeHeaders),
          leaf('MaxAgeSeconds', rule.maxAgeSeconds),
        ),
      ),
    ),
  );
}

const corsMethods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'] as const;

export async function putCors(call: Call): Promise<void> {
  const root = await readXml(call, 'CORSConfiguration');
  const rules = childrenOf(root, 'CORSRule').map((rule): CorsRule => {
    const all = (name: string) => childrenOf(rule, name).map(({ text }) => text.trim());
    const allowedMethods = all('AllowedMethod').map((method) => {
      const known = corsMethods.find((one) => one === method);
      if (!known)
        throw new S3Error(
          'InvalidRequest',
          `Found unsupported HTTP method in CORS config. Unsupported method is ${method.slice(0, 32)}`,
        );
      return known;
    });
    const allowedOrigins = all('AllowedOrigin');
    const [allowedHeaders, exposeHeaders] = [all('AllowedHeader'), all('ExposeHeader')];
    if (allowedMethods.length === 0 || allowedOrigins.length === 0) throw new S3Error('MalformedXML');
    if ([...allowedOrigins, ...allowedHeaders].some((text) => text.split('*').length > 2))
      throw new S3Error(
        'InvalidRequest',
        'AllowedOrigin and AllowedHeader can not have more than one wildcard.',
      );
    const age = textOf(rule, 'MaxAgeSeconds');
    return {
      ...{ allowedOrigins, allowedMethods },
      ...(allowedHeaders.length > 0 ? { allowedHeaders } : {}),
      ...(exposeHeaders.length > 0 ? { exposeHeaders } : {}),
      ...(age !== undefined && /^\d{1,6}$/.test(age) ? { maxAgeSeconds: Math.min(86_400, Number(age)) } : {}),
    };
  });
  if (rules.length === 0 || rules.length > 100) throw new S3Error('MalformedXML');
  await change(call, { cors: rules });
  send(call, 200);
}

export async function deleteCors(call: Call): Promise<void> {
  await change(call, { cors: [] });
  send(call, 204);
}

export function tagsXml(tags: Readonly<Record<string, string>>): Child {
  const set = Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => element('Tag', leaf('Key', name), leaf('Value', value)));
  return element('TagSet', ...set);
}

export function readTagging(root: XmlElement, max: number): Record<string, string> {
  const set = childOf(root, 'TagSet');
  if (root.name !== 'Tagging' || !set) throw new S3Error('MalformedXML');
  const pairs = childrenOf(set, 'Tag').map((tag) => {
    const [key, value] = ['Key', 'Value'].map((name) => childOf(tag, name)?.text);
    if (key === undefined || value === undefined) throw new S3Error('MalformedXML');
    return [key, value] as const;
  });
  return readTags(pairs, max);
}

export async function getBucketTagging(call: Call): Promise<void> {
  const { tags } = documentsOf(bucketOf(call));
  if (!tags) throw new S3Error('NoSuchTagSet');
  sendXml(call, document('Tagging', tagsXml(tags)));
}

export async function putBucketTagging(call: Call): Promise<void> {
  const tags = readTagging(await readXml(call, 'Tagging'), 50);
  await changeDocuments(call, { tags });
  send(call, 204);
}

export async function deleteBucketTagging(call: Call): Promise<void> {
  await changeDocuments(call, { tags: undefined });
  send(call, 204);
}

export async function getPolicy(call: Call): Promise<void> {
  const { policy } = documentsOf(bucketOf(call));
  if (policy === undefined) throw new S3Error('NoSuchBucketPolicy');
  send(call, 200, { 'content-type': 'application/json' }, policy);
}

export async function putPolicy(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const policy = (await readDocument(call, { maxBytes: 21 * 1024 })).toString('utf8');
  const statements = parsePolicy(policy, bucket.slug);
  if (documentsOf(bucket).publicAccessBlock?.blockPublicPolicy && isPublicPolicy(statements))
    throw new S3Error(
      'AccessDenied',
      'Public policies are blocked by the public access block of the bucket.',
    );
  await changeDocuments(call, { policy });
  send(call, 204);
}

export async function deletePolicy(call: Call): Promise<void> {
  await changeDocuments(call, { policy: undefined });
  send(call, 204);
}

export async function getPolicyStatus(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const { policy } = documentsOf(bucket);
  const isPublic =
    bucket.visibility === 'public' ||
    isPublicAcl(bucketAcl(bucket)) ||
    (policy !== undefined && isPublicPolicy(parsePolicy(policy, bucket.slug)));
  sendXml(call, document('PolicyStatus', leaf('IsPublic', isPublic)));
}

const blocks = [
  ['BlockPublicAcls', 'blockPublicAcls'],
  ['IgnorePublicAcls', 'ignorePublicAcls'],
  ['BlockPublicPolicy', 'blockPublicPolicy'],
  ['RestrictPublicBuckets', 'restrictPublicBuckets'],
] as const;

export async function getPublicAccessBlock(call: Call): Promise<void> {
  const { publicAccessBlock } = documentsOf(bucketOf(call));
  if (!publicAccessBlock) throw new S3Error('NoSuchPublicAccessBlockConfiguration');
  sendXml(
    call,
    document(
      'PublicAccessBlockConfiguration',
      ...blocks.map(([name, field]) => leaf(name, publicAccessBlock[field])),
    ),
  );
}

export async function putPublicAccessBlock(call: Call): Promise<void> {
  const root = await readXml(call, 'PublicAccessBlockConfiguration');
  const read = (name: string) => textOf(root, name)?.toLowerCase() === 'true';
  await changeDocuments(call, {
    publicAccessBlock: {
      blockPublicAcls: read('BlockPublicAcls'),
      ignorePublicAcls: read('IgnorePublicAcls'),
      blockPublicPolicy: read('BlockPublicPolicy'),
      restrictPublicBuckets: read('RestrictPublicBuckets'),
    },
  });
  send(call, 200);
}

export async function deletePublicAccessBlock(call: Call): Promise<void> {
  await changeDocuments(call, { publicAccessBlock: undefined });
  send(call, 204);
}

export async function getOwnership(call: Call): Promise<void> {
  const { ownership } = documentsOf(bucketOf(call));
  if (!ownership) throw new S3Error('OwnershipControlsNotFoundError');
  sendXml(call, document('OwnershipControls', element('Rule', leaf('ObjectOwnership', ownership))));
}

export async function putOwnership(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const root = await readXml(call, 'OwnershipControls');
  const [rule, second] = childrenOf(root, 'Rule');
  const wanted = rule && textOf(rule, 'ObjectOwnership');
  const ownership = ownerships.find((one) => one === wanted);
  if (!ownership || second) throw new S3Error('MalformedXML');
  const isShared = bucketAcl(bucket).grants.some(
    ({ to }) => !('id' in to) || to.id !== bucket.application_id,
  );
  if (ownership === 'BucketOwnerEnforced' && isShared)
    throw new S3Error('InvalidBucketAclWithObjectOwnership');
  await changeDocuments(call, { ownership });
  send(call, 200);
}

export async function deleteOwnership(call: Call): Promise<void> {
  await changeDocuments(call, { ownership: undefined });
  send(call, 204);
}

export async function getEncryption(call: Call): Promise<void> {
  const { encryption } = documentsOf(bucketOf(call));
  if (!encryption) throw new S3Error('ServerSideEncryptionConfigurationNotFoundError');
  const by = element('ApplyServerSideEncryptionByDefault', leaf('SSEAlgorithm', encryption.algorithm));
  sendXml(
    call,
    document(
      'ServerSideEncryptionConfiguration',
      element('Rule', by, leaf('BucketKeyEnabled', encryption.bucketKey)),
    ),
  );
}

export async function putEncryption(call: Call): Promise<void> {
  const root = await readXml(call, 'ServerSideEncryptionConfiguration');
  const [rule, second] = childrenOf(root, 'Rule');
  const by = rule && childOf(rule, 'ApplyServerSideEncryptionByDefault');
  const algorithm = by && textOf(by, 'SSEAlgorithm');
  if (!rule || !by || second) throw new S3Error('MalformedXML');
  if (algorithm === 'aws:kms' || algorithm === 'aws:kms:dsse')
    throw new S3Error('NotImplemented', 'Encryption with KMS keys is not offered here.');
  if (algorithm !== 'AES256') throw new S3Error('MalformedXML');
  await changeDocuments(call, {
    encryption: { algorithm, bucketKey: textOf(rule, 'BucketKeyEnabled') === 'true' },
  });
  send(call, 200);
}

export async function deleteEncryption(call: Call): Promise<void> {
  await changeDocuments(call, { encryption: undefined });
  send(call, 204);
}

export async function getBucketAcl(call: Call): Promise<void> {
  const acl = bucketAcl(bucketOf(call));
  await sendAcl(call, acl);
}

export async function sendAcl(call: Call, acl: Acl): Promise<void> {
  const ids = acl.grants.flatMap(({ to }) => ('id' in to ? [to.id] : []));
  const names = await namesOf(call, [acl.owner, ...ids]);
  sendXml(
    call,
    document(
      'AccessControlPolicy',
      aclXml(acl, (id) => names.get(id) ?? ''),
    ),
  );
}

/** Of the headers, or of the body. */
export async function readAcl(call: Call, bucket: BucketRow, owner: string): Promise<Acl> {
  const bytes = await readDocument(call);
  const bucketOwner = bucket.application_id;
  const named = await aclOfHeaders(call.headers, { owner, bucketOwner, demandOwner: demandOwner(call) });
  if (named && bytes.length > 0) throw new S3Error('InvalidRequest', 'This request does not support content');
  const isEnforced = documentsOf(bucket).ownership === 'BucketOwnerEnforced';
  if (isEnforced && !saysNothing(call, bucket)) throw new S3Error('AccessControlListNotSupported');
  if (!named && bytes.length === 0)
    throw new S3Error('MissingSecurityHeader', 'Your request was missing a required header', {
      fields: { MissingHeaderName: 'x-amz-acl' },
    });
  const acl = named ?? (await aclOfXml(parseXml(bytes), demandOwner(call)));
  if (acl.owner !== owner) throw new S3Error('AccessDenied', 'An ACL cannot change the owner.');
  demandAllowed(bucket, acl);
  return acl;
}

export async function putBucketAcl(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const acl = await readAcl(call, bucket, bucketAcl(bucket).owner);
  await changeDocuments(call, { acl });
  send(call, 200);
}

export async function getObjectLock(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  if (bucket.object_lock !== 1) throw new S3Error('ObjectLockConfigurationNotFoundError');
  const { objectLock } = documentsOf(bucket);
  const rule =
    objectLock &&
    element(
      'Rule',
      element(
        'DefaultRetention',
        leaf('Mode', objectLock.mode),
        leaf('Days', objectLock.days),
        leaf('Years', objectLock.years),
      ),
    );
  sendXml(call, document('ObjectLockConfiguration', leaf('ObjectLockEnabled', 'Enabled'), rule));
}

export async function putObjectLock(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const root = await readXml(call, 'ObjectLockConfiguration');
  if (bucket.versioning !== 'enabled')
    throw new S3Error(
      'InvalidBucketState',
      "Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration",
    );
  if (textOf(root, 'ObjectLockEnabled') !== 'Enabled') throw new S3Error('MalformedXML');
  const rule = childOf(root, 'Rule');
  await change(call, { objectLock: true, documents: { objectLock: rule && readLockRule(rule) } });
  send(call, 200);
}

function readLockRule(rule: XmlElement): BucketDocuments['objectLock'] {
  const retention = childOf(rule, 'DefaultRetention');
  const [mode, days, years] = ['Mode', 'Days', 'Years'].map((name) => retention && textOf(retention, name));
  if ((mode !== 'GOVERNANCE' && mode !== 'COMPLIANCE') || (days === undefined) === (years === undefined))
    throw new S3Error('MalformedXML');
  const [count, max] = days !== undefined ? [Number(days), 36_500] : [Number(years), 100];
  if (!Number.isInteger(count)) throw new S3Error('MalformedXML');
  if (count < 1)
    throw new S3Error('InvalidRetentionPeriod', 'Default retention period must be a positive integer value.');
  if (count > max) throw new S3Error('InvalidRetentionPeriod', 'Default retention period is too large');
  return { mode, ...(days !== undefined ? { days: count } : { years: count }) };
}
