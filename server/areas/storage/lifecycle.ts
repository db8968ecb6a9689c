import { deleteKey, purgeObject } from './deletion.ts';
import { findObject, listOthers, type ObjectRow, walkObjects } from './object-store.ts';
import { attributesOf, lockOf } from './objects.ts';
import { bucketQueue, type StorageDeps } from './rules.ts';
import type { LifecycleRule } from './schema.ts';
import { type BucketRow, findBucket, listBucketsWithRules, updateBucket } from './store.ts';
import { findUpload, listOpenSince } from './upload-store.ts';
import { closeUpload, isOpen } from './uploads.ts';

/** Lifecycle rules, applied to each bucket about once a day, a page of keys at a time. */

const everyMilliseconds = 20 * 3_600_000;
const dayMilliseconds = 86_400_000;
const batch = 500;

/** `day` is shorter than a day in tests. */
export async function applyLifecycles(deps: StorageDeps, day = dayMilliseconds): Promise<void> {
  const { db, clock } = deps;
  const every = Math.min(everyMilliseconds, day / 4);
  for (const bucket of await listBucketsWithRules(db, clock.now() - every)) {
    await applyRules(deps, bucket, day);
    await db.write((tx) => updateBucket(tx, bucket.id, { swept_at: clock.now() }));
  }
}

/** Whether a rule means an object; of uploads only the key is known. */
export function fitsLifecycle(
  rule: LifecycleRule,
  of: { key: string; size?: number; tags?: Readonly<Record<string, string>> },
): boolean {
  const { prefix = '', tags = {}, largerThan, smallerThan } = rule;
  const own = of.tags ?? {};
  return (
    of.key.startsWith(prefix) &&
    (largerThan === undefined || (of.size ?? 0) > largerThan) &&
    (smallerThan === undefined || (of.size ?? 0) < smallerThan) &&
    Object.entries(tags).every(([name, value]) => Object.hasOwn(own, name) && own[name] === value)
  );
}

async function applyRules(deps: StorageDeps, bucket: BucketRow, day: number): Promise<void> {
  const rules = (JSON.parse(bucket.lifecycle) as LifecycleRule[]).filter(({ enabled = true }) => enabled);
  const now = deps.clock.now();
  const isOlder = (time: number, days: number | undefined) => days !== undefined && time + days * day <= now;
  const isDue = (at: string | undefined) => at !== undefined && Date.parse(at) <= now;
  const needsTags = rules.some(({ tags }) => tags !== undefined);
  const fitting = (row: ObjectRow) => {
    const tags = needsTags ? (attributesOf(row).tags ?? {}) : {};
    return rules.filter((rule) => fitsLifecycle(rule, { key: row.key, size: row.content_length, tags }));
  };

  if (rules.some((rule) => rule.expireAfterDays !== undefined || isDue(rule.expireAt))) {
    await eachObject(deps, bucket, 'live', async (row) => {
      const isOver = fitting(row).some(
        (rule) => isOlder(row.uploaded_at, rule.expireAfterDays) || isDue(rule.expireAt),
      );
      if (isOver) await expire(deps, row);
    });
  }
  if (
    rules.some((rule) => rule.expireOldVersionsAfterDays !== undefined || rule.keepOldVersions !== undefined)
  ) {
    let key: string | undefined;
    let versions: ObjectRow[] = [];
    // Of one key, newest first; the first `keepOldVersions` of them are kept whatever their age.
    const trim = async () => {
      for (const [at, row] of versions.toReversed().entries()) {
        const isOver = fitting(row).some(({ expireOldVersionsAfterDays: days, keepOldVersions: keep = 0 }) =>
          at < keep ? false : days === undefined || isOlder(row.updated_at, days),
        );
        if (isOver) await purgeOld(deps, row);
      }
    };
    await eachObject(deps, bucket, 'old', async (row) => {
      if (row.key !== key) {
        await trim();
        versions = [];
        key = row.key;
      }
      versions.push(row);
    });
    await trim();
  }
  // With its last version gone, a marker hides nothing any more; where keys expire by days, it expires as they do.
  if (rules.some((rule) => rule.removeExpiredMarkers || rule.expireAfterDays !== undefined)) {
    await eachObject(deps, bucket, 'marker', async (row) => {
      const isOver = fitting(row).some(
        (rule) => rule.removeExpiredMarkers || isOlder(row.created_at, rule.expireAfterDays),
      );
      if (isOver) await removeLoneMarker(deps, row);
    });
  }
  for (const rule of rules) {
    if (rule.abortUploadsAfterDays === undefined) continue;
    const before = now - rule.abortUploadsAfterDays * day;
    const open = await listOpenSince(deps.db, bucket.id, before, 10_000);
    for (const upload of open.filter(({ key }) => fitsLifecycle({ prefix: rule.prefix ?? '' }, { key }))) {
      await deps.db.write(async (tx) => {
        const present = await findUpload(tx, upload.id);
        if (present && isOpen(present)) await closeUpload(tx, deps, present, 'expired');
      }, bucketQueue(bucket.id));
    }
  }
}

async function eachObject(
  { db }: StorageDeps,
  bucket: BucketRow,
  state: 'live' | 'old' | 'marker',
  work: (row: ObjectRow) => Promise<void>,
): Promise<void> {
  for (let after: { key: string; id: string } | undefined; ; ) {
    const rows = await walkObjects(db, bucket.id, state, after, batch);
    for (const row of rows) await work(row);
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = { key: last.key, id: last.id };
  }
}

/** As a deletion over S3: permanently without versioning, a marker with it. */
async function expire(deps: StorageDeps, row: ObjectRow): Promise<void> {
  await deps.db.write(async (tx) => {
    const bucket = await findBucket(tx, row.bucket_id);
    const present = await findObject(tx, row.bucket_id, row.id);
    if (!bucket || present?.state !== 'live' || present.uploaded_at !== row.uploaded_at) return;
    if (bucket.versioning === 'off' && lockOf(present, deps.clock.now()) !== undefined) return;
    await deleteKey(tx, deps, bucket, present.key, { toTrash: false });
  }, bucketQueue(row.bucket_id));
}

async function purgeOld(deps: StorageDeps, row: ObjectRow): Promise<void> {
  await deps.db.write(async (tx) => {
    const bucket = await findBucket(tx, row.bucket_id);
    const present = await findObject(tx, row.bucket_id, row.id);
    if (!bucket || present?.state !== 'old' || lockOf(present, deps.clock.now()) !== undefined) return;
    await purgeObject(tx, deps, bucket, present);
  }, bucketQueue(row.bucket_id));
}

async function removeLoneMarker(deps: StorageDeps, row: ObjectRow): Promise<void> {
  await deps.db.write(async (tx) => {
    const bucket = await findBucket(tx, row.bucket_id);
    const present = await findObject(tx, row.bucket_id, row.id);
    if (!bucket || present?.state !== 'marker') return;
    const [older] = await listOthers(tx, row.bucket_id, row.key, 'old', 1);
    if (!older) await purgeObject(tx, deps, bucket, present);
  }, bucketQueue(row.bucket_id));
}
