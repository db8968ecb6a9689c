import { open, readFile, rename } from 'node:fs/promises';
import type { SortedNames } from './sorted-names.ts';

/** What was last taken from one feed. The key of the hash is the folder's, the same for all lists. */
export interface StoredList<About> {
  readonly about: About;
  readonly names: SortedNames;
}

/** Writes it aside, then renames it: whoever reads sees the old one or the new one whole. */
export async function writeList<About>(file: string, { about, names }: StoredList<About>): Promise<void> {
  const text = Buffer.from(JSON.stringify(about));
  // The hashes begin at a multiple of 4.
  const head = Buffer.alloc(8 + Math.ceil(text.length / 4) * 4);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(names.days.length, 4);
  text.copy(head, 8);
  const aside = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    for (const part of [head, names.hashes, names.days]) {
      await handle.writeFile(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(aside, file);
}

/** Undefined where there is none, or one that is cut short. */
export async function readList<About>(file: string): Promise<StoredList<About> | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes || bytes.length < 8) return undefined;
  const textLength = bytes.readUInt32LE(0);
  const count = bytes.readUInt32LE(4);
  const hashesAt = 8 + Math.ceil(textLength / 4) * 4;
  const daysAt = hashesAt + count * 8;
  if (bytes.length !== daysAt + count * 2) return undefined;
  const copy = (from: number, to: number) => Uint8Array.from(bytes.subarray(from, to)).buffer as ArrayBuffer;
  return {
    about: JSON.parse(bytes.toString('utf8', 8, 8 + textLength)) as About,
    names: {
      hashes: new Uint32Array(copy(hashesAt, daysAt)),
      days: new Uint16Array(copy(daysAt, bytes.length)),
    },
  };
}
