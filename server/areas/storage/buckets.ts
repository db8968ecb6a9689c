import { randomBytes } from 'node:crypto';
import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { Cached } from '#core/cached.ts';
import { counted } from '#core/counted.ts';
import type { Db, Tx } from '#core/db.ts';
import { isId, newId } from '#core/ids.ts';
import type { Maybe } from '#core/maybe.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { freeSlug } from '#core/slug.ts';
import { bucketGone, type StorageDeps, totals } from './rules.ts';
import type { CorsRule, LifecycleRule } from './schema.ts';
import {
  type BucketRow,
  countBuckets,
  findBucket,
  findBucketByName,
  findBucketBySlug,
  findUsage,
  insertBucket,
  moveBucketsTo,
  updateBucket,
} from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: bucket id, or that of the application whose buckets have changed. */
    storage_bucket: true;
  }
}

const bucketTopic = 'storage_bucket';

/** Buckets by the names that requests give, from memory where it can be. */
export class Buckets {
  readonly #byName: Cached<BucketRow | null>;
  readonly #bySlug: Cached<BucketRow | null>;

  constructor({ db, max }: { db: Db; max: number }) {
    const common = {
      notifications: db.notifications,
      max,
      topics: [],
      sweepingTopics: [bucketTopic] as const,
    };
    this.#byName = new Cached<BucketRow | null>({
      ...common,
      async load(key) {
        const at = key.indexOf('/');
        if (at < 0) return (await findBucket(db, key)) ?? null;
        return (await findBucketByName(db, key.slice(0, at), key.slice(at + 1))) ?? null;
      },
    });
    this.#bySlug = new Cached<BucketRow | null>({
      ...common,
      load: async (slug) => (await findBucketBySlug(db, slug)) ?? null,
    });
  }

  byName(environmentId: string, name: string): Maybe<BucketRow | null> {
    return this.#byName.get(`${environmentId}/${name}`);
  }

  byId(id: string): Maybe<BucketRow | null> {
    return isId(id) ? this.#byName.get(id.toLowerCase()) : null;
  }

  /** The bucket of that name over S3 and in addresses; null when there is none. */
  bySlug(slug: string): Maybe<BucketRow | null> {
    return this.#bySlug.get(slug);
  }
}

export interface NewBucket {
  organizationId: string;
  applicationId: string;
  environmentId: string;
  name: string;
  visibility: 'public' | 'private';
  /** Exactly this one, as S3's CreateBucket demands; absent: the name, or one like it that is free. */
  slug?: string;
  objectLock?: boolean;
  documents?: Record<string, unknown>;
}

