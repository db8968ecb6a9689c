import type { Dropped } from '#areas/storage/dropped.ts';

/** What no build wants to be sent: dependencies come from the lock file, the rest is of this machine alone. */
const skipped = new Set([
  'node_modules',
  '.git',
  '.DS_Store',
  'Thumbs.db',
  '.vercel',
  '.next',
  '.nuxt',
  '.svelte-kit',
]);
const utf8Names = 0x0800;
const deflated = 8;
const maxFiles = 50_000;

/** One ZIP archive as it is; anything else packed into one, without the folder that holds all of it. */
export async function archiveOf(dropped: readonly Dropped[]): Promise<File> {
  const [only] = dropped;
  if (only && dropped.length === 1 && /\.zip$/i.test(only.path)) return only.file;
  const wanted = withoutCommonFolder(dropped).filter(
    ({ path }) => !path.split('/').some((segment) => skipped.has(segment)),
  );
  if (wanted.length === 0) throw new Error('The dropped items contain no files to deploy.');
  if (wanted.length > maxFiles)
    throw new Error(
      `There are ${wanted.length} files. Drop the project without dependencies and build output.`,
    );
  return zip(wanted);
}

function withoutCommonFolder(dropped: readonly Dropped[]): readonly Dropped[] {
  const [first] = dropped;
  const folder = first?.path.includes('/') ? first.path.slice(0, first.path.indexOf('/') + 1) : '';
  if (folder === '' || !dropped.every(({ path }) => path.startsWith(folder))) return dropped;
  return dropped.map(({ path, file }) => ({ path: path.slice(folder.length), file }));
}

/** A ZIP archive (PKWARE APPNOTE 6.3.10), each file deflated. */
async function zip(files: readonly Dropped[]): Promise<File> {
  const parts: BlobPart[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, file } of files) {
    const name = new TextEncoder().encode(path);
    const content = new Uint8Array(await file.arrayBuffer());
    const packed = await deflate(content);
    const about = header(30);
    about.setUint32(0, 0x04034b50, true);
    fill(about, 4, { content, packed, name });
    parts.push(about.buffer, name, packed);
    const entry = header(46);
    entry.setUint32(0, 0x02014b50, true);
    entry.setUint16(4, 20, true);
    fill(entry, 6, { content, packed, name });
    entry.setUint32(42, offset, true);
    directory.push(new Uint8Array(entry.buffer), name);
    offset += 30 + name.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = header(22);
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  return new File([...parts, ...directory, end.buffer], 'project.zip', { type: 'application/zip' });
}

function header(bytes: number): DataView<ArrayBuffer> {
  return new DataView(new ArrayBuffer(bytes));
}

/** What local headers and the directory say in the same order. */
function fill(
  view: DataView<ArrayBuffer>,
  at: number,
  { content, packed, name }: Record<'content' | 'packed' | 'name', Uint8Array>,
): void {
  view.setUint16(at, 20, true);
  view.setUint16(at + 2, utf8Names, true);
  view.setUint16(at + 4, deflated, true);
  view.setUint16(at + 8, 0x21, true);
  view.setUint32(at + 10, crc32(content), true);
  view.setUint32(at + 14, packed.length, true);
  view.setUint32(at + 18, content.length, true);
  view.setUint16(at + 22, name.length, true);
}

async function deflate(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(content: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of content) value = (table[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
