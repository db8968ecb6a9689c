import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ConfigurationError, configurationStems } from '@mainstay/config';
import mime from 'mime';
import { fromFileName } from '#areas/gateway/service.ts';
import { type Blobs, newBlobName } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import { eachOf } from '#core/each-of.ts';
import type { Manifest, PublishedFile, Slice } from './artefact.ts';
import type { AssetFolder } from './configuration/frameworks.ts';
import { listFiles } from './configuration/project.ts';

/** Up to this size files share a blob, so that 500 of them are one write and one sync. */
const smallBytes = 64 * 1024;
const packBytes = 16 * 1024 * 1024;
const compressFrom = 1024;
const compressTo = 4 * 1024 * 1024;
/** Up to here brotli has a window of 64 KiB: beyond that it clears 32 MiB for each file, ten times the work for the same size. */
const smallWindowBytes = 128 * 1024;
const smallWindowBits = 16;
const maxFiles = 50_000;
/** Small files are mostly waiting: for the disk, and for the threads that compress. */
const filesAtOnce = 16;

const compressible =
  /^(?:text\/|application\/(?:json|javascript|xml|wasm|manifest\+json|ld\+json|rss\+xml|atom\+xml)|image\/svg|font\/(?:ttf|otf))/;
const withCharset = /^(?:text\/|application\/(?:json|javascript|xml|manifest\+json|ld\+json))/;

/** Never published, whatever folder they are in. */
function isHidden(name: string, functions: ReadonlySet<string>): boolean {
  const segments = name.split('/');
  return (
    functions.has(name) ||
    segments.some(
      (segment) => segment.startsWith('.ht') || segment === '.git' || segment.startsWith('.env'),
    ) ||
    isConfigurationFile(segments.at(-1) ?? '')
  );
}

function isConfigurationFile(name: string): boolean {
  return (
    /^[^.]+\.(?:[cm]?[jt]s|ya?ml|json)$/.test(name) && configurationStems.includes(name.split('.')[0] ?? '')
  );
}

interface Deps {
  blobs: Blobs;
  clock: Clock;
  /** Of the deployment before: what it has is not written again. */
  previous: Manifest | null;
}

export interface WrittenAssets {
  files: Record<string, PublishedFile>;
  /** Blobs that the files are in, new or old. */
  blobs: string[];
  bytes: number;
  /** How many of the files were there already. */
  reused: number;
}

/** Publishes the folders; of two files for one path the first wins. Links are published as the files they lead to. */
export async function writeAssets(
  deps: Deps,
  projectFolder: string,
  folders: readonly AssetFolder[],
  functions: ReadonlySet<string>,
): Promise<WrittenAssets> {
  const known = new Map(Object.values(deps.previous?.files ?? {}).map((file) => [file.etag, file]));
  const files: Record<string, PublishedFile> = Object.create(null);
  const packer = new Packer(deps);
  const root = await realpath(projectFolder);
  let bytes = 0;
  let reused = 0;
  const found = await findFiles(root, folders, functions);
  for (let from = 0; from < found.length; from += filesAtOnce) {
    const some = found.slice(from, from + filesAtOnce);
    const read: ReadFile[] = [];
    await eachOf(some, filesAtOnce, async ({ source, size, name }, at) => {
      read[at] = await readSource(source, size, typeOf(name), known);
    });
    // In order, so that the same files make the same packs.
    for (const [at, { published, source, size, name, immutable }] of some.entries()) {
      const { etag, old, ...one } = read[at] as ReadFile;
      const type = typeOf(name);
      bytes += size;
      if (old) reused += 1;
      const { slice, br, gzip: gz } = old ?? (await packer.add(source, size, type, one));
      files[published] = {
        ...{ slice, type, etag },
        ...(immutable ? { immutable } : {}),
        ...(br ? { br } : {}),
        ...(gz ? { gzip: gz } : {}),
      };
    }
  }
  await packer.flush();
  for (const file of Object.values(files)) fillIn(file, packer.placed);
  const blobs = new Set(
    Object.values(files).flatMap(({ slice, br, gzip: gz }) =>
      [slice, br, gz].flatMap((one) => one?.[0] ?? []),
    ),
  );
  return { files, blobs: [...blobs], bytes, reused };
}

interface FoundFile {
  /** Its path on the site. */
  published: string;
  /** In its folder. */
  name: string;
  /** Absolute. */
  source: string;
  size: number;
  immutable: true | undefined;
}

/** What the folders publish, in order. */
async function findFiles(
  root: string,
  folders: readonly AssetFolder[],
  functions: ReadonlySet<string>,
): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const { folder, prefix = '', immutable } of folders) {
    const from = folder === '.' ? '' : folder;
    const names: { published: string; name: string; place: string }[] = [];
    for (const place of await listFiles(root, maxFiles, from)) {
      const name = from === '' ? place : place.slice(from.length + 1);
      const published = fromFileName(`/${prefix === '' ? '' : `${prefix}/`}${name}`);
      if (!found.has(published) && !isHidden(place, functions)) names.push({ published, name, place });
    }
    const all: (FoundFile | null)[] = [];
    await eachOf(names, filesAtOnce, async ({ published, name, place }, at) => {
      const source = await sourceOf(root, place);
      const { size, isFile } = await stat(source).then((one) => ({ size: one.size, isFile: one.isFile() }));
      all[at] = isFile ? { published, name, source, size, immutable: immutable ? true : undefined } : null;
    });
    for (const one of all) if (one) found.set(one.published, one);
  }
  return [...found.values()];
}