/** Makes a bucket. Its name has been checked: see names.ts. 409 when the environment has one of that name. */
export async function createBucket(
  tx: Tx,
  deps: StorageDeps,
  source: AuditSource,
  wanted: NewBucket,
): Promise<BucketRow> {
  const { applicationId, environmentId, name } = wanted;
  const { clock, contents, limits } = deps;
  if (await findBucketByName(tx, environmentId, name)) {
    throw new Problem('conflict', `The environment has a bucket called "${name}" already.`);
  }
  const count = await countBuckets(tx, { applicationId });
  if (count >= limits.buckets) {
    const sentence = `The application has ${counted(count, 'bucket')}, and ${limits.buckets} is the limit. Delete some first.`;
    throw new Problem('forbidden', sentence);
  }
  const isTaken = async (slug: string) => (await findBucketBySlug(tx, slug)) !== undefined;
  if (wanted.slug !== undefined && (await isTaken(wanted.slug))) {
    throw new Problem('conflict', `The bucket name "${wanted.slug}" is taken.`);
  }
  const now = clock.now();
  const id = newId(now);
  const row: BucketRow = {
    id,
    organization_id: wanted.organizationId,
    application_id: applicationId,
    environment_id: environmentId,
    name,
    slug: wanted.slug ?? (await slugFor(name, isTaken)),
    visibility: wanted.visibility,
    versioning: wanted.objectLock ? 'enabled' : 'off',
    data_key: contents.sealKey(id, randomBytes(32)),
    quota_bytes: null,
    quota_objects: null,
    cache_control: null,
    cors: '[]',
    lifecycle: '[]',
    webhook_url: null,
    webhook_secret: null,
    object_lock: wanted.objectLock ? 1 : 0,
    documents: JSON.stringify(wanted.documents ?? {}),
    swept_at: now,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
  await insertBucket(tx, row);
  announce(tx, bucketTopic, id);
  const { visibility, slug } = row;
  await auditBucket(tx, source, row, 'created', { name, slug, visibility, environmentId });
  return row;
}

/** The name itself when nobody has it, else one like it of at most 63 characters. */
async function slugFor(name: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  if (!(await isTaken(name))) return name;
  return freeSlug(name.slice(0, 54).replace(/[-.]+$/, ''), isTaken);
}

export interface BucketChanges {
  visibility?: 'public' | 'private' | undefined;
  versioning?: 'enabled' | 'suspended' | undefined;
  quotaBytes?: number | null | undefined;
  quotaObjects?: number | null | undefined;
  cacheControl?: string | null | undefined;
  cors?: readonly CorsRule[] | undefined;
  lifecycle?: readonly LifecycleRule[] | undefined;
  webhookUrl?: string | null | undefined;
  /** What only the S3 endpoint knows of; `undefined` as a value removes a document. */
  documents?: Record<string, unknown> | undefined;
  objectLock?: boolean | undefined;
}

/** Changes what is given, reading the row anew. Returns it as it is now. */
export async function changeBucket(
  tx: Tx,
  deps: StorageDeps,
  source: AuditSource,
  id: string,
  changes: BucketChanges,
): Promise<BucketRow> {
  const { clock } = deps;
  const before = await findBucket(tx, id);
  if (!before) throw bucketGone();
  const after: BucketRow = {
    ...before,
    visibility: changes.visibility ?? before.visibility,
    versioning: changes.versioning ?? before.versioning,
    quota_bytes: changes.quotaBytes === undefined ? before.quota_bytes : changes.quotaBytes,
    quota_objects: changes.quotaObjects === undefined ? before.quota_objects : changes.quotaObjects,
    cache_control: changes.cacheControl === undefined ? before.cache_control : changes.cacheControl,
    cors: changes.cors ? JSON.stringify(changes.cors) : before.cors,
    lifecycle: changes.lifecycle ? JSON.stringify(changes.lifecycle) : before.lifecycle,
    webhook_url: changes.webhookUrl === undefined ? before.webhook_url : changes.webhookUrl,
    documents: changes.documents
      ? JSON.stringify({ ...(JSON.parse(before.documents) as object), ...changes.documents })
      : before.documents,
    object_lock: changes.objectLock === undefined ? before.object_lock : changes.objectLock ? 1 : 0,
  };
  const compared = [
    ...['visibility', 'versioning', 'quota_bytes', 'quota_objects', 'cache_control', 'cors', 'lifecycle'],
    ...['webhook_url', 'documents', 'object_lock'],
  ] as (keyof BucketRow)[];
  const changed = compared.filter((column) => before[column] !== after[column]);
  if (changed.length === 0) return before;
  if (after.versioning === 'suspended' && after.object_lock === 1) {
    throw new Problem('conflict', 'A bucket with object lock keeps its versions.');
  }
  after.updated_at = clock.now();
  const set = Object.fromEntries(
    [...changed, 'updated_at' as const].map((column) => [column, after[column]]),
  );
  await updateBucket(tx, id, set as Partial<BucketRow>);
  announce(tx, bucketTopic, id);
  // What the rules say is the client's own; who can read the bucket is what matters in the log.
  const { visibility, versioning } = after;
  await auditBucket(tx, source, after, 'updated', { changed, visibility, versioning });
  return after;
}

/** Gives the webhook a new secret and returns it, to be shown once. */
export async function rotateWebhookSecret(
  tx: Tx,
  deps: StorageDeps,
  source: AuditSource,
  id: string,
): Promise<string> {
  const bucket = await findBucket(tx, id);
  if (!bucket) throw bucketGone();
  const secret = `whsec_${randomBytes(32).toString('base64url')}`;
  const sealed = deps.contents.sealWebhookSecret(id, secret);
  await updateBucket(tx, id, { webhook_secret: sealed, updated_at: deps.clock.now() });
  announce(tx, bucketTopic, id);
  await auditBucket(tx, source, bucket, 'webhook_secret_rotated', {});
  return secret;
}

/**
 * Takes a bucket away at once; a sweeper removes what was in it. `onlyIfEmpty` refuses with 409 while anything is in it
 * that was not deleted, or could be restored.
 */
export async function deleteBucket(
  tx: Tx,
  deps: StorageDeps,
  source: AuditSource,
  id: string,
  { onlyIfEmpty }: { onlyIfEmpty: boolean },
): Promise<void> {
  const bucket = await findBucket(tx, id);
  if (!bucket) throw bucketGone();
  const usage = await findUsage(tx, id);
  const held = usage ? { ...totals(usage) } : { bytes: 0, objects: 0 };
  if (onlyIfEmpty && held.objects - (usage?.uploads ?? 0) > 0) {
    throw new Problem('conflict', 'The bucket is not empty: objects, old versions or trash are in it.');
  }
  if (bucket.object_lock === 1 && held.objects > 0) {
    const sentence =
      'The bucket has object lock. Delete its objects first, as far as their retention allows.';
    throw new Problem('conflict', sentence);
  }
  const now = deps.clock.now();
  // Its names are free at once.
  await updateBucket(tx, id, { deleted_at: now, updated_at: now, name: id, slug: id });
  announce(tx, bucketTopic, id);
  await auditBucket(tx, source, bucket, 'deleted', { name: bucket.name, ...held });
}

/** The application belongs to another organization now. */
export async function moveBuckets(tx: Tx, applicationId: string, organizationId: string): Promise<void> {
  await moveBucketsTo(tx, applicationId, organizationId);
  announce(tx, bucketTopic, applicationId);
}

export function auditBucket(
  tx: Tx,
  source: AuditSource,
  bucket: BucketRow,
  what: ActionOf<'storage_bucket'>,
  details: Record<string, unknown>,
): Promise<void> {
  return audit(tx, source, {
    organizationId: bucket.organization_id,
    action: `storage_bucket.${what}`,
    targetType: 'storage_bucket',
    targetId: bucket.id,
    details: { ...details, applicationId: bucket.application_id },
  });
}
