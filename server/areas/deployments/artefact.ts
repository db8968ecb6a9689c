import { createHash } from 'node:crypto';
import type { Configuration } from '@mainstay/config';
import type { Route } from '#areas/gateway/service.ts';
import type { Blobs } from '#core/blobs.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import type { ServiceKind } from '#core/service-engine.ts';

/** Bytes inside a blob: which, from where, how many. */
export type Slice = readonly [blob: string, offset: number, size: number];

/** A published file. */
export interface PublishedFile {
  slice: Slice;
  type: string;
  /** Strong, from the SHA-256 of the content. */
  etag: string;
  /** Its name holds a hash of its content. */
  immutable?: true;
  /** Compressed at deploy time, where that is worth it. */
  br?: Slice;
  gzip?: Slice;
}

export interface PackagedFunction {
  /** Path of the file in the project, as used in routes. */
  name: string;
  /** The blob of the package, a tar archive. */
  package: string;
  /** Of the entry, and of the folder that it runs in, in the package. */
  entry: string;
  workingFolder: string;
  memoryMegabytes: number;
  maxDurationSeconds: number;
  /** As the runner names it; `node` in manifests of before: the one that comes with Mainstay. */
  runtime: string;
  schedule: string | null;
  /** Engines that it has a part of; absent: none. */
  services?: readonly ServiceKind[];
  /** Of the package, unpacked; absent in artefacts of before it was kept. */
  packageBytes?: number;
}

/** What a deployment is once it is built: one blob of JSON, which names all others. */
export interface Manifest {
  version: 1;
  /** By path, in the form of `normalizePath`. */
  files: Readonly<Record<string, PublishedFile>>;
  functions: readonly PackagedFunction[];
  routes: readonly Route[];
  /** Where files of the project are published: `public/` at the root. */
  assetFolders: readonly { folder: string; prefix: string }[];
  env: Readonly<Record<string, string>>;
  images: Configuration['images'] | null;
  /** Absent in artefacts of before it was kept. */
  services?: Configuration['services'] | null;
}

/** Every request of the log names one, and few are asked for again and again. */
const partIds = new LazyLru<string, string>({ max: 10_000 });

/** The id of a function or a file of a deployment, which has no row: the same each time it is asked for. */
export function partId(deploymentId: string, kind: 'function' | 'file', name: string): string {
  const key = `${deploymentId} ${kind} ${name}`;
  const known = partIds.get(key);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(key).digest();
  digest.writeUInt8(0x80 | (digest.readUInt8(6) & 0x0f), 6);
  digest.writeUInt8(0x80 | (digest.readUInt8(8) & 0x3f), 8);
  const id = digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  partIds.set(key, id);
  return id;
}

const maxManifestBytes = 256 * 1024 * 1024;

export async function readManifest(
  blobs: Blobs,
  blob: string,
): Promise<{ manifest: Manifest; bytes: number }> {
  const chunks: Buffer[] = [];
  for await (const chunk of await blobs.stream(blob, { start: 0, end: maxManifestBytes })) chunks.push(chunk);
  const text = Buffer.concat(chunks);
  return { manifest: JSON.parse(text.toString('utf8')) as Manifest, bytes: text.length };
}
