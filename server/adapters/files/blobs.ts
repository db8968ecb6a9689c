import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type BlobContent, type BlobEntry, BlobMissing, type BlobRange, type Blobs } from '#core/blobs.ts';
import { bodyBuffers } from '#core/body-buffers.ts';
import { Problem } from '#core/problem.ts';

const chunkBytes = 256 * 1024;
/** Written at once. With the room that `bodyBuffers` leaves around it, 256 KiB: many uploads come side by side. */
const gatheredBytes = 248 * 1024;
/** What is gathered first: most bodies are small. */
const firstBytes = 24 * 1024;
/** An unfinished file this old belongs to a process that is gone. */
const abandonedMilliseconds = 7 * 86_400_000;

/**
 * Blobs as files, `<folder>/<3 days>/<chance>/<name>`: 256 folders for what is written within three days, so that ten
 * million are 39 000 a folder when they come at once. A blob is written aside, synced, renamed, and its folder synced.
 */
export async function openFileBlobs(folder: string): Promise<Blobs> {
  const aside = path.join(folder, 'writing');
  await mkdir(aside, { recursive: true, mode: 0o700 });
  await removeAbandoned(aside);
  const made = new Set<string>();

  const place = (name: string) => path.join(folder, name.slice(0, 5), name.slice(-2));
  const fileOf = (name: string) => path.join(place(name), name);

  async function makePlace(name: string): Promise<string> {
    const parent = place(name);
    if (made.has(parent)) return parent;
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await syncFolder(path.dirname(parent));
    await syncFolder(folder);
    if (made.size > 10_000) made.clear();
    made.add(parent);
    return parent;
  }

  async function moveInto(from: string, name: string): Promise<void> {
    const parent = await makePlace(name);
    try {
      await rename(from, path.join(parent, name));
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Another node has removed the folder while it was empty.
      made.delete(parent);
      await makePlace(name);
      await rename(from, path.join(parent, name));
    }
    await syncFolder(parent);
  }

  return {
    engine: 'files',

    async put(name, content) {
      const file = path.join(aside, name);
      try {
        const handle = await open(file, 'wx', 0o600);
        let size: number;
        try {
          size = await writeAll(handle, content);
          await handle.datasync();
        } finally {
          await handle.close();
        }
        await moveInto(file, name);
        return size;
      } catch (error) {
        await rm(file, { force: true }).catch(() => undefined);
        throw toProblem(error);
      }
    },

    async read(name, { start, end }) {
      const handle = await openBlob(fileOf(name), name);
      try {
        return await readAt(handle, start, end - start);
      } finally {
        await handle.close();
      }
    },

    async stream(name, range) {
      return chunks(await openBlob(fileOf(name), name), range);
    },

    async delete(names) {
      for (const name of names) {
        await unlink(fileOf(name)).catch((error) => {
          if (!isMissing(error)) throw error;
        });
      }
    },

    async list({ after, limit }) {
      const found: BlobEntry[] = [];
      for (const days of await names(folder, /^[0-9a-f]{5}$/)) {
        if (days < after.slice(0, 5)) continue;
        // The names of one stretch of three days, in order: the folders inside are by chance.
        const files = await namesBelow(path.join(folder, days));
        for (const name of files) {
          if (name <= after) continue;
          const known = await stat(fileOf(name)).catch(() => undefined);
          if (known) found.push({ name, size: known.size, writtenAt: known.mtimeMs });
          if (found.length === limit) return found;
        }
      }
      return found;
    },

    async [Symbol.asyncDispose]() {},
  };
}

async function writeAll(handle: FileHandle, content: BlobContent): Promise<number> {
  if (content instanceof Uint8Array) return writeChunk(handle, content);
  // Each write wakes a thread, which costs more than copying what comes of a socket at once (64 KiB).
  let gathered = bodyBuffers.take(firstBytes);
  try {
    let size = 0;
    let filled = 0;
    for await (const chunk of content) {
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + gathered.length - filled);
        gathered.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled < gathered.length) continue;
        size += await writeChunk(handle, gathered);
        filled = 0;
        if (gathered.length === gatheredBytes) continue;
        bodyBuffers.give(gathered);
        gathered = bodyBuffers.take(gatheredBytes);
      }
    }
    return size + (await writeChunk(handle, gathered.subarray(0, filled)));
  } finally {
    bodyBuffers.give(gathered);
  }
}

async function writeChunk(handle: FileHandle, chunk: Uint8Array): Promise<number> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, at, chunk.length - at);
    at += bytesWritten;
  }
  return chunk.length;
}

async function openBlob(file: string, name: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    throw isMissing(error) ? new BlobMissing(name) : toProblem(error);
  }
}

async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function* chunks(handle: FileHandle, { start, end }: BlobRange): AsyncGenerator<Buffer> {
  try {
    for (let at = start; at < end; ) {
      const chunk = await readAt(handle, at, Math.min(chunkBytes, end - at));
      if (chunk.length === 0) return;
      yield chunk;
      at += chunk.length;
    }
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function names(folder: string, pattern: RegExp): Promise<string[]> {
  const all = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw toProblem(error);
  });
  return all.filter((name) => pattern.test(name)).sort();
}

async function namesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const inner of await names(folder, /^[0-9a-f]{2}$/))
    found.push(...(await names(path.join(folder, inner), /^[0-9a-f]{32}$/)));
  return found.sort();
}

async function removeAbandoned(aside: string): Promise<void> {
  for (const name of await readdir(aside)) {
    const file = path.join(aside, name);
    const known = await stat(file).catch(() => undefined);
    if (known && Date.now() - known.mtimeMs > abandonedMilliseconds) await rm(file, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

const fullCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const awayCodes: ReadonlySet<string | undefined> = new Set([
  'EIO',
  'EROFS',
  'ENOTCONN',
  'ESTALE',
  'EMFILE',
  'ENFILE',
]);

function toProblem(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (fullCodes.has(code))
    return new Problem('storage_full', 'The disk is full. Nothing was stored.', { cause: error });
  if (awayCodes.has(code)) {
    const sentence = 'The storage cannot be used just now. Try again shortly.';
    return new Problem('unavailable', sentence, { cause: error, retryAfterSeconds: 5 });
  }
  return error;
}
