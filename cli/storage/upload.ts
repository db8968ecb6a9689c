import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type OpenUpload, uploadObject } from '@mainstay/sdk';
import { readJson, writePrivate } from '../core/files.ts';
import type { Storage } from './bucket.ts';
import { openContent } from './file-content.ts';
import { type Watch, watchFile } from './watch.ts';

/** One request is enough for smaller ones. */
const singleRequestBytes = 8 * 1024 * 1024;
const retries = 8;

/**
 * Stores a file under a key. A large one goes in several parts at once, each sent again on its own; one that was broken
 * off resumes where it stopped, in another process too.
 */
export async function uploadFile(
  storage: Storage,
  source: { path: string; bucket: string; key: string; contentType?: string | undefined },
  watch: Watch,
): Promise<void> {
  const { client, app, environment, at } = storage;
  const { bucket, key } = source;
  const stats = await stat(source.path);
  if (stats.size <= singleRequestBytes) {
    const content = await readFile(source.path);
    const type = source.contentType ?? '';
    await client.storage.putObject(app, bucket, key, new Blob([content], { type }), {
      ...at,
      signal: watch.signal,
      retries,
      timeoutMilliseconds: 120_000,
    });
    watch.onBytes(content.length);
    return;
  }
  const file = path.resolve(source.path);
  const noted = watchFile(watch, 'uploads', [app, environment, bucket, key, file, stats.size, stats.mtimeMs]);
  const resume = await readJson<OpenUpload>(noted);
  let sent = 0;
  const { content, close } = openContent(source.path, stats.size, source.contentType);
  try {
    await uploadObject(client, {
      applicationId: app,
      bucket,
      environment,
      key,
      content,
      contentType: source.contentType,
      partsAtOnce: watch.partsAtOnce,
      ...(resume ? { resume } : {}),
      signal: watch.signal,
      onOpen: (upload) => void writePrivate(noted, upload).catch(() => {}),
      onProgress({ phase, bytes }) {
        if (phase !== 'upload') return;
        watch.onBytes(bytes - sent);
        sent = bytes;
      },
    });
  } finally {
    close();
  }
  await rm(noted, { force: true });
}
