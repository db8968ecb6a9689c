import {
  attributesOf,
  type BucketRow,
  findNullVersion,
  findObject,
  findReadable,
  type ObjectRow,
} from '#areas/storage/service.ts';
import { isId } from '#core/ids.ts';
import type { Call } from '../call.ts';
import { bucketAcl, documentsOf, objectAcl } from '../documents.ts';
import { S3Error } from '../errors.ts';
import { readQuery } from '../wire/target.ts';
import { grants, type Permission } from './acl.ts';
import { decide, isPublicPolicy, parsePolicy, type Statement } from './policy.ts';

/** Who may do what. */

export interface Asked {
  /** Of policies: `s3:GetObject`. */
  action: string;
  /** What an ACL can grant it by; undefined: none can. */
  acl?: { of: 'bucket' | 'object'; permission: Permission } | undefined;
  /** Whether it changes anything. */
  writes: boolean;
  bucket: BucketRow;
  key?: string | undefined;
  versionId?: string | undefined;
  /** Of a list. */
  prefix?: string | undefined;
}

export function denied(sentence?: string): S3Error {
  return new S3Error('AccessDenied', sentence);
}

/** Whether the bucket is the caller's own: of its application, in the environment of its credential. */
export function isOwner(call: Call, bucket: BucketRow): boolean {
  const credential = call.auth?.signer;
  return (
    credential !== undefined &&
    credential.applicationId === bucket.application_id &&
    credential.environmentId === bucket.environment_id
  );
}

/** Whom policies and ACLs see: another environment of the same application is as good as nobody. */
function callerOf(call: Call, bucket: BucketRow, own: boolean): string | undefined {
  return call.who === bucket.application_id && !own ? undefined : call.who;
}

/** Throws `AccessDenied` unless the caller may; before anything of the body is read. */
export async function authorize(call: Call, asked: Asked): Promise<void> {
  demandWithin(call, asked);
  const { bucket } = asked;
  const documents = documentsOf(bucket);
  const own = isOwner(call, bucket);
  const who = callerOf(call, bucket, own);
  // Else a policy that shuts out its owner could never be taken back.
  const isOwnersAlways = own && /^s3:(Get|Put|Delete)BucketPolicy$/.test(asked.action);
  const statements = documents.policy === undefined ? [] : statementsOf(bucket, documents.policy);
  if (statements.length === 0 ? own : isOwnersAlways) return;
  const object = await objectFor(call, asked, own, statements);
  const decision = statements.length > 0 ? decide(statements, question(call, asked, object, who)) : undefined;
  if (decision === 'Deny') throw denied();
  if (own) return;
  const block = documents.publicAccessBlock;
  const isShut = block?.restrictPublicBuckets && isPublicPolicy(statements);
  if (decision === 'Allow' && !isShut) return;
  if (isPublicRead(asked)) return;
  const { acl } = asked;
  const ignorePublic = block?.ignorePublicAcls ?? false;
  const isEnforced = documents.ownership === 'BucketOwnerEnforced';
  if (acl && !isEnforced) {
    const list = acl.of === 'bucket' ? bucketAcl(bucket) : object ? objectAcl(object, bucket) : undefined;
    const isObjectOwner = acl.of === 'object' && who !== undefined && list?.owner === who;
    if (list && (isObjectOwner || grants(list, who, acl.permission, ignorePublic))) return;
  }
  throw denied();
}

/** What the console calls a public bucket: everybody reads its objects, nobody else lists them. */
function isPublicRead({ bucket, action }: Asked): boolean {
  return bucket.visibility === 'public' && action === 's3:GetObject';
}

/** The bounds of the credential itself. */
function demandWithin(call: Call, { bucket, key, prefix, writes, action }: Asked): void {
  const credential = call.auth?.signer;
  if (!credential) return;
  if (writes && credential.access === 'read') throw denied('The credential is read-only.');
  if (credential.bucketId !== null && credential.bucketId !== bucket.id)
    throw denied('The credential is limited to another bucket.');
  const { prefix: bound } = credential;
  if (bound === null || /^s3:(HeadBucket|GetBucketLocation|GetBucketVersioning)$/.test(action)) return;
  if (!(key ?? prefix ?? '').startsWith(bound)) throw denied('The credential is limited to other keys.');
  if (key === undefined && prefix === undefined)
    throw denied('The credential is limited to keys with its prefix.');
}

const parsed = new WeakMap<BucketRow, Statement[]>();

