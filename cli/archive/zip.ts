import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { ProjectFile } from './collect.ts';
import { crc32 } from './crc32.ts';

/**
 * A ZIP archive as a stream (PKWARE APPNOTE 6.3.10), without ZIP64: an instance takes none that would need it. The same
 * files give the same bytes, whenever they were written.
 */

const deflate = promisify(zlib.deflateRaw);
/** Compressed in memory, several at once; larger files are stored as they are. */
const largeBytes = 32 * 1024 * 1024;
const atOnce = 16;
const versionNeeded = 20;
const madeOnUnix = (3 << 8) | versionNeeded;
const utf8Names = 0x800;
/** 1 January 1980, the first day that the format knows. */
const date = (1 << 5) | 1;
const maxEntries = 65_535;
const maxBytes = 0xffffffff;

interface Packed {
  name: Buffer;
  mode: number;
  method: 0 | 8;
  crc: number;
  size: number;
  compressedSize: number;
  /** Undefined: read from the file while it is sent. */
  data?: Buffer;
  path: string;
}

class ZipError extends Error {
  override readonly name = 'ZipError';
}

/** `onFile` is told of each file that is behind it, with its size. */
export async function* zip(
  files: readonly ProjectFile[],
  onFile: (size: number) => void = () => {},
): AsyncGenerator<Buffer> {
  if (files.length > maxEntries)
    throw new ZipError(
      `The project has ${files.length} files, and ${maxEntries} is the limit of an archive.`,
    );
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const packed of inOrder(files)) {
    if (offset > maxBytes) throw new ZipError('The archive would be larger than 4 GiB.');
    const header = localHeader(packed);
    directory.push(centralHeader(packed, offset));
    offset += header.length + packed.name.length + packed.compressedSize;
    yield Buffer.concat([header, packed.name, ...(packed.data ? [packed.data] : [])]);
    if (!packed.data) for await (const chunk of createReadStream(packed.path)) yield chunk as Buffer;
    onFile(packed.size);
  }
  const central = Buffer.concat(directory);
  yield Buffer.concat([central, endOf(files.length, central.length, offset)]);
}

/** Reads and compresses ahead of what is sent. */
async function* inOrder(files: readonly ProjectFile[]): AsyncGenerator<Packed> {
  const ahead: Promise<Packed>[] = [];
  let next = 0;
  const start = () => {
    const file = files[next++];
    if (!file) return;
    const packed = pack(file);
    // Whoever stops before its turn does not hear of it.
    packed.catch(() => {});
    ahead.push(packed);
  };
  for (let count = 0; count < atOnce; count++) start();
  for (let packed = ahead.shift(); packed; packed = ahead.shift()) {
    yield await packed;
    start();
  }
}

async function pack(file: ProjectFile): Promise<Packed> {
  const name = Buffer.from(file.name);
  if (file.target !== undefined) {
    const data = Buffer.from(file.target);
    const sizes = { size: data.length, compressedSize: data.length };
    return { name, mode: 0o120777, method: 0, crc: crc32(data), ...sizes, data, path: file.path };
  }
  const mode = file.isExecutable ? 0o100755 : 0o100644;
  if (file.size > largeBytes) {
    let crc = 0;
    let size = 0;
    for await (const chunk of createReadStream(file.path)) {
      crc = crc32(chunk as Buffer, crc);
      size += (chunk as Buffer).length;
    }
    return { name, mode, method: 0, crc, size, compressedSize: size, path: file.path };
  }
  const content = await readFile(file.path);
  const crc = crc32(content);
  const smaller = content.length > 64 ? await deflate(content) : content;
  const isSmaller = smaller.length < content.length;
  const data = isSmaller ? smaller : content;
  return {
    ...{ name, mode, crc, data, path: file.path },
    method: isSmaller ? 8 : 0,
    size: content.length,
    compressedSize: data.length,
  };
}

function localHeader({ name, method, crc, size, compressedSize }: Packed): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(versionNeeded, 4);
  header.writeUInt16LE(utf8Names, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt16LE(date, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(compressedSize, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(name.length, 26);
  return header;
}

function centralHeader({ name, mode, method, crc, size, compressedSize }: Packed, offset: number): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(madeOnUnix, 4);
  record.writeUInt16LE(versionNeeded, 6);
  record.writeUInt16LE(utf8Names, 8);
  record.writeUInt16LE(method, 10);
  record.writeUInt16LE(date, 14);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(compressedSize, 20);
  record.writeUInt32LE(size, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt32LE((mode << 16) >>> 0, 38);
  record.writeUInt32LE(offset, 42);
  return Buffer.concat([record, name]);
}

function endOf(count: number, directoryBytes: number, directoryAt: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(directoryAt, 16);
  return end;
}
