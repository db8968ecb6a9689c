import { newId } from '#core/ids.ts';

/** Bytes of a blob, from `start` up to, and without, `end`. */
export interface BlobRange {
  start: number;
  end: number;
}

export interface BlobEntry {
  name: string;
  size: number;
  /** When it was written, in milliseconds since 1970. */
  writtenAt: number;
}

/** No blob has this name. */
export class BlobMissing extends Error {
  override name = 'BlobMissing';
  constructor(name: string) {
    super(`No blob is called ${name}.`);
  }
}

export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Where bytes are kept. A blob is written once, whole, under a name that was never used before, and never changes; what
 * it belongs to is known by the database alone. A blob that no row names is garbage: whoever puts one and does not
 * commit its row leaves it to the sweeper. Throws `Problem('storage_full')` and `Problem('unavailable')`.
 */
export interface Blobs extends AsyncDisposable {
  /** As the log and `doctor` name it. */
  readonly engine: 'files' | 's3';
  /**
   * Resolves with the size once the bytes are durable. When the content throws, nothing is left and its error is
   * thrown. Chunks that the content yields may be used again by their owner after the next one was asked for.
   */
  put(name: string, content: BlobContent): Promise<number>;
  /** All bytes of a range at once, for ranges that fit in memory; fewer when the blob ends before. */
  read(name: string, range: BlobRange): Promise<Buffer>;
  /** The bytes of a range as a stream. Throws `BlobMissing` before the first one. */
  stream(name: string, range: BlobRange): Promise<AsyncIterable<Buffer>>;
  /** What is not there is passed over. */
  delete(names: readonly string[]): Promise<void>;
  /** In order of their names, which is about that of their writing: those after `after`, up to `limit`. */
  list(options: { after: string; limit: number }): Promise<BlobEntry[]>;
}

/** 32 hexadecimal digits: the moment, then chance. */
export function newBlobName(now?: number): string {
  return newId(now).replaceAll('-', '');
}

/** The name that sorts before those of all blobs made from this moment on. */
export function blobNameAt(time: number): string {
  return Math.max(0, Math.floor(time)).toString(16).padStart(12, '0').padEnd(32, '0');
}

/** One space of blobs for each area, so that what one does not know is not garbage to another. */
export interface BlobSpaces extends AsyncDisposable {
  readonly storage: Blobs;
  readonly deployments: Blobs;
}
