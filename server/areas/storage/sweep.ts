import { type Blobs, blobNameAt } from '#core/blobs.ts';
import type { Db } from '#core/db.ts';
import {
  awaitingDeletion,
  discardPieces,
  dueGarbage,
  insertGarbage,
  referenced,
  removeGarbage,
} from './blob-store.ts';
import { purgeObject } from './deletion.ts';
import { anyObjects, findObject, listTrashedBefore } from './object-store.ts';
import { destroy, lockOf } from './objects.ts';
import { bucketQueue, type StorageDeps } from './rules.ts';
import { findBucket, listRemovableBuckets, markDeleted, removeBucket } from './store.ts';
import { anyUploads, findUpload, listExpired, removeUpload } from './upload-store.ts';
import { closeUpload, isOpen } from './uploads.ts';

/** What is removed behind everybody's back. Each of these may run on two nodes at once and be cut off anywhere. */

const batch = 500;
/** How long a session is still shown once it is over. */
const shownMilliseconds = 7 * 86_400_000;
/** A blob that no row names after so long belongs to nobody: no request takes a day. */
const orphanMilliseconds = 86_400_000;
/** Older ones have been looked at before; `doctor --blobs` looks at all. */
const orphanWindowMilliseconds = 3 * 86_400_000;

type SweepDeps = Pick<StorageDeps, 'db' | 'clock'>;

export async function sweepUploads(deps: StorageDeps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  for (const row of await listExpired(db, ['pending', 'ready'], now, batch)) {
    await db.write(async (tx) => {
      const present = await findUpload(tx, row.id);
      if (present && isOpen(present)) await closeUpload(tx, deps, present, 'expired');
    }, bucketQueue(row.bucket_id));
  }
  const over = await listExpired(db, ['completed', 'failed', 'expired'], now - shownMilliseconds, batch);
  if (over.length > 0) {
    await db.write(async (tx) => {
      for (const { id } of over) await removeUpload(tx, id);
    });
  }
}

export async function sweepTrash(deps: StorageDeps): Promise<void> {
  const { db, clock, limits } = deps;
  for (;;) {
    const now = clock.now();
    const rows = await listTrashedBefore(db, now - limits.trashSeconds * 1000, now, batch);
    let purged = 0;
    for (const row of rows) {
      await db.write(async (tx) => {
        const bucket = await findBucket(tx, row.bucket_id);
        const present = await findObject(tx, row.bucket_id, row.id);
        if (!bucket || present?.state !== 'trash' || lockOf(present, now) !== undefined) return;
        await purgeObject(tx, deps, bucket, present);
        purged++;
      }, bucketQueue(row.bucket_id));
    }
    // Those of a bucket that is being removed are left to its own sweep.
    if (rows.length < batch || purged === 0) return;
  }
}

/** Removes what is left of deleted buckets, and of those whose application is gone. */
export async function sweepBuckets(deps: StorageDeps): Promise<void> {
  for (const bucket of await listRemovableBuckets(deps.db, batch)) await emptyBucket(deps, bucket.id);
}

export async function purgeApplication(deps: StorageDeps, applicationId: string): Promise<void> {
  await deps.db.write((tx) => markDeleted(tx, applicationId, deps.clock.now()));
  await sweepBuckets(deps);
}

async function emptyBucket(deps: StorageDeps, bucketId: string): Promise<void> {
  const { db, clock, limits } = deps;
  for (let left = true; left; ) {
    left = await db.write(async (tx) => {
      const dueAt = clock.now() + limits.garbageSeconds * 1000;
      const objects = await anyObjects(tx, bucketId, batch);
      for (const object of objects) await destroy(tx, deps, object);
      const uploads = await anyUploads(tx, bucketId, batch);
      for (const upload of uploads) {
        // The pieces of a completed one belong to its object.
        if (isOpen(upload)) await discardPieces(tx, upload.id, dueAt);
        await removeUpload(tx, upload.id);
      }
      if (objects.length > 0 || uploads.length > 0) return true;
      await removeBucket(tx, bucketId);
      return false;
    }, bucketQueue(bucketId));
  }
}

/** Deletes the blobs that nothing has named for long enough. Their rows go last, so that a crash forgets none. */
export async function collectGarbage({ db, clock }: SweepDeps, blobs: Blobs): Promise<number> {
  let deleted = 0;
  for (;;) {
    const due = await dueGarbage(db, clock.now(), batch);
    if (due.length === 0) return deleted;
    const used = await referenced(db, due);
    const unused = due.filter((blob) => !used.has(blob));
    await blobs.delete(unused);
    await db.write((tx) => removeGarbage(tx, due));
    deleted += unused.length;
    if (due.length < batch) return deleted;
  }
}

/** Finds blobs that were written and never named: their process was killed, or their transaction refused. */
export async function collectOrphans({ db, clock }: SweepDeps, blobs: Blobs): Promise<number> {
  const now = clock.now();
  const until = blobNameAt(now - orphanMilliseconds);
  let found = 0;
  for (let after = blobNameAt(now - orphanMilliseconds - orphanWindowMilliseconds); ; ) {
    const page = await blobs.list({ after, limit: 1000 });
    const names = page.map(({ name }) => name).filter((name) => name < until);
    const orphans = await unnamed(db, names);
    if (orphans.length > 0) await db.write((tx) => insertGarbage(tx, orphans, now));
    found += orphans.length;
    if (page.length < 1000 || names.length < page.length) return found;
    after = names.at(-1) as string;
  }
}

/** Those of the blobs that no row names, and that are not waiting to be deleted. */
export async function unnamed(db: Db, names: readonly string[]): Promise<string[]> {
  const used = await referenced(db, names);
  const rest = names.filter((name) => !used.has(name));
  const waiting = await awaitingDeletion(db, rest);
  return rest.filter((name) => !waiting.has(name));
}
