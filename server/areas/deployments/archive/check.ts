import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { counted } from '#core/counted.ts';

/**
 * What an uploaded ZIP may hold. Only the central directory counts, each local header has to agree with it, and nothing is
 * written before every entry has passed: readers that disagree about an archive are how files get past checks
 * (PKWARE APPNOTE 6.3.10; Fifield, "A better zip bomb", 2019). All of it is in this file, so that it can be reviewed as a whole.
 */

export interface ArchiveLimits {
  /** Entries, folders among them. */
  entries: number;
  /** Of all files together, unpacked. */
  bytes: number;
}

export interface ArchiveEntry {
  entry: Entry;
  /** Relative to the archive's root, with slashes, without one at the end. */
  name: string;
  kind: 'file' | 'folder' | 'link';
  isExecutable: boolean;
  /** Of a link: relative to its folder, inside the root. */
  target?: string;
}

export interface CheckedArchive extends AsyncDisposable {
  zip: ZipFile;
  /** Folders, files and links as they stand in the directory. */
  entries: readonly ArchiveEntry[];
}

/** Why the archive is refused, for the deployment's log: it names the entry. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

const maxNameBytes = 1024;
const maxSegmentBytes = 255;
const maxLevels = 64;
const maxTargetBytes = 4096;
const maxRatio = 200;
const ratioCountsFrom = 1024 ** 2;

const encryptedFlags = 0b10_0000_0100_0001;
const streamedFlag = 0b1000;
const stored = 0;
const deflated = 8;
const unicodePathField = 0x7075;
const endOfDirectory = Buffer.from('PK\x05\x06', 'latin1');
const endOfDirectoryBytes = 22;
const zip64EndBytes = 56 + 20;

/** By the type bits of a Unix mode (stat.h). An archive that was not made on Unix has none. */
const fileTypes = new Map<number, ArchiveEntry['kind']>([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

/** Opens the archive, or throws `ArchiveError` for the first thing that it must not hold. Closing it is up to the caller. */
export async function checkArchive(file: string, limits: ArchiveLimits): Promise<CheckedArchive> {
  const handle = await open(file, 'r');
  let zip: ZipFile | undefined;
  try {
    const { size } = await handle.stat();
    const endAt = await findEnd(handle, size);
    zip = await openZip(file);
    // A ZIP64 archive can state more entries than anyone can read.
    if (zip.entryCount > limits.entries)
      throw new ArchiveError(
        `The archive has ${counted(zip.entryCount, 'entry', 'entries')}, and ${limits.entries} is the limit.`,
      );
    const entries: ArchiveEntry[] = [];
    const names = new Names();
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      const checked = await checkEntry(zip, entry);
      names.add(checked);
      bytes += entry.uncompressedSize;
      if (bytes > limits.bytes)
        throw new ArchiveError(`The files of the archive are larger than ${limits.bytes} bytes together.`);
      entries.push(checked);
    }
    await checkRanges(handle, zip, entries, endAt);
    if (!entries.some(({ kind }) => kind !== 'folder')) {
      throw new ArchiveError(
        'The archive is empty. Upload the sources of the project; a local ".vercel/output" is not used, the build runs here.',
      );
    }
    names.checkNesting();
    checkLinks(entries);
    const opened = zip;
    return {
      zip: opened,
      entries,
      [Symbol.asyncDispose]: async () => {
        opened.close();
        await handle.close();
      },
    };
  } catch (error) {
    zip?.close();
    await handle.close();
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`The archive is no valid ZIP file: ${(error as Error).message}`);
  }
}

function openZip(file: string): Promise<ZipFile> {
  return openPromise(file, {
    lazyEntries: true,
    decodeStrings: false,
    autoClose: false,
    validateEntrySizes: true,
  });
}

/** Where the one end record begins. Two of them, or bytes behind it, and readers could see different archives. */
async function findEnd(handle: FileHandle, size: number): Promise<number> {
  const length = Math.min(size, endOfDirectoryBytes + 65_535);
  const tail = Buffer.alloc(length);
  await handle.read(tail, 0, length, size - length);
  const last = tail.lastIndexOf(endOfDirectory);
  if (last === -1 || last + endOfDirectoryBytes > length)
    throw new ArchiveError('The file is no ZIP archive: it has no end record.');
  if (last + endOfDirectoryBytes + tail.readUInt16LE(last + 20) !== length)
    throw new ArchiveError('The archive has bytes behind its end.');
  if (tail.readUInt16LE(last + 20) > 0 || tail.indexOf(endOfDirectory) !== last) {
    // Bytes of a file can look like an end record by chance; only one that fits the file is another way to read it.
    for (
      let at = tail.indexOf(endOfDirectory);
      at !== -1 && at < last;
      at = tail.indexOf(endOfDirectory, at + 1)
    ) {
      const comment = at + endOfDirectoryBytes <= length ? tail.readUInt16LE(at + 20) : -1;
      if (at + endOfDirectoryBytes + comment === length)
        throw new ArchiveError('The archive has several end records.');
    }
  }
  return size - length + last;
}

