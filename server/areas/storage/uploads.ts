import { createHash } from 'node:crypto';
import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { discardPieces, listPieces, removePiece } from './blob-store.ts';
import type { HashName } from './content.ts';
import { contentTypeOf } from './content-type.ts';
import { type ObjectAttributes, putObject } from './objects.ts';
import { bucketGone, bucketQueue, charge, type StorageDeps } from './rules.ts';
import { addUsage, type BucketRow, findBucket } from './store.ts';
import { type Digests, hashesOf } from './upload-hashes.ts';
import { findUpload, insertUpload, type UploadRow, updateUpload } from './upload-store.ts';

/** Upload sessions: how they begin and how they end. How bytes come in between is in append.ts. */

export interface NewUpload {
  key: string;
  contentLength: number;
  contentType: string | null;
  sha256: string;
  sha1: string | null;
  md5: string | null;
  attributes?: ObjectAttributes;
}

/** Opens a session and reserves its bytes. A session of zero bytes is over at once. Run it in the bucket's queue. */
export async function createUpload(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  wanted: NewUpload,
): Promise<UploadRow> {
  const { clock, limits, contents } = deps;
  const now = clock.now();
  const row: UploadRow = {
    id: newId(now),
    bucket_id: bucket.id,
    key: wanted.key,
    kind: 'tus',
    state: 'pending',
    content_type: wanted.contentType,
    content_length: wanted.contentLength,
    checksum_sha1: wanted.sha1,
    checksum_sha256: wanted.sha256,
    checksum_md5: wanted.md5,
    received: 0,
    encrypted: contents.encrypts ? 1 : 0,
    attributes: JSON.stringify(wanted.attributes ?? {}),
    object_id: null,
    expires_at: now + limits.uploadSeconds * 1000,
    uploaded_at: null,
    created_at: now,
    updated_at: now,
  };
  await insertUpload(tx, row);
  const usage = await addUsage(tx, bucket.id, { uploads: 1 });
  if (!usage) throw bucketGone();
  if (usage.uploads > limits.openUploads) {
    const sentence = `The bucket has ${limits.openUploads} open upload sessions, which is the limit. Finish some first.`;
    throw new Problem('too_many_requests', sentence, { retryAfterSeconds: 60 });
  }
  await charge(tx, deps, bucket, { upload_bytes: wanted.contentLength });
  if (wanted.contentLength > 0) return row;
  return endUpload(tx, deps, bucket, row, emptyDigests(hashesOf(row)));
}

function emptyDigests(names: readonly HashName[]): Digests {
  return Object.fromEntries(names.map((name) => [name, createHash(name).digest('hex')]));
}

/** Whether the content is what the session announced. */
function matches(row: UploadRow, digests: Digests): boolean {
  return (
    (row.checksum_sha256 ?? undefined) === digests.sha256 &&
    (row.checksum_sha1 ?? undefined) === digests.sha1 &&
    (row.checksum_md5 ?? undefined) === digests.md5
  );
}

export const isOpen = (row: UploadRow) => row.state === 'pending' || row.state === 'ready';

/**
 * Ends a session whose bytes are all there: with the object, or, where a checksum is another one, as failed. Returns the
 * row as it is now; one that another node has ended meanwhile comes back as that node left it.
 */
async function endUpload(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  row: UploadRow,
  digests: Digests,
  head: Buffer = Buffer.alloc(0),
): Promise<UploadRow> {
  const now = deps.clock.now();
  const size = row.content_length ?? row.received;
  if (!matches(row, digests)) return closeUpload(tx, deps, row, 'failed');
  await addUsage(tx, bucket.id, { uploads: -1, upload_bytes: -size });
  const pieces = await listPieces(tx, row.id);
  const [only] = pieces.length === 1 ? pieces : [];
  if (only) await removePiece(tx, row.id, only.number);
  const object = await putObject(tx, deps, bucket, {
    key: row.key,
    content: {
      blob: only?.blob ?? null,
      contentId: pieces.length > 1 ? row.id : null,
      size,
      encrypted: row.encrypted,
      etag: etagFor(digests),
      ...digests,
    },
    contentType: contentTypeOf(row.content_type, row.key, head),
    attributes: JSON.parse(row.attributes) as ObjectAttributes,
    uploadSessionId: row.id,
  });
  const changes = {
    ...{ state: 'completed' as const, object_id: object.id, received: size },
    ...{ uploaded_at: now, updated_at: now },
  };
  await updateUpload(tx, row.id, changes);
  return { ...row, ...changes };
}

/** MD5 where it is known, as S3's clients expect; else a text that they do not take for one. */
export function etagFor({ md5, sha256 }: Digests): string {
  return md5 ?? `${sha256?.slice(0, 32)}-1`;
}

/** Ends a session without an object, and hands its bytes to the sweeper. */
export async function closeUpload(
  tx: Tx,
  { clock, limits }: StorageDeps,
  row: UploadRow,
  state: 'failed' | 'expired',
): Promise<UploadRow> {
  const now = clock.now();
  await addUsage(tx, row.bucket_id, {
    uploads: -1,
    upload_bytes: -(row.content_length ?? row.received),
  });
  await discardPieces(tx, row.id, now + limits.garbageSeconds * 1000);
  const changes = { state, updated_at: now };
  await updateUpload(tx, row.id, changes);
  return { ...row, ...changes };
}

/** The digests of what has arrived, read again from the blobs, and its first bytes. */
async function readDigests(
  { contents }: StorageDeps,
  bucket: BucketRow,
  row: UploadRow,
): Promise<{ digests: Digests; head: Buffer }> {
  const hashes = hashesOf(row).map((name) => [name, createHash(name)] as const);
  const content = { blob: null, content_id: row.id, content_length: row.received, encrypted: row.encrypted };
  let head = Buffer.alloc(0);
  for await (const chunk of await contents.open(bucket, content, { start: 0, end: row.received })) {
    if (head.length === 0) head = Buffer.from(chunk.subarray(0, 64));
    for (const [, hash] of hashes) hash.update(chunk);
  }
  return { digests: Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest('hex')])), head };
}

/**
 * Completes a session whose bytes are all there; any node may, as often as it likes. `known` are the digests where this
 * process has seen every byte.
 */
export async function completeUpload(
  deps: StorageDeps,
  bucket: BucketRow,
  row: UploadRow,
  known?: Digests,
): Promise<UploadRow> {
  if (!isOpen(row) || row.received !== row.content_length) return row;
  const whole = { start: 0, end: Math.min(64, row.received) };
  const content = { blob: null, content_id: row.id, content_length: row.received, encrypted: row.encrypted };
  const read = known
    ? { digests: known, head: await deps.contents.read(bucket, content, whole) }
    : await readDigests(deps, bucket, row);
  return deps.db.write(async (tx) => {
    const now = await findUpload(tx, row.id);
    if (!now || !isOpen(now) || now.received !== row.received) return now ?? row;
    const present = await findBucket(tx, bucket.id);
    if (!present) throw bucketGone();
    return endUpload(tx, deps, present, now, read.digests, read.head);
  }, bucketQueue(bucket.id));
}

/** Ends a session at its client's wish. */
export async function terminateUpload(deps: StorageDeps, row: UploadRow): Promise<void> {
  await deps.db.write(async (tx) => {
    const now = await findUpload(tx, row.id);
    if (now && isOpen(now)) await closeUpload(tx, deps, now, 'expired');
  }, bucketQueue(row.bucket_id));
}
