import { constants, createWriteStream } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { ZipFile } from 'yauzl';
import { eachOf } from '#core/each-of.ts';
import { type ArchiveEntry, ArchiveError, type CheckedArchive, placeOf } from './check.ts';

/** Small files are mostly waiting. */
const filesAtOnce = 16;
const createOnly = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Unpacks a checked archive into a folder, which is made and must not exist. Sizes and CRC-32 hold for every file, links
 * are made last, and no file is ever written through one.
 */
export async function extractArchive(
  archive: CheckedArchive,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  const { zip, entries } = archive;
  await mkdir(folder, { mode: 0o700 });
  const made = new Set<string>();
  const ensure = async (place: string) => {
    if (made.has(place)) return;
    await mkdir(place, { recursive: true });
    made.add(place);
  };
  await eachOf(entries, filesAtOnce, async (entry) => {
    signal?.throwIfAborted();
    const place = placeOf(folder, entry.name);
    if (entry.kind === 'folder') await ensure(place);
    if (entry.kind !== 'file') return;
    await ensure(path.dirname(place));
    await unpackFile(zip, entry, place, signal);
  });
  for (const { kind, name, target = '' } of entries) {
    if (kind !== 'link') continue;
    const place = placeOf(folder, name);
    await ensure(path.dirname(place));
    await symlink(target, place);
  }
}

async function unpackFile(
  zip: ZipFile,
  file: ArchiveEntry,
  place: string,
  signal?: AbortSignal,
): Promise<void> {
  const { entry, name, isExecutable } = file;
  const options = { flags: createOnly, mode: isExecutable ? 0o755 : 0o644 };
  if (entry.uncompressedSize === 0) return writeFile(place, '', { flag: options.flags, mode: options.mode });
  let sum = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  try {
    const stream = await zip.openReadStreamPromise(entry);
    const target = createWriteStream(place, options as object);
    await pipeline(stream, counted, target, signal ? { signal } : {});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_') || /bytes/.test((error as Error).message))
      throw new ArchiveError(
        `The entry ${JSON.stringify(name)} does not unpack: ${(error as Error).message}`,
      );
    throw error;
  }
  if (sum !== entry.crc32) throw new ArchiveError(`The entry ${JSON.stringify(name)} has a wrong checksum.`);
}
