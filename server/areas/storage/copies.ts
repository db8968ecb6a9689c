import type { Db, Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { deleteKey, purgeObject } from './deletion.ts';
import { emit } from './events.ts';
import { findLive, findObject, isInline, type ObjectRow, updateObject } from './object-store.ts';
import { lockOf, type NewContent, putObject } from './objects.ts';
import type { StorageDeps } from './rules.ts';
import type { BucketRow } from './store.ts';

/** What a version holds, for another row. Copies share blobs and pieces; inline bytes belong to one row, and are copied. */
export async function contentOf(
  db: Db | Tx,
  { contents }: StorageDeps,
  bucket: BucketRow,
  object: ObjectRow,
): Promise<NewContent> {
  const { content_length: size, etag, blob, content_id: contentId, encrypted } = object;
  const digests = { sha1: object.checksum_sha1, sha256: object.checksum_sha256, md5: object.checksum_md5 };
  const inline = isInline(object) ? await contents.readInline(db, bucket, object) : null;
  return { blob, contentId, inline, size, encrypted, etag, ...digests };
}

/**
 * The content of an object for another key. Inside a bucket both share the bytes, which never change; for another bucket
 * they are written again, since each has a key of its own. Run it before the transaction.
 */
export async function contentForCopy(
  deps: StorageDeps,
  from: { bucket: BucketRow; object: ObjectRow },
  to: BucketRow,
): Promise<NewContent> {
  const { bucket, object } = from;
  if (bucket.id === to.id) return contentOf(deps.db, deps, bucket, object);
  const { contents } = deps;
  const {
    content_length: size,
    etag,
    checksum_sha1: sha1,
    checksum_sha256: sha256,
    checksum_md5: md5,
  } = object;
  const content = await contents.open(bucket, object, { start: 0, end: size });
  const {
    blob,
    inline,
    encrypted,
    size: copied,
  } = await contents.write(to, content, {
    hashes: [],
    mayInline: true,
  });
  if (copied !== size) throw new Problem('unavailable', 'The object could not be read whole. Try again.');
  return { blob, inline, contentId: null, size, encrypted, etag, sha1, sha256, md5 };
}

/** Demands that what a copy was prepared from is still there: shared bytes must not be those of a purged object. */
export async function demandPresent(tx: Tx, object: ObjectRow): Promise<void> {
  if (await findObject(tx, object.bucket_id, object.id)) return;
  throw new Problem('conflict', 'The object was removed while it was copied.');
}

/** Gives an object another key, and keeps its id where the bucket is not versioned. Run it in the bucket's queue. */
export async function moveObject(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  object: ObjectRow,
  key: string,
): Promise<ObjectRow> {
  if (key === object.key) return object;
  const lock = lockOf(object, deps.clock.now());
  if (lock) throw new Problem('forbidden', lock);
  if (bucket.versioning !== 'off') {
    const moved = await putObject(tx, deps, bucket, {
      key,
      content: await contentOf(tx, deps, bucket, object),
      contentType: object.content_type,
      attributes: JSON.parse(object.attributes),
      uploadSessionId: object.upload_session_id,
    });
    await deleteKey(tx, deps, bucket, object.key, { toTrash: false });
    return moved;
  }
  const there = await findLive(tx, bucket.id, key);
  if (there) await purgeObject(tx, deps, bucket, there);
  const now = deps.clock.now();
  await updateObject(tx, object.id, { key, updated_at: now });
  const moved = { ...object, key, updated_at: now };
  await emit(tx, deps, bucket, 'object.deleted', object);
  await emit(tx, deps, bucket, 'object.created', moved);
  return moved;
}