/** Where a file, or a link, really is; in the project. */
async function sourceOf(root: string, place: string): Promise<string> {
  const source = await realpath(path.join(root, place)).catch(() => null);
  if (source === null)
    throw new ConfigurationError('The build', [`left the link ${place}, which leads nowhere`]);
  if (source !== root && !source.startsWith(`${root}${path.sep}`))
    throw new ConfigurationError('The build', [`left the link ${place}, which leads out of the project`]);
  return source;
}

/** What of a file is made without its place in a pack. */
interface ReadFile {
  etag: string;
  /** The same content in the deployment before. */
  old: PublishedFile | undefined;
  /** Of a small file; a large one is read again when it is stored. */
  content?: Buffer;
  variants?: Variants;
}

interface Variants {
  br: Buffer | null;
  gzip: Buffer | null;
}

async function readSource(
  source: string,
  size: number,
  type: string,
  known: ReadonlyMap<string, PublishedFile>,
): Promise<ReadFile> {
  if (size > smallBytes) {
    const etag = await etagOf(source);
    return { etag, old: known.get(etag) };
  }
  const content = await readFile(source);
  const etag = etagFrom(createHash('sha256').update(content));
  const old = known.get(etag);
  if (old) return { etag, old };
  return {
    etag,
    old,
    content,
    ...(wantsVariants(type, size) ? { variants: await compressed(content) } : {}),
  };
}

function wantsVariants(type: string, size: number): boolean {
  return compressible.test(type) && size >= compressFrom && size <= compressTo;
}

/** Kept where they save a tenth. */
async function compressed(content: Buffer): Promise<Variants> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: content.length > 512 * 1024 ? 5 : 9,
    ...(content.length <= smallWindowBytes ? { [constants.BROTLI_PARAM_LGWIN]: smallWindowBits } : {}),
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  const most = content.length * 0.9;
  return { br: br.length < most ? br : null, gzip: gz.length < most ? gz : null };
}

function typeOf(name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream';
  return withCharset.test(type) ? `${type}; charset=utf-8` : type;
}

async function etagOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return etagFrom(hash);
}

function etagFrom(hash: Hash): string {
  return `"${hash.digest('base64url').slice(0, 32)}"`;
}

/** A place in a pack that is not written yet: its number stands for the blob's name. */
function fillIn(file: PublishedFile, placed: ReadonlyMap<string, string>): void {
  const final = (slice: Slice): Slice => [placed.get(slice[0]) ?? slice[0], slice[1], slice[2]];
  file.slice = final(file.slice);
  if (file.br) file.br = final(file.br);
  if (file.gzip) file.gzip = final(file.gzip);
}

type Stored = Pick<PublishedFile, 'slice' | 'br' | 'gzip'>;

/** Gathers small files into packs; a large one is a blob of its own. */
class Packer {
  readonly #deps: Deps;
  /** Names of packs, by what stood for them. */
  readonly placed = new Map<string, string>();
  #chunks: Buffer[] = [];
  #size = 0;
  #count = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async add(
    file: string,
    size: number,
    type: string,
    { content, variants }: Pick<ReadFile, 'content' | 'variants'>,
  ): Promise<Stored> {
    if (content) {
      const slice = await this.#pack(content);
      return { slice, ...(variants ? await this.#packVariants(variants) : {}) };
    }
    const blob = newBlobName(this.#deps.clock.now());
    await this.#deps.blobs.put(blob, createReadStream(file));
    const made = wantsVariants(type, size) ? await compressed(await readFile(file)) : null;
    return { slice: [blob, 0, size], ...(made ? await this.#packVariants(made) : {}) };
  }

  async #packVariants({ br, gzip: gz }: Variants): Promise<Pick<Stored, 'br' | 'gzip'>> {
    return {
      ...(br ? { br: await this.#pack(br) } : {}),
      ...(gz ? { gzip: await this.#pack(gz) } : {}),
    };
  }

  async #pack(content: Buffer): Promise<Slice> {
    if (this.#size + content.length > packBytes) await this.flush();
    const slice: Slice = [`pack-${this.#count}`, this.#size, content.length];
    this.#chunks.push(content);
    this.#size += content.length;
    return slice;
  }

  async flush(): Promise<void> {
    if (this.#size > 0) {
      const blob = newBlobName(this.#deps.clock.now());
      await this.#deps.blobs.put(blob, Buffer.concat(this.#chunks));
      this.placed.set(`pack-${this.#count}`, blob);
    }
    this.#count += 1;
    this.#chunks = [];
    this.#size = 0;
  }
}
