import type { Route } from '#areas/gateway/service.ts';
import type { Blobs } from '#core/blobs.ts';
import type { Configuration } from './configuration/schema.ts';

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
  /** The file in the project, as routes name it. */
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
