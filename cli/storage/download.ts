import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ApiError, ConnectionError, downloadObject } from '@mainstay/sdk';
import { Failure } from '../core/failure.ts';
import { readJson, writePrivate } from '../core/files.ts';
import { parallel } from '../core/parallel.ts';
import { pause } from '../core/pause.ts';
import type { Storage, StoredObject } from './bucket.ts';
import { asideOf } from './leftovers.ts';
import { type Watch, watchFile } from './watch.ts';

/** What is kept of a download in several parts until it is whole. */
export interface DownloadNote {
  /** Where the parts lie. */
  file: string;
  /** The numbers of those that are there. */
  parts: number[];
}

/** What one request asks for, and what a command that was broken off loses of each part. */
const partBytes = 8 * 1024 * 1024;
const retries = 8;
/** A connection that brings nothing for so long is given up. */
const silenceMilliseconds = 60_000;

/**
 * Writes an object to a file, which is there whole or not at all. A large one comes in several parts at once, each asked
 * for again on its own; what was broken off continues, in another process too.
 */
export async function downloadFile(
  storage: Storage,
  object: StoredObject,
  bucket: string,
  target: string,
  watch: Watch,
): Promise<void> {
  const { contentLength: size } = object;
  await mkdir(path.dirname(target), { recursive: true });
  const aside = asideOf(target, object.id);
  const noted = watchFile(watch, 'downloads', [aside, object.id, size]);
  const count = Math.ceil(size / partBytes);
  const isKept = count > 1 && (await stat(aside).catch(() => null))?.size === size;
  const kept = isKept ? (await readJson<Partial<DownloadNote>>(noted))?.parts : undefined;
  const done = new Set(kept?.filter((part) => Number.isInteger(part) && part >= 0 && part < count));
  const sizeOf = (part: number) => Math.min(partBytes, size - part * partBytes);
  const read = reader(storage, object, bucket, watch.signal);
  const hash = count > 1 ? undefined : hashFor(object)?.begin();
  const writeNote = () => writePrivate(noted, { file: aside, parts: [...done] } satisfies DownloadNote);
  const handle = await open(aside, isKept ? 'r+' : 'w');
  try {
    await handle.truncate(size);
    // From now on the file is known, and removed one day where nobody continues with it.
    if (count > 1) await writeNote();
    for (const part of done) watch.onBytes(sizeOf(part));
    const missing = Array.from({ length: count }, (_, part) => part).filter((part) => !done.has(part));
    let isNoting: Promise<void> = Promise.resolve();
    await parallel(missing, watch.partsAtOnce, async (part) => {
      let at = part * partBytes;
      for await (const chunk of read({ start: at, end: at + sizeOf(part) })) {
        hash?.update(chunk);
        await handle.write(chunk, 0, chunk.length, at);
        at += chunk.length;
        watch.onBytes(chunk.length);
      }
      if (count === 1) return;
      done.add(part);
      isNoting = isNoting.then(writeNote);
      await isNoting;
    });
  } catch (error) {
    // One part is no gain to keep.
    if (count === 1) await rm(aside, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  const expected = hashFor(object);
  if (expected && (hash?.digest('hex') ?? (await digestOf(aside, expected.begin()))) !== expected.digest) {
    await Promise.all([rm(aside), rm(noted, { force: true })]);
    throw new Failure(`${object.key} was corrupted in transit: its ${expected.name} does not match.`, {
      next: 'Run the command again.',
    });
  }
  await rename(aside, target);
  if (count > 1) await rm(noted, { force: true });
}

/** The whole object as it comes. */
export function content(
  storage: Storage,
  object: StoredObject,
  bucket: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  return reader(storage, object, bucket, signal)({ start: 0, end: object.contentLength });
}

/** Reads ranges of an object; where a connection breaks, it asks for the rest. */
function reader(storage: Storage, object: StoredObject, bucket: string, signal: AbortSignal) {
  const { client, app, environment, at } = storage;
  let address: Promise<string> | undefined;
  return async function* (range: { start: number; end: number }): AsyncGenerator<Uint8Array> {
    let { start } = range;
    for (let failures = 0; start < range.end; ) {
      try {
        address ??= client.storage.accessUrl(app, bucket, object.id, at, { signal }).then(({ url }) => url);
        const quiet = new Silence(signal);
        try {
          const response = await downloadObject(client, {
            ...{ applicationId: app, bucket, environment, objectId: object.id, url: await address },
            ...{ range: { start, end: range.end }, signal: quiet.signal },
          });
          if (response.status !== 206) throw new ConnectionError('The range was not honoured.');
          for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
            quiet.broken();
            yield chunk;
            start += chunk.length;
            failures = 0;
          }
        } finally {
          quiet.end();
        }
        if (start < range.end) throw new ConnectionError('The object ended early.');
      } catch (error) {
        signal.throwIfAborted();
        address = undefined;
        const status = error instanceof ApiError ? error.status : undefined;
        // 403: the address has ended.
        const mayPass = status === undefined || [403, 429].includes(status) || status >= 500;
        if (!mayPass || ++failures > retries) throw error;
        await pause(200 * 2 ** failures * (0.5 + Math.random() / 2), signal);
      }
    }
  };
}

/** Gives a request up on which nothing comes. */
class Silence {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #giveUp = () => this.#controller.abort(this.#outer.reason);
  #timer: NodeJS.Timeout | undefined;

  constructor(outer: AbortSignal) {
    this.#outer = outer;
    if (outer.aborted) this.#giveUp();
    outer.addEventListener('abort', this.#giveUp, { once: true });
    this.broken();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  broken(): void {
    clearTimeout(this.#timer);
    const late = new ConnectionError('The connection brought nothing for a minute.');
    this.#timer = setTimeout(() => this.#controller.abort(late), silenceMilliseconds);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#giveUp);
  }
}

/** The strongest checksum that the instance knows. */
function hashFor(object: StoredObject): { name: string; digest: string; begin(): Hash } | undefined {
  const { checksumSha256, checksumSha1, checksumMd5 } = object;
  if (checksumSha256 !== null)
    return { name: 'SHA-256', digest: checksumSha256, begin: () => createHash('sha256') };
  if (checksumSha1 !== null) return { name: 'SHA-1', digest: checksumSha1, begin: () => createHash('sha1') };
  if (checksumMd5 !== null) return { name: 'MD5', digest: checksumMd5, begin: () => createHash('md5') };
  return undefined;
}

async function digestOf(file: string, hash: Hash): Promise<string> {
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export function sha256Of(file: string): Promise<string> {
  return digestOf(file, createHash('sha256'));
}
