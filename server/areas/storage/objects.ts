import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { emit } from './events.ts';
import {
  discardPieces,
  findLive,
  findNullVersion,
  insertGarbage,
  insertObject,
  isContentShared,
  listOthers,
  type ObjectRow,
  removeObject,
  updateObject,
} from './object-store.ts';
import { takeRenditions } from './rendition-store.ts';
import { charge, demandConditions, type StorageDeps, type WriteConditions } from './rules.ts';
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
}

export interface NewObject {
  key: string;
  content: NewContent;
  contentType: string | null;
  attributes: ObjectAttributes;
  conditions?: WriteConditions | undefined;
  uploadSessionId?: string | null;
  retention?: { mode: 'GOVERNANCE' | 'COMPLIANCE'; until: number } | undefined;
  legalHold?: boolean | undefined;
}

/**
 * Makes a version the one that its key holds. Without versioning the one before is removed; with it, it stays as an old
 * version. Run it in the bucket's queue.
 */
export async function putObject(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  wanted: NewObject,
): Promise<ObjectRow> {
  const { key, content } = wanted;
  const live = await findLive(tx, bucket.id, key);
  demandConditions(wanted.conditions ?? {}, live?.etag);
  const change: Required<Pick<UsageChange, 'live_objects' | 'live_bytes' | 'old_objects' | 'old_bytes'>> = {
    ...{ live_objects: 1, live_bytes: content.size, old_objects: 0, old_bytes: 0 },
  };
  await supersede(tx, deps, bucket, { key, live, change });
  const now = deps.clock.now();
  const row: ObjectRow = {
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
  await insertObject(tx, row);
  await charge(tx, deps, bucket, change);
  await emit(tx, deps, bucket, 'object.created', row);
  return row;
}

/** Makes room for a new current version of a key: removes what it replaces, or makes an old version of it. */
async function supersede(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  at: {
    key: string;
    live: ObjectRow | undefined;
    change: Required<Pick<UsageChange, 'live_objects' | 'live_bytes' | 'old_objects' | 'old_bytes'>>;
  },
): Promise<void> {
  const { key, live, change } = at;
  if (live) {
    change.live_objects--;
    change.live_bytes -= live.content_length;
  }
  if (bucket.versioning === 'off') {
    if (live) await destroy(tx, deps, live);
    return;
  }
  const current = live ?? (await listOthers(tx, bucket.id, key, 'marker', 1))[0];
  // The version called null is the one that a write into a suspended bucket replaces.
  const replaced = bucket.versioning === 'suspended' ? await findNullVersion(tx, bucket.id, key) : undefined;
  if (replaced) {
    await destroy(tx, deps, replaced);
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

/** Removes a version's row and hands its blobs to the sweeper; counts nothing. */
export async function destroy(tx: Tx, { clock, limits }: StorageDeps, row: ObjectRow): Promise<void> {
  const renditions = row.content_type?.startsWith('image/') ? await takeRenditions(tx, row.id) : [];
  await removeObject(tx, row.id);
  const dueAt = clock.now() + limits.garbageSeconds * 1000;
  await insertGarbage(tx, renditions, dueAt);
  if (row.blob !== null) await insertGarbage(tx, [row.blob], dueAt);
  else if (row.content_id !== null && !(await isContentShared(tx, row.content_id)))
    await discardPieces(tx, row.content_id, dueAt);
}

/** Why a version may not be removed now; undefined: nothing holds it. */
export function lockOf(row: ObjectRow, now: number, bypassGovernance = false): string | undefined {
  if (row.legal_hold) return 'The object is under a legal hold.';
  const isRetained = row.retain_until !== null && row.retain_until > now;
  if (!isRetained || (bypassGovernance && row.retention_mode === 'GOVERNANCE')) return undefined;
  return `The object is retained until ${new Date(row.retain_until as number).toISOString()}.`;
}

function demandUnlocked(row: ObjectRow, now: number, bypassGovernance: boolean): void {
  const lock = lockOf(row, now, bypassGovernance);
  if (lock) throw new Problem('forbidden', lock);
}

/**
 * Moves what a key holds to the trash, where it keeps its id. In a versioned bucket a delete marker takes its place, so
 * that no older version appears.
 */
export async function trashObject(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  row: ObjectRow,
): Promise<void> {
  const now = deps.clock.now();
  demandUnlocked(row, now, false);
  await updateObject(tx, row.id, { state: 'trash', deleted_at: now, updated_at: now });
  const { content_length: size } = row;
  await charge(tx, deps, bucket, {
    ...{ live_objects: -1, live_bytes: -size, trash_objects: 1, trash_bytes: size },
  });
  if (bucket.versioning !== 'off') await addMarker(tx, deps, bucket, row.key);
  await emit(tx, deps, bucket, 'object.deleted', row);
}

/** A delete marker as the current version of a key that has no live one. */
async function addMarker(tx: Tx, deps: StorageDeps, bucket: BucketRow, key: string): Promise<ObjectRow> {
  const now = deps.clock.now();
  const change = { live_objects: 0, live_bytes: 0, old_objects: 1, old_bytes: 0 };
  await supersede(tx, deps, bucket, { key, live: undefined, change });
  const row: ObjectRow = {
    ...{ id: newId(now), bucket_id: bucket.id, key, state: 'marker', delete_marker: 1 },
    null_version: bucket.versioning === 'enabled' ? 0 : 1,
    ...{ content_type: null, content_length: 0, etag: '', blob: null, content_id: null, encrypted: 0 },
    ...{ checksum_sha1: null, checksum_sha256: null, checksum_md5: null, attributes: '{}' },
    ...{ retain_until: null, retention_mode: null, legal_hold: 0, upload_session_id: null },
    ...{ uploaded_at: now, created_at: now, updated_at: now, deleted_at: null },
  };
  await insertObject(tx, row);
  await charge(tx, deps, bucket, change);
  return row;
}

export interface Deletion {
  /** What was deleted, or the marker that was made; undefined: there was nothing. */
  row: ObjectRow | undefined;
  markerMade: boolean;
}

/**
 * Deletes what a key holds, as S3 does: without versioning it goes to the trash (`toTrash`) or for good; with it, a
 * marker is made even where there is nothing.
 */
export async function deleteKey(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  key: string,
  options: { toTrash: boolean; ifMatch?: readonly string[] | '*' | undefined },
): Promise<Deletion> {
  const live = await findLive(tx, bucket.id, key);
  if (options.ifMatch !== undefined && live) demandConditions({ ifMatch: options.ifMatch }, live.etag);
  if (bucket.versioning === 'off') {
    if (!live) return { row: undefined, markerMade: false };
    if (options.toTrash) await trashObject(tx, deps, bucket, live);
    else await purgeObject(tx, deps, bucket, live);
    return { row: live, markerMade: false };
  }
  const change = { live_objects: 0, live_bytes: 0, old_objects: 0, old_bytes: 0 };
  if (live) {
    await supersede(tx, deps, bucket, { key, live, change });
    await charge(tx, deps, bucket, change);
    await emit(tx, deps, bucket, 'object.deleted', live);
  }
  return { row: await addMarker(tx, deps, bucket, key), markerMade: true };
}

/**
 * Removes a version for good, in whatever state it is. When it was the current one, the newest old version takes its
 * place, as over S3.
 */
export async function purgeObject(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  row: ObjectRow,
  options: { bypassGovernance?: boolean } = {},
): Promise<void> {
  demandUnlocked(row, deps.clock.now(), options.bypassGovernance ?? false);
  await destroy(tx, deps, row);
  const size = row.content_length;
  const change: UsageChange =
    row.state === 'live'
      ? { live_objects: -1, live_bytes: -size }
      : row.state === 'trash'
        ? { trash_objects: -1, trash_bytes: -size }
        : { old_objects: -1, old_bytes: -size };
  await charge(tx, deps, bucket, change);
  if (row.state === 'live') await emit(tx, deps, bucket, 'object.deleted', row);
  if (row.state === 'live' || row.state === 'marker') await promote(tx, deps, bucket, row.key);
}

async function promote(tx: Tx, deps: StorageDeps, bucket: BucketRow, key: string): Promise<void> {
  const [newest] = await listOthers(tx, bucket.id, key, 'old', 1);
  if (!newest) return;
  if (newest.delete_marker) {
    await updateObject(tx, newest.id, { state: 'marker' });
    return;
  }
  await updateObject(tx, newest.id, { state: 'live' });
  const size = newest.content_length;
  const change = { live_objects: 1, live_bytes: size, old_objects: -1, old_bytes: -size };
  await charge(tx, deps, bucket, change);
}

/** Takes an object out of the trash. 409 when its key holds another one meanwhile. */
export async function restoreObject(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  row: ObjectRow,
): Promise<ObjectRow> {
  if (await findLive(tx, bucket.id, row.key)) {
    const sentence = 'Another object has this key now. Delete or move it, then restore this one.';
    throw new Problem('conflict', sentence);
  }
  const [marker] = await listOthers(tx, bucket.id, row.key, 'marker', 1);
  const size = row.content_length;
  const change: UsageChange = {
    ...{ live_objects: 1, live_bytes: size, trash_objects: -1, trash_bytes: -size },
  };
  // Its deletion is undone, so the marker of it goes too.
  if (marker) {
    await removeObject(tx, marker.id);
    change.old_objects = -1;
  }
  const now = deps.clock.now();
  const changes = { state: 'live' as const, deleted_at: null, updated_at: now };
  await updateObject(tx, row.id, changes);
  await charge(tx, deps, bucket, change);
  const restored = { ...row, ...changes };
  await emit(tx, deps, bucket, 'object.created', restored);
  return restored;
}