async function checkEntry(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const shown = JSON.stringify(entry.fileNameRaw.toString('utf8').slice(0, 200));
  const refuse = (why: string): never => {
    throw new ArchiveError(`The entry ${shown} ${why}.`);
  };
  const text = checkName(entry, refuse);
  const { compressionMethod: method, generalPurposeBitFlag: flags } = entry;
  if (flags & encryptedFlags) refuse('is encrypted');
  if (method !== stored && method !== deflated)
    refuse(`uses the compression method ${method}; stored and deflate are known`);
  const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
  if (entry.uncompressedSize > ratioCountsFrom && ratio > maxRatio)
    refuse(`unpacks to ${Math.round(ratio)} times its size, and ${maxRatio} is the limit`);

  const local = await zip.readLocalFileHeaderPromise(entry);
  const streamed = (flags & streamedFlag) !== 0;
  const agrees =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === method &&
    local.generalPurposeBitFlag === flags &&
    (streamed || local.crc32 === entry.crc32) &&
    (streamed || isSizeOf(local.compressedSize, entry.compressedSize)) &&
    (streamed || isSizeOf(local.uncompressedSize, entry.uncompressedSize));
  if (!agrees) refuse('has a local header that says something else than the directory');

  const isFolderName = text.endsWith('/');
  const name = isFolderName ? text.slice(0, -1) : text;
  const fromUnix = entry.versionMadeBy >>> 8 === 3;
  const mode = fromUnix ? entry.externalFileAttributes >>> 16 : 0;
  const type = mode & 0o170000;
  const kind = isFolderName && type === 0 ? 'folder' : fileTypes.get(type);
  if (!kind) return refuse('is a device, a socket or a pipe');
  if (mode & 0o6000) refuse('has a set-user-id or set-group-id bit');
  if (isFolderName !== (kind === 'folder')) refuse('has a name that does not fit its kind');
  if (kind === 'folder' && entry.uncompressedSize > 0) refuse('is a folder with content');
  const isExecutable = (mode & 0o100) !== 0;
  if (kind !== 'link') return { entry, name, kind, isExecutable };
  if (entry.uncompressedSize === 0 || entry.uncompressedSize > maxTargetBytes)
    refuse('is a symbolic link without a target of sensible length');
  return { entry, name, kind, isExecutable, target: await readTarget(zip, entry, refuse) };
}

/** A local header of a ZIP64 entry says all ones and puts the size into an extra field. */
function isSizeOf(local: number, wanted: number): boolean {
  return local === wanted || local === 0xffffffff;
}

const reserved = new Set(['.', '..']);

function checkName(entry: Entry, refuse: (why: string) => never): string {
  const raw = entry.fileNameRaw;
  if (raw.length === 0) refuse('has an empty name');
  if (raw.length > maxNameBytes) refuse(`has a name of more than ${maxNameBytes} bytes`);
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    refuse('has a name that is not UTF-8');
  }
  const unicodePath = entry.extraFields.find(({ id }) => id === unicodePathField);
  if (unicodePath && !unicodePath.data.subarray(5).equals(raw))
    refuse('has a second name in its Unicode path field');
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) refuse('has control characters in its name');
  if (text.includes('\\')) refuse('has a backslash in its name');
  if (text.startsWith('/')) refuse('has an absolute name');
  if (/^[A-Za-z]:/.test(text)) refuse('has a drive letter in its name');
  const segments = text.replace(/\/$/, '').split('/');
  if (segments.length > maxLevels) refuse(`lies more than ${maxLevels} folders deep`);
  for (const segment of segments) {
    if (segment === '') refuse('has an empty segment in its name');
    if (reserved.has(segment)) refuse(`has the segment "${segment}" in its name`);
    if (Buffer.byteLength(segment) > maxSegmentBytes)
      refuse(`has a segment of more than ${maxSegmentBytes} bytes in its name`);
  }
  return text;
}

async function readTarget(zip: ZipFile, entry: Entry, refuse: (why: string) => never): Promise<string> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  if (/[\p{Cc}\\\uFFFD]/u.test(text) || text.startsWith('/') || /^[A-Za-z]:/.test(text))
    refuse('is a symbolic link with a target that is absolute or holds characters that no path has');
  return text;
}

/** Names as the strictest file system would tell them apart: without case, and in one spelling of each letter. */
class Names {
  /** Folded name to the name as it was spelled first. */
  readonly #spelled = new Map<string, string>();
  readonly #kinds = new Map<string, ArchiveEntry['kind']>();

