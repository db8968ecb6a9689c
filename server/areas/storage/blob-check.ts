import { createHash } from 'node:crypto';
import { BlobMissing, type Blobs, blobNameAt } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { Vault } from '#core/vault.ts';
import { insertGarbage } from './blob-store.ts';
import { Contents } from './content.ts';
import { isInline, type ObjectRow, walkAllObjects } from './object-store.ts';
import { type BucketRow, findBucket } from './store.ts';
import { unnamed } from './sweep.ts';

/** What `mainstay-server doctor --blobs` finds: blobs without rows, rows without blobs, content that was changed. */
interface BlobReport {
  blobs: number;
  /** No row names them; with `fix` they are deleted by the sweeper. */
  orphans: string[];
  objects: number;
  /** Of those, how many have their bytes in the database. */
  inline: number;
  /** Their bytes are gone, or fewer than the row says. */
  missing: BrokenObject[];
  /** Their bytes are not those whose checksum is known. */
  corrupt: BrokenObject[];
}

interface BrokenObject {
  id: string;
  bucketId: string;
  key: string;
}

const day = 86_400_000;

/** Reads everything. With `fix`, orphans are handed to the sweeper; lost bytes only a backup brings back. */
export async function checkBlobs(
  deps: { db: Db; vault: Vault; clock: Clock; blobs: Blobs },
  { fix }: { fix: boolean },
): Promise<BlobReport> {
  const { db, clock, blobs } = deps;
  const contents = new Contents({ ...deps, encrypts: false, inlineBytes: 0 });
  const report: BlobReport = { blobs: 0, orphans: [], objects: 0, inline: 0, missing: [], corrupt: [] };
  // Younger ones may be on their way.
  const until = blobNameAt(clock.now() - day);
  for (let after = blobNameAt(0); ; ) {
    const page = await blobs.list({ after, limit: 1000 });
    report.blobs += page.length;
    const names = page.map(({ name }) => name);
    const orphans = await unnamed(
      db,
      names.filter((name) => name < until),
    );
    report.orphans.push(...orphans);
    if (fix && orphans.length > 0) await db.write((tx) => insertGarbage(tx, orphans, clock.now()));
    if (page.length < 1000) break;
    after = names.at(-1) as string;
  }
  const buckets = new Map<string, BucketRow | undefined>();
  for (let after: string | undefined; ; ) {
    const rows = await walkAllObjects(db, after, 500);
    for (const row of rows) {
      if (!buckets.has(row.bucket_id)) buckets.set(row.bucket_id, await findBucket(db, row.bucket_id));
      const bucket = buckets.get(row.bucket_id);
      // Of a bucket that is being removed.
      if (!bucket) continue;
      report.objects++;
      if (isInline(row)) report.inline++;
      const state = await checkObject(contents, bucket, row);
      if (state !== 'ok') report[state].push({ id: row.id, bucketId: row.bucket_id, key: row.key });
    }
    after = rows.at(-1)?.id;
    if (rows.length < 500) return report;
  }
}

async function checkObject(
  contents: Contents,
  bucket: BucketRow,
  row: ObjectRow,
): Promise<'ok' | 'missing' | 'corrupt'> {
  const known = (
    [
      ['sha256', row.checksum_sha256],
      ['md5', row.checksum_md5],
      ['sha1', row.checksum_sha1],
    ] as const
  ).find(([, digest]) => digest !== null);
  const hash = known && createHash(known[0]);
  let size = 0;
  try {
    for await (const chunk of await contents.open(bucket, row, { start: 0, end: row.content_length })) {
      size += chunk.length;
      hash?.update(chunk);
    }
  } catch (error) {
    return error instanceof BlobMissing ? 'missing' : 'corrupt';
  }
  if (size !== row.content_length) return 'missing';
  return hash && hash.digest('hex') !== known[1] ? 'corrupt' : 'ok';
}