function statementsOf(bucket: BucketRow, text: string): Statement[] {
  let statements = parsed.get(bucket);
  if (!statements) {
    statements = parsePolicy(text, bucket.slug);
    parsed.set(bucket, statements);
  }
  return statements;
}

/** The object, where its ACL or its tags may matter. */
async function objectFor(
  call: Call,
  { key, bucket, versionId, acl }: Asked,
  own: boolean,
  statements: readonly Statement[],
): Promise<ObjectRow | undefined> {
  if (key === undefined) return undefined;
  const byTags = statements.some(({ conditions }) =>
    conditions.some((condition) => condition.key.toLowerCase().startsWith('s3:existingobjecttag/')),
  );
  if (!byTags && (own || acl?.of !== 'object')) return undefined;
  return findVersion(call, bucket, key, versionId);
}

/** The version that a request names, or what the key holds; never one in the trash, or of another key. */
export async function findVersion(
  { deps }: Call,
  bucket: BucketRow,
  key: string,
  versionId: string | undefined,
): Promise<ObjectRow | undefined> {
  if (versionId === undefined) return findReadable(deps.db, bucket.id, key);
  if (versionId === 'null') return findNullVersion(deps.db, bucket.id, key);
  if (!isId(versionId))
    throw new S3Error('InvalidArgument', 'Invalid version id specified', {
      fields: { ArgumentName: 'versionId', ArgumentValue: versionId.slice(0, 64) },
    });
  const found = await findObject(deps.db, bucket.id, versionId.toLowerCase());
  return found && found.key === key && found.state !== 'trash' && !found.null_version ? found : undefined;
}

function question(call: Call, asked: Asked, object: ObjectRow | undefined, who: string | undefined) {
  const { bucket, key, action } = asked;
  const resource = `arn:aws:s3:::${bucket.slug}${key === undefined ? '' : `/${key}`}`;
  return { action, resource, who, valuesOf: (name: string) => valuesOf(call, asked, object, name) };
}

function valuesOf(
  call: Call,
  asked: Asked,
  object: ObjectRow | undefined,
  name: string,
): string[] | undefined {
  const { headers, target, auth, deps } = call;
  const lower = name.toLowerCase();
  const one = (value: string | string[] | undefined) => (value === undefined ? undefined : [String(value)]);
  switch (lower) {
    case 'aws:sourceip':
      return [call.address];
    case 'aws:referer':
      return one(headers.referer);
    case 'aws:useragent':
      return one(headers['user-agent']);
    case 'aws:securetransport':
      return [String('encrypted' in call.request.socket)];
    case 'aws:currenttime':
      return [new Date(deps.clock.now()).toISOString()];
    case 'aws:epochtime':
      return [String(Math.floor(deps.clock.now() / 1000))];
    case 'aws:principalaccount':
      return one(call.who);
    case 's3:prefix':
      return one(asked.prefix);
    case 's3:delimiter':
    case 's3:max-keys':
      return one(target.query.get(lower.slice(3)));
    case 's3:versionid':
      return one(asked.versionId);
    case 's3:signatureversion':
      return auth ? ['AWS4-HMAC-SHA256'] : undefined;
    case 's3:signatureage':
      return auth ? [String(auth.age)] : undefined;
    case 's3:authtype':
      return auth ? [auth.presigned ? 'REST-QUERY-STRING' : 'REST-HEADER'] : undefined;
    case 's3:x-amz-copy-source':
      return one(headers['x-amz-copy-source'])?.map((source) => safeDecode(source).replace(/^\//, ''));
  }
  if (lower.startsWith('s3:x-amz-')) return one(headers[lower.slice(3)]);
  if (lower.startsWith('s3:object-lock-')) return one(headers[`x-amz-${lower.slice(3)}`]);
  if (lower.startsWith('s3:existingobjecttag/')) {
    const tags = object ? attributesOf(object).tags : undefined;
    const tag = name.slice('s3:ExistingObjectTag/'.length);
    return tags && Object.hasOwn(tags, tag) ? [tags[tag] as string] : undefined;
  }
  const given = readQuery(String(headers['x-amz-tagging'] ?? '').slice(0, 16_384));
  if (lower.startsWith('s3:requestobjecttag/'))
    return one(given.get(name.slice('s3:RequestObjectTag/'.length)));
  if (lower === 's3:requestobjecttagkeys') return given.pairs.map(([tag]) => tag);
  return undefined;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
