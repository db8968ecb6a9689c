import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ListedStatus } from '../statuses.ts';
import { type HashKey, hashName } from './hash.ts';

/*
 * The name index, a file that every process on the machine reads where it lies, so that the page cache holds it once
 * and no process holds it at all:
 *
 *   header       64 bytes: magic, version, key of the hash, counts, lengths (see below)
 *   about        JSON: the feeds, and whatever the builder wants to know again
 *   buckets      65 537 uint32: how many names come before each bucket; the bucket is the highest 16 bits of the hash
 *   set starts   uint32: where the listings of each set begin, and where the last one ends
 *   set items    uint16 pairs: number of a feed, day since which it lists the name
 *   names        bucket by bucket, n names each: n low halves (uint32), n sets (uint32), n times the 16 bits between
 *
 * A look-up hashes the name and reads one bucket, 10 bytes a name, under 1 KiB with five million names.
 * All numbers are little-endian.
 */
export const magic = 0x5844494d;
export const version = 1;
export const headerBytes = 64;
export const bucketCount = 65_536;
export const bytesPerName = 10;

/** Offsets of the uint32 fields of the header. */
export const field = {
  magic: 0,
  version: 1,
  key0: 2,
  key1: 3,
  names: 4,
  sets: 5,
  items: 6,
  about: 7,
} as const;

export interface FeedOfIndex {
  readonly id: string;
  readonly status: ListedStatus;
  /** Whether the list came with the program. */
  readonly isLocal: boolean;
}

/** How many names have a status: by the lists that came with the program, and by all. */
interface Coverage {
  readonly local: number;
  readonly all: number;
}

/** What the builder writes of itself. */
export interface AboutIndex {
  readonly feeds: readonly FeedOfIndex[];
  /** Of everything that went into it: an index with another one is out of date. */
  readonly fingerprint: string;
  /** Milliseconds. */
  readonly builtAt: number;
  readonly coverage: Readonly<Partial<Record<ListedStatus, Coverage>>>;
}

/** That a feed lists a name, and since which day. */
export interface Listing {
  readonly feed: FeedOfIndex;
  readonly day: number;
}

export class NameIndex {
  readonly about: AboutIndex;
  readonly count: number;
  readonly #file: number;
  readonly #key: HashKey;
  readonly #buckets: Uint32Array;
  readonly #setStarts: Uint32Array;
  readonly #setItems: Uint16Array;
  readonly #namesAt: number;
  readonly #hash = new Uint32Array(2);
  #bucket = new Uint32Array(256);

  /** Throws where the file is not an index of this version. */
  constructor(file: string) {
    this.#file = openSync(file, 'r');
    try {
      const header = new Uint32Array(this.#read(0, headerBytes).buffer);
      if (header[field.magic] !== magic || header[field.version] !== version)
        throw new Error(`${file} is no name index.`);
      const size = (name: keyof typeof field) => header[field[name]] as number;
      this.#key = { k0: size('key0') | 0, k1: size('key1') | 0 };
      this.count = size('names');
      let at = headerBytes;
      const next = (bytes: number) => {
        const read = this.#read(at, bytes);
        at += bytes;
        return read.buffer as ArrayBuffer;
      };
      this.about = JSON.parse(Buffer.from(next(size('about'))).toString()) as AboutIndex;
      this.#buckets = new Uint32Array(next((bucketCount + 1) * 4));
      this.#setStarts = new Uint32Array(next((size('sets') + 1) * 4));
      this.#setItems = new Uint16Array(next(size('items') * 4));
      this.#namesAt = at;
      if (fstatSync(this.#file).size !== at + this.count * bytesPerName)
        throw new Error(`${file} is incomplete.`);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** The set of listings of the name that stands in `text` from `start` on, or -1. About a microsecond; allocates nothing. */
  find(text: string, start = 0): number {
    hashName(this.#key, text, start, this.#hash, 0);
    const low = this.#hash[0] as number;
    const high = this.#hash[1] as number;
    const first = this.#buckets[high >>> 16] as number;
    const n = (this.#buckets[(high >>> 16) + 1] as number) - first;
    if (n === 0) return -1;
    const bytes = n * bytesPerName;
    if (this.#bucket.byteLength < bytes) this.#bucket = new Uint32Array(Math.ceil(bytes / 4) * 2);
    readSync(this.#file, this.#bucket, 0, bytes, this.#namesAt + first * bytesPerName);
    for (let i = 0; i < n; i++) {
      if (this.#bucket[i] === low && this.#middle(n, i) === (high & 0xffff))
        return this.#bucket[n + i] as number;
    }
    return -1;
  }

  #middle(n: number, i: number): number {
    const at = 4 * n + i;
    return ((this.#bucket[at >>> 1] as number) >>> (16 * (at & 1))) & 0xffff;
  }

  /** The listings of a set that `find` returned. */
  listings(set: number): Listing[] {
    const listings: Listing[] = [];
    const end = this.#setStarts[set + 1] as number;
    for (let at = this.#setStarts[set] as number; at < end; at++) {
      const feed = this.about.feeds[this.#setItems[2 * at] as number];
      if (feed) listings.push({ feed, day: this.#setItems[2 * at + 1] as number });
    }
    return listings;
  }

  #read(at: number, bytes: number): Uint8Array {
    const buffer = new Uint8Array(bytes);
    let done = 0;
    while (done < bytes) {
      const read = readSync(this.#file, buffer, done, bytes - done, at + done);
      if (read === 0) throw new Error('The name index ends too soon.');
      done += read;
    }
    return buffer;
  }

  close(): void {
    closeSync(this.#file);
  }
}