  add({ name, kind }: ArchiveEntry): void {
    const folded = fold(name);
    const known = this.#kinds.get(folded);
    if (known) throw new ArchiveError(`The entry ${JSON.stringify(name)} stands twice in the archive.`);
    this.#kinds.set(folded, kind);
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1))
      this.#spell(name.slice(0, at));
    this.#spell(name);
  }

  #spell(name: string): void {
    const folded = fold(name);
    const known = this.#spelled.get(folded);
    if (known === undefined) this.#spelled.set(folded, name);
    else if (known !== name)
      throw new ArchiveError(
        `The names ${JSON.stringify(known)} and ${JSON.stringify(name)} are the same on some systems.`,
      );
  }

  /** What lies below something has to lie below a folder. */
  checkNesting(): void {
    for (const folded of this.#kinds.keys()) {
      for (let at = folded.indexOf('/'); at !== -1; at = folded.indexOf('/', at + 1)) {
        const above = folded.slice(0, at);
        const kind = this.#kinds.get(above) ?? 'folder';
        if (kind !== 'folder') {
          const name = JSON.stringify(this.#spelled.get(folded));
          throw new ArchiveError(
            `The entry ${name} lies below ${kind === 'link' ? 'a symbolic link' : 'a file'}.`,
          );
        }
      }
    }
  }
}

function fold(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

/** Every byte before the directory belongs to one entry, and only to one. */
async function checkRanges(
  handle: FileHandle,
  zip: ZipFile,
  entries: readonly ArchiveEntry[],
  endAt: number,
): Promise<void> {
  const ranges = await Promise.all(
    entries.map(async ({ entry, name }) => {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const streamed = (entry.generalPurposeBitFlag & streamedFlag) !== 0;
      const end = fileDataStart + entry.compressedSize;
      return { name, start: entry.relativeOffsetOfLocalHeader, end, streamed };
    }),
  );
  ranges.sort((a, b) => a.start - b.start);
  let at = 0;
  let open = false;
  for (const { name, start, end, streamed } of ranges) {
    demandNoGap(at, start, open, `before the entry ${JSON.stringify(name)}`);
    at = end;
    open = streamed;
  }
  const directoryAt = await directoryOffset(handle, endAt);
  demandNoGap(at, directoryAt, open, 'before its directory');
}

/** A data descriptor takes 12 to 24 bytes behind an entry that was streamed. */
function demandNoGap(from: number, to: number, afterStreamed: boolean, where: string): void {
  const gap = to - from;
  if (gap < 0) throw new ArchiveError(`The archive has entries that overlap ${where}.`);
  const allowed = afterStreamed
    ? gap === 12 || gap === 16 || gap === 20 || gap === 24 || gap === 0
    : gap === 0;
  if (!allowed) throw new ArchiveError(`The archive has data that belongs to no entry ${where}.`);
}

/** Where the central directory begins; between its end and the end record only the records of ZIP64 may stand. */
async function directoryOffset(handle: FileHandle, endAt: number): Promise<number> {
  const end = Buffer.alloc(endOfDirectoryBytes);
  await handle.read(end, 0, end.length, endAt);
  let size = end.readUInt32LE(12);
  let offset = end.readUInt32LE(16);
  let stop = endAt;
  if (offset === 0xffffffff || size === 0xffffffff || end.readUInt16LE(10) === 0xffff) {
    const record = Buffer.alloc(zip64EndBytes);
    await handle.read(record, 0, record.length, endAt - zip64EndBytes);
    if (record.readUInt32LE(0) !== 0x06064b50)
      throw new ArchiveError('The archive has a broken ZIP64 record.');
    size = Number(record.readBigUInt64LE(40));
    offset = Number(record.readBigUInt64LE(48));
    stop = endAt - zip64EndBytes;
  }
  if (offset + size !== stop)
    throw new ArchiveError('The archive has data between its directory and its end.');
  return offset;
}

/** Follows every link, through other links too: none may leave the root or lead back to itself. */
function checkLinks(entries: readonly ArchiveEntry[]): void {
  const links = new Map(
    entries.filter(({ kind }) => kind === 'link').map(({ name, target = '' }) => [name, target]),
  );
  for (const start of links.keys()) {
    const resolved = resolveLink(start, links);
    if (resolved === 'outside')
      throw new ArchiveError(`The symbolic link ${JSON.stringify(start)} leads out of the archive.`);
    if (resolved === 'loop')
      throw new ArchiveError(`The symbolic link ${JSON.stringify(start)} leads back to itself.`);
  }
}

function resolveLink(start: string, links: ReadonlyMap<string, string>): 'inside' | 'outside' | 'loop' {
  let steps = 0;
  // Segments still to walk, and where the walk stands: as the kernel resolves a path.
  let ahead = start.split('/');
  let stand: string[] = [];
  while (ahead.length > 0) {
    const [segment = '', ...rest] = ahead;
    ahead = rest;
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (stand.length === 0) return 'outside';
      stand = stand.slice(0, -1);
      continue;
    }
    const target = links.get([...stand, segment].join('/'));
    if (target === undefined) {
      stand = [...stand, segment];
      continue;
    }
    steps += 1;
    if (steps > 40) return 'loop';
    ahead = [...target.split('/'), ...ahead];
  }
  return 'inside';
}

/** Where an entry lies below a folder of this machine. */
export function placeOf(folder: string, name: string): string {
  return path.join(folder, ...name.split('/'));
}
