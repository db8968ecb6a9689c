import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { discardPieces, insertGarbage } from './blob-store.ts';
import { emit } from './events.ts';
import {
  findLive,
  findNullVersion,
  findPlace,
  insertCounted,
  insertInline,
  isContentShared,
  listOthers,
  type ObjectRow,
  removeObject,
  removeWithBlobs,
  replaceLive,
  updateObject,
} from './object-store.ts';
import { takeRenditions } from './rendition-store.ts';
import { bucketGone, bucketQueue, demandWithinQuota, type StorageDeps } from './rules.ts';
import type { BucketRow, UsageChange } from './store.ts';

/** What is said of an object beside its content and its type. Names of metadata and tags are the client's own. */
export interface ObjectAttributes {
  cacheControl?: string;
  contentDisposition?: string;
  contentEncoding?: string;
  contentLanguage?: string;
  expires?: string;
  metadata?: Record<string, string>;
  tags?: Record<string, string>;
  /** What only the S3 endpoint knows of: ACL, storage class, further checksums, parts, keys of customers, by name. */
  s3?: Record<string, unknown>;
}

export function attributesOf(row: { attributes: string }): ObjectAttributes {
  return JSON.parse(row.attributes) as ObjectAttributes;
}

/** The content of a new version: a blob, or pieces, or nothing at all. */
export interface NewContent {
  blob: string | null;
  contentId: string | null;
  size: number;
  encrypted: number;
  etag: string;
  sha1?: string | null | undefined;
  sha256?: string | null | undefined;
  md5?: string | null | undefined;
  /** Bytes of a small object, not encrypted yet: they are stored with the row. */
  inline?: Buffer | null | undefined;
}

export interface NewObject {
  key: string;
  content: NewContent;
  contentType: string | null;
  attributes: ObjectAttributes;
  /** Throws when what the key holds forbids the write. */
  demand?: ((live: ObjectRow | undefined) => void) | undefined;
  uploadSessionId?: string | null;
  retention?: { mode: 'GOVERNANCE' | 'COMPLIANCE'; until: number } | undefined;
  legalHold?: boolean | undefined;
  /** What the key holds, where it was read in this transaction already. */
  found?: { live: ObjectRow | undefined };
}

/** The bucket is versioned, which the caller did not know yet. */
class VersioningChanged extends Error {
  override name = 'VersioningChanged';
}

/** Makes content what a key holds, in a transaction of its own, under the rules of the bucket as they are at that moment. */
export async function storeObject(
  deps: StorageDeps,
  bucket: BucketRow,
  wanted: NewObject,
): Promise<ObjectRow> {
  const { db } = deps;
  const queue = bucketQueue(bucket.id);
  if (bucket.versioning === 'off') {
    try {
      return await db.write((tx) => replaceObject(tx, deps, bucket, wanted), queue);
    } catch (error) {
      if (!(error instanceof VersioningChanged)) throw error;
    }
  }
  return db.write(async (tx) => {
    const { bucket: present, live } = await findPlace(tx, bucket.id, wanted.key);
    if (!present) throw bucketGone();
    return putObject(tx, deps, present, { ...wanted, found: { live } });
  }, queue);
}

/**
 * Makes a version the one that its key holds. Without versioning the one before is removed; with it, it stays as an old
 * version. Run it in the bucket's queue, with the bucket as the transaction sees it.
 */
export async function putObject(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  wanted: NewObject,
): Promise<ObjectRow> {
  if (bucket.versioning === 'off') return replaceObject(tx, deps, bucket, wanted);
  const { key, content } = wanted;
  const { live } = wanted.found ?? { live: await findLive(tx, bucket.id, key) };
  wanted.demand?.(live);
  const change: Required<Pick<UsageChange, 'live_objects' | 'live_bytes' | 'old_objects' | 'old_bytes'>> = {
    ...{ live_objects: 1, live_bytes: content.size, old_objects: 0, old_bytes: 0 },
  };
  await supersede(tx, deps, bucket, { key, live, change, contentId: content.contentId });
  const row = newRow(deps, bucket, wanted);
  demandWithinQuota(deps, bucket, change, await insertCounted(tx, row, change));
  if (content.inline) await insertInline(tx, row.id, deps.contents.sealInline(bucket, row, content.inline));
  await emit(tx, deps, bucket, 'object.created', row);
  return row;
}

