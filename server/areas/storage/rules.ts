import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import type { Contents } from './content.ts';
import { findLive } from './object-store.ts';
import { addUsage, type BucketRow, findUsage, type UsageChange, type UsageRow } from './store.ts';

/** What the rules of storage need. Open until the server closes. */
export interface StorageDeps {
  db: Db;
  clock: Clock;
  contents: Contents;
  limits: StorageLimits;
}

export interface StorageLimits {
  /** Buckets of one application. */
  buckets: number;
  /** Of each bucket, unless it has a lower limit of its own. */
  bucketBytes: number;
  bucketObjects: number;
  /** Of a body that comes in one request of the API. */
  directBytes: number;
  /** How long an upload session may take. */
  uploadSeconds: number;
  /** Sessions that are open at once in a bucket. */
  openUploads: number;
  trashSeconds: number;
  /** How long a blob stays once nothing names it: longer than anybody still reads it. */
  garbageSeconds: number;
}

/** Names the queue of the writers of a bucket: they all change its counts. */
export function bucketQueue(bucketId: string): { queue: string } {
  return { queue: `storage:${bucketId}` };
}

export function bucketGone(): Problem {
  return new Problem('not_found', 'The application has no bucket with this name in this environment.');
}

export function quotaOf(bucket: BucketRow, limits: StorageLimits): { bytes: number; objects: number } {
  return {
    bytes: Math.min(bucket.quota_bytes ?? limits.bucketBytes, limits.bucketBytes),
    objects: Math.min(bucket.quota_objects ?? limits.bucketObjects, limits.bucketObjects),
  };
}

/** Versions and the trash count as long as they are kept, and open uploads as soon as they are announced. */
export function totals(usage: UsageRow): { bytes: number; objects: number } {
  return {
    bytes: usage.live_bytes + usage.old_bytes + usage.trash_bytes + usage.upload_bytes,
    objects: usage.live_objects + usage.old_objects + usage.trash_objects + usage.uploads,
  };
}

/** Counts a change in a bucket; throws when it would grow past its quota, or is deleted. */
export async function charge(
  tx: Tx,
  deps: StorageDeps,
  bucket: BucketRow,
  change: UsageChange,
): Promise<void> {
  demandWithinQuota(deps, bucket, change, await addUsage(tx, bucket.id, change));
}

/** `usage`: what the change has led to; undefined: the bucket is deleted. */
export function demandWithinQuota(
  { limits }: StorageDeps,
  bucket: BucketRow,
  change: UsageChange,
  usage: UsageRow | undefined,
): void {
  if (!usage) throw bucketGone();
  const grown = Object.entries(change).reduce(
    (sum, [column, value]) => {
      if (column.endsWith('bytes')) sum.bytes += value ?? 0;
      else sum.objects += value ?? 0;
      return sum;
    },
    { bytes: 0, objects: 0 },
  );
  const quota = quotaOf(bucket, limits);
  const { bytes, objects } = totals(usage);
  if (grown.bytes > 0 && bytes > quota.bytes) throw quotaExceeded(`${quota.bytes} bytes`);
  if (grown.objects > 0 && objects > quota.objects) throw quotaExceeded(`${quota.objects} objects`);
}

/** Throws when content of that length for the key cannot fit, whatever else is written meanwhile. */
export function demandRoom(deps: StorageDeps, bucket: BucketRow, key: string, bytes: number): Promise<void> {
  return demandRoomBeside(deps, bucket, bytes, async () => {
    const replaced = bucket.versioning === 'off' ? await findLive(deps.db, bucket.id, key) : undefined;
    return replaced?.content_length ?? 0;
  });
}

/** The same for whatever replaces so many bytes. Those up to a limit are here already, and are counted when they are stored. */
export async function demandRoomBeside(
  { db, limits }: StorageDeps,
  bucket: BucketRow,
  bytes: number,
  replaced: () => Promise<number>,
): Promise<void> {
  if (bytes <= checkedAhead) return;
  const usage = await findUsage(db, bucket.id);
  const quota = quotaOf(bucket, limits);
  if (!usage || totals(usage).bytes + bytes <= quota.bytes) return;
  if (totals(usage).bytes - (await replaced()) + bytes > quota.bytes)
    throw quotaExceeded(`${quota.bytes} bytes`);
}

/** Bodies that are longer are refused before they come when the bucket has no room. */
const checkedAhead = 64 * 1024;

function quotaExceeded(limit: string): Problem {
  const sentence =
    `The bucket's quota of ${limit} is reached, versions, trash and open uploads included. ` +
    'Delete something and empty the trash first.';
  return new Problem('too_large', sentence);
}

/** What If-Match and If-None-Match ask for: a list of ETags without quotes, or any. */
export interface WriteConditions {
  ifMatch?: readonly string[] | '*' | undefined;
  ifNoneMatch?: readonly string[] | '*' | undefined;
}

/** RFC 9110, 13.1. `etag` is that of what is there; undefined: nothing is. */
export function demandConditions(conditions: WriteConditions, etag: string | undefined): void {
  const { ifMatch, ifNoneMatch } = conditions;
  const holds = (wanted: readonly string[] | '*') =>
    etag !== undefined && (wanted === '*' || wanted.includes(etag));
  if (ifMatch !== undefined && !holds(ifMatch)) {
    throw new Problem('precondition_failed', 'The object is not the one that If-Match names.');
  }
  if (ifNoneMatch !== undefined && holds(ifNoneMatch)) {
    throw new Problem('precondition_failed', 'An object that If-None-Match excludes already exists.');
  }
}
