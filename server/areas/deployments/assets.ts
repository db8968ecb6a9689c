import { createHash } from 'node:crypto';
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
import type { Manifest, PublishedFile, Slice } from './artefact.ts';
import type { AssetFolder } from './configuration/frameworks.ts';
import { listFiles } from './configuration/project.ts';

/** Up to this size files share a blob, so that 500 of them are one write and one sync. */
const smallBytes = 64 * 1024;
const packBytes = 16 * 1024 * 1024;
const compressFrom = 1024;
const compressTo = 4 * 1024 * 1024;
const maxFiles = 50_000;

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
  for (const { folder, prefix = '', immutable } of folders) {
    const from = folder === '.' ? '' : folder;
    for (const name of await listFiles(projectFolder, maxFiles, from)) {
      const inFolder = from === '' ? name : name.slice(from.length + 1);
      const published = fromFileName(`/${prefix === '' ? '' : `${prefix}/`}${inFolder}`);
      if (Object.hasOwn(files, published) || isHidden(name, functions)) continue;
      const source = await realpath(path.join(root, name)).catch(() => null);
      if (source === null)
        throw new ConfigurationError('The build', [`left the link ${name}, which leads nowhere`]);
      if (source !== root && !source.startsWith(`${root}${path.sep}`))
        throw new ConfigurationError('The build', [`left the link ${name}, which leads out of the project`]);
      const found = await stat(source);
      if (!found.isFile()) continue;
      bytes += found.size;
      const etag = await etagOf(source);
      const old = known.get(etag);
      const type = typeOf(inFolder);
      if (old) reused += 1;
      const stored = old ?? (await packer.add(source, found.size, type));
      const { slice, br, gzip: gz } = stored;
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

function typeOf(name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream';
  return withCharset.test(type) ? `${type}; charset=utf-8` : type;
}

async function etagOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
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

  async add(file: string, size: number, type: string): Promise<Stored> {
    const wantsVariants = compressible.test(type) && size >= compressFrom && size <= compressTo;
    if (size > smallBytes) {
      const blob = newBlobName(this.#deps.clock.now());
      await this.#deps.blobs.put(blob, createReadStream(file));
      const variants = wantsVariants ? await this.#variants(await readFile(file)) : {};
      return { slice: [blob, 0, size], ...variants };
    }
    const content = await readFile(file);
    const slice = await this.#pack(content);
    return { slice, ...(wantsVariants ? await this.#variants(content) : {}) };
  }

  /** Kept where they save a tenth. */
  async #variants(content: Buffer): Promise<Pick<Stored, 'br' | 'gzip'>> {
    const params = { [constants.BROTLI_PARAM_QUALITY]: content.length > 512 * 1024 ? 5 : 9 };
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params }),
      promisify(gzip)(content, { level: 9 }),
    ]);
    const most = content.length * 0.9;
    return {
      ...(br.length < most ? { br: await this.#pack(br) } : {}),
      ...(gz.length < most ? { gzip: await this.#pack(gz) } : {}),
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
