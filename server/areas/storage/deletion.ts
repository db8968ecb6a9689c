import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { emit } from './events.ts';
import { listLive } from './list-store.ts';
import {
  findLive,
  insertObject,
  listOthers,
  type ObjectRow,
  removeObject,
  updateObject,
} from './object-store.ts';
import { destroy, lockOf, supersede } from './objects.ts';
import { bucketQueue, charge, demandConditions, type StorageDeps } from './rules.ts';
import type { BucketRow, UsageChange } from './store.ts';

/** The ways out of a bucket: the trash and back, deletion as S3 knows it, and removal permanently. */

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

export interface FolderDeletion {
  deleted: number;
  /** Those that a retention or a legal hold keeps. */
  kept: number;
  /** The last key that was looked at; undefined: there are no more. */
  last: string | undefined;
}

/** Of one transaction: others write between. */
const trashedAtOnce = 200;

/**
 * Moves up to `limit` objects whose keys have the prefix to the trash, those above `after`, in the order of their keys.
 * `done` is told of each batch in its transaction.
 */
export async function trashPrefix(
  deps: StorageDeps,
  bucket: BucketRow,
  { prefix, after, limit }: { prefix: string; after: string | undefined; limit: number },
  done: (tx: Tx, deleted: number) => Promise<void>,
): Promise<FolderDeletion> {
  const found: FolderDeletion = { deleted: 0, kept: 0, last: after };
  for (let looked = 0; looked < limit; ) {
    const batch = await deps.db.write(async (tx) => {
      const wanted = Math.min(trashedAtOnce, limit - looked);
      const rows = await listLive(tx, bucket.id, { prefix, after: found.last, limit: wanted });
      const now = deps.clock.now();
      const free = rows.filter((row) => lockOf(row, now) === undefined);
      for (const row of free) await trashObject(tx, deps, bucket, row);
      if (free.length > 0) await done(tx, free.length);
      return { looked: rows.length, free: free.length, last: rows.at(-1)?.key, isEnd: rows.length < wanted };
    }, bucketQueue(bucket.id));
    looked += batch.looked;
    found.deleted += batch.free;
    found.kept += batch.looked - batch.free;
    found.last = batch.isEnd ? undefined : batch.last;
    if (batch.isEnd) break;
  }
  return found;
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
 * Deletes what a key holds, as S3 does: without versioning it goes to the trash (`toTrash`) or permanently; with it, a
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
 * Removes a version permanently, in whatever state it is. When it was the current one, the newest old version takes its
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
    const sentence = 'Another object now has this key. Delete or move it, then restore this one.';
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