/** The same in a bucket without versioning, which the transaction sees by itself. */
async function replaceObject(
  tx: Tx,
  deps: StorageDeps,
  known: BucketRow,
  wanted: NewObject,
): Promise<ObjectRow> {
  const { clock, contents, limits } = deps;
  const { content } = wanted;
  const row = newRow(deps, known, wanted);
  const dueAt = clock.now() + limits.garbageSeconds * 1000;
  const { bucket, live, usage } = await replaceLive(tx, row, {
    inline: content.inline ? contents.sealInline(known, row, content.inline) : undefined,
    dueAt,
  });
  if (!bucket) throw bucketGone();
  if (bucket.versioning !== 'off') throw new VersioningChanged();
  wanted.demand?.(live);
  const change = { live_objects: live ? 0 : 1, live_bytes: content.size - (live?.content_length ?? 0) };
  demandWithinQuota(deps, bucket, change, usage);
  if (live?.content_id && !(await isContentShared(tx, live.content_id)))
    await discardPieces(tx, live.content_id, dueAt);
  await emit(tx, deps, bucket, 'object.created', row);
  return row;
}

function newRow({ clock }: StorageDeps, bucket: BucketRow, wanted: NewObject): ObjectRow {
  const { key, content } = wanted;
  const now = clock.now();
  return {
    id: newId(now),
    bucket_id: bucket.id,
    key,
    state: 'live',
    delete_marker: 0,
    null_version: bucket.versioning === 'enabled' ? 0 : 1,
    content_type: wanted.contentType,
    content_length: content.size,
    etag: content.etag,
    checksum_sha1: content.sha1 ?? null,
    checksum_sha256: content.sha256 ?? null,
    checksum_md5: content.md5 ?? null,
    blob: content.blob,
    content_id: content.contentId,
    encrypted: content.encrypted,
    attributes: JSON.stringify(wanted.attributes),
    retain_until: wanted.retention?.until ?? null,
    retention_mode: wanted.retention?.mode ?? null,
    legal_hold: wanted.legalHold ? 1 : 0,
    upload_session_id: wanted.uploadSessionId ?? null,
    uploaded_at: now,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
}

/** Makes room for a new current version of a key of a versioned bucket: makes an old version of what it replaces. */
export async function supersede(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  at: {
    key: string;
    live: ObjectRow | undefined;
    /** Of the new version: a copy onto itself uses what it replaces. */
    contentId?: string | null;
    change: Required<Pick<UsageChange, 'live_objects' | 'live_bytes' | 'old_objects' | 'old_bytes'>>;
  },
): Promise<void> {
  const { key, live, change, contentId } = at;
  if (live) {
    change.live_objects--;
    change.live_bytes -= live.content_length;
  }
  const current = live ?? (await listOthers(tx, bucket.id, key, 'marker', 1))[0];
  // The version called null is the one that a write into a suspended bucket replaces.
  const replaced = bucket.versioning === 'suspended' ? await findNullVersion(tx, bucket.id, key) : undefined;
  if (replaced) {
    await destroy(tx, deps, replaced, contentId);
    if (replaced.state !== 'live') {
      change.old_objects--;
      change.old_bytes -= replaced.content_length;
    }
  }
  if (current && current.id !== replaced?.id) {
    // From now on it is old: lifecycle rules count from here.
    await updateObject(tx, current.id, { state: 'old', updated_at: deps.clock.now() });
    if (live) {
      change.old_objects++;
      change.old_bytes += live.content_length;
    }
  }
}

/** Removes a version's row and hands its blobs to the sweeper, except those of a content that is kept; counts nothing. */
export async function destroy(
  tx: Tx,
  { clock, limits }: StorageDeps,
  row: ObjectRow,
  keptContentId: string | null = null,
): Promise<void> {
  const renditions = row.content_type?.startsWith('image/') ? await takeRenditions(tx, row.id) : [];
  const dueAt = clock.now() + limits.garbageSeconds * 1000;
  if (row.blob !== null) {
    await removeWithBlobs(tx, row.id, [...renditions, row.blob], dueAt);
    return;
  }
  await removeObject(tx, row.id);
  await insertGarbage(tx, renditions, dueAt);
  const { content_id: contentId } = row;
  if (contentId !== null && contentId !== keptContentId && !(await isContentShared(tx, contentId)))
    await discardPieces(tx, contentId, dueAt);
}

/** Why a version may not be removed now; undefined: nothing holds it. */
export function lockOf(row: ObjectRow, now: number, bypassGovernance = false): string | undefined {
  if (row.legal_hold) return 'The object is under a legal hold.';
  const isRetained = row.retain_until !== null && row.retain_until > now;
  if (!isRetained || (bypassGovernance && row.retention_mode === 'GOVERNANCE')) return undefined;
  return `The object is retained until ${new Date(row.retain_until as number).toISOString()}.`;
}
