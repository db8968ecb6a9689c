import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openFileBlobs } from '#adapters/files/blobs.ts';
import { openS3Blobs } from '#adapters/s3/blobs.ts';
import type { Blobs } from '#core/blobs.ts';

/** The engines of blobs that this run has. `npm test` starts an S3 engine and passes its address. */
type BlobEngine = 'files' | 's3';

const s3Url = process.env['TEST_S3_URL'];

export const blobEngines: readonly BlobEngine[] = s3Url ? ['files', 's3'] : ['files'];

/** A bucket that nobody else uses, as `MAINSTAY_BLOBS_URL` names it. */
export function newBlobsUrl(): string {
  const name = `t-${randomBytes(6).toString('hex')}`;
  return `s3://test:test-secret@${name}/some/folder?endpoint=${encodeURIComponent(s3Url ?? '')}`;
}

/** Settings of an instance with blobs of its own there; on S3 with those of small objects, which are in the database else. */
export function blobSettings(engine: BlobEngine): Record<string, string> {
  return engine === 's3' ? { MAINSTAY_BLOBS_URL: newBlobsUrl(), MAINSTAY_STORAGE_INLINE: '0' } : {};
}

/** An empty place for blobs; `open` opens one more node on it. */
export async function blobHome(
  engine: BlobEngine,
): Promise<AsyncDisposable & { open: () => Promise<Blobs> }> {
  if (engine === 's3') {
    const url = new URL(newBlobsUrl());
    return { open: () => openS3Blobs(url, 'storage'), [Symbol.asyncDispose]: async () => undefined };
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-blobs-'));
  return {
    open: () => openFileBlobs(path.join(folder, 'blobs')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
