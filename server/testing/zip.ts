import { crc32, deflateRawSync } from 'node:zlib';

/** One entry as a test wants it; what is not given is as an honest archiver writes it. */
export interface ZipPart {
  name: string | Buffer;
  content?: string | Buffer;
  /** Unix mode with the type of the file. */
  mode?: number;
  method?: number;
  flags?: number;
  extra?: Buffer;
  crc?: number;
  /** Stated instead of the true ones. */
  size?: number;
  compressedSize?: number;
  /** Said by the local header instead. */
  local?: { name?: string; method?: number; crc?: number; size?: number; flags?: number };
  /** Begins at the bytes of the entry of this number, which it overlaps. */
  at?: number;
  /** Bytes behind the data that belong to nothing. */
  gap?: Buffer;
}

export interface ZipOptions {
  before?: Buffer;
  beforeDirectory?: Buffer;
  beforeEnd?: Buffer;
  after?: Buffer;
  comment?: Buffer;
  entryCount?: number;
}

/** Writes a ZIP archive byte by byte, also one that no archiver would write. */
export function zip(parts: readonly ZipPart[], options: ZipOptions = {}): Buffer {
  const chunks: Buffer[] = [options.before ?? Buffer.alloc(0)];
  const offsets: number[] = [];
  const directory: Buffer[] = [];
  const length = () => chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  for (const part of parts) {
    const name = Buffer.from(part.name as string);
    const content = Buffer.from((part.content ?? '') as string);
    const method = part.method ?? (content.length > 64 ? 8 : 0);
    const data = method === 8 ? deflateRawSync(content) : content;
    const flags = part.flags ?? 0x800;
    const crc = part.crc ?? crc32(content);
    const size = part.size ?? content.length;
    const compressed = part.compressedSize ?? data.length;
    const { local = {}, extra = Buffer.alloc(0) } = part;
    const offset = part.at === undefined ? length() : (offsets[part.at] ?? 0);
    offsets.push(offset);
    if (part.at === undefined) {
      const localName = local.name === undefined ? name : Buffer.from(local.name);
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50, 0);
      header.writeUInt16LE(20, 4);
      header.writeUInt16LE(local.flags ?? flags, 6);
      header.writeUInt16LE(local.method ?? method, 8);
      header.writeUInt32LE(local.crc ?? crc, 14);
      header.writeUInt32LE(compressed, 18);
      header.writeUInt32LE(local.size ?? size, 22);
      header.writeUInt16LE(localName.length, 26);
      chunks.push(header, localName, data, part.gap ?? Buffer.alloc(0));
    }
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE((3 << 8) | 20, 4);
    record.writeUInt16LE(20, 6);
    record.writeUInt16LE(flags, 8);
    record.writeUInt16LE(method, 10);
    record.writeUInt32LE(crc, 16);
    record.writeUInt32LE(compressed, 20);
    record.writeUInt32LE(size, 24);
    record.writeUInt16LE(name.length, 28);
    record.writeUInt16LE(extra.length, 30);
    record.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 38);
    record.writeUInt32LE(offset, 42);
    directory.push(record, name, extra);
  }
  if (options.beforeDirectory) chunks.push(options.beforeDirectory);
  const directoryAt = length();
  chunks.push(...directory);
  const directorySize = length() - directoryAt;
  if (options.beforeEnd) chunks.push(options.beforeEnd);
  const comment = options.comment ?? Buffer.alloc(0);
  const count = options.entryCount ?? parts.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directorySize, 12);
  end.writeUInt32LE(directoryAt, 16);
  end.writeUInt16LE(comment.length, 20);
  chunks.push(end, comment, options.after ?? Buffer.alloc(0));
  return Buffer.concat(chunks);
}

/** A symbolic link. */
export function link(name: string, target: string): ZipPart {
  return { name, content: target, mode: 0o120777 };
}
