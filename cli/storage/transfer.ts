import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ApiError, ConnectionError, downloadObject, type OpenUpload, uploadObject } from '@mainstay/sdk';
import { Failure } from '../core/failure.ts';
import { readJson, writePrivate } from '../core/files.ts';
import { pause } from '../core/pause.ts';
import type { Storage, StoredObject } from './bucket.ts';

/** One request is enough for smaller ones. */
const singleRequestBytes = 8 * 1024 * 1024;
const retries = 8;

export interface Watch {
  signal: AbortSignal;
  /** So many more bytes have arrived. */
  onBytes(count: number): void;
  /** Where uploads are noted that were broken off. */
  state: string;
}

/** Stores a file under a key. A large one that was broken off goes on where it was, in another process too. */
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
  const content = await openAsBlob(
    source.path,
    source.contentType === undefined ? {} : { type: source.contentType },
  );
  const name = createHash('sha256')
    .update(
      JSON.stringify([app, environment, bucket, key, path.resolve(source.path), stats.size, stats.mtimeMs]),
    )
    .digest('hex');
  const file = path.join(watch.state, 'uploads', `${name}.json`);
  const resume = await readJson<OpenUpload>(file);
  let sent = 0;
  await uploadObject(client, {
    applicationId: app,
    bucket,
    environment,
    key,
    content,
    contentType: source.contentType,
    ...(resume ? { resume } : {}),
    signal: watch.signal,
    onOpen: (upload) => void writePrivate(file, upload).catch(() => {}),
    onProgress({ phase, bytes }) {
      if (phase !== 'upload') return;
      watch.onBytes(bytes - sent);
      sent = bytes;
    },
  });
  await rm(file, { force: true });
}

/** Writes an object to a file, which is there whole or not at all; what was broken off goes on. */
export async function downloadFile(
  storage: Storage,
  object: StoredObject,
  bucket: string,
  target: string,
  watch: Watch,
): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  // The name of the object's version: another one begins anew.
  const aside = `${target}.${object.id.slice(-12)}.part`;
  const handle = await open(aside, 'a');
  let offset = (await handle.stat()).size;
  try {
    if (offset > object.contentLength) {
      await handle.truncate(0);
      offset = 0;
    }
    watch.onBytes(offset);
    for (let failures = 0; offset < object.contentLength; ) {
      try {
        for await (const chunk of content(storage, object, bucket, offset, watch.signal)) {
          await handle.write(chunk);
          offset += chunk.length;
          watch.onBytes(chunk.length);
          failures = 0;
        }
        if (offset < object.contentLength) throw new ConnectionError('The object ended early.');
      } catch (error) {
        watch.signal.throwIfAborted();
        const mayPass = !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
        if (!mayPass || ++failures > retries) throw error;
        await pause(200 * 2 ** failures, watch.signal);
      }
    }
  } finally {
    await handle.close();
  }
  if (object.checksumSha256 !== null && (await sha256Of(aside)) !== object.checksumSha256) {
    await rm(aside);
    throw new Failure(`${object.key} arrived changed: its SHA-256 is another one.`, {
      next: 'Run the command again.',
    });
  }
  await rename(aside, target);
}

/** The bytes of an object from there on, as they come. */
export async function* content(
  { client, app, environment }: Storage,
  object: StoredObject,
  bucket: string,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const response = await downloadObject(client, {
    applicationId: app,
    bucket,
    environment,
    objectId: object.id,
    ...(offset > 0 ? { range: { start: offset } } : {}),
    signal,
  });
  if (offset > 0 && response.status !== 206) throw new ConnectionError('The range was not honoured.');
  if (response.body) yield* response.body as unknown as AsyncIterable<Uint8Array>;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
