import { type FileHandle, open, rename } from 'node:fs/promises';
import { type ListedStatus, worst } from '../statuses.ts';
import type { HashKey } from './hash.ts';
import {
  type AboutIndex,
  bucketCount,
  bytesPerName,
  type FeedOfIndex,
  field,
  headerBytes,
  magic,
  version,
} from './index-file.ts';
import { compareAt, type SortedNames } from './sorted-names.ts';

/** The names of one feed, in the order of `about.feeds`. */
export type FeedNames = readonly SortedNames[];

/** Merges the feeds' names into one index file, written aside and renamed. Returns how many names it has. */
export async function writeIndex(
  file: string,
  key: HashKey,
  about: Omit<AboutIndex, 'coverage'>,
  feeds: FeedNames,
): Promise<number> {
  const merged = merge(feeds);
  const coverage = coverageOf(merged, about.feeds);
  const whole: AboutIndex = { ...about, coverage };
  const text = Buffer.from(JSON.stringify(whole));
  const header = new Uint32Array(headerBytes / 4);
  header[field.magic] = magic;
  header[field.version] = version;
  header[field.key0] = key.k0;
  header[field.key1] = key.k1;
  header[field.names] = merged.count;
  header[field.sets] = merged.setStarts.length - 1;
  header[field.items] = merged.setItems.length / 2;
  header[field.about] = text.length;

  const aside = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    for (const part of [header, text, merged.buckets, merged.setStarts, merged.setItems]) {
      await handle.writeFile(bytesOf(part));
    }
    await writeNames(handle, merged);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(aside, file);
  return merged.count;
}

interface Merged {
  count: number;
  hashes: Uint32Array;
  sets: Uint32Array;
  buckets: Uint32Array;
  setStarts: Uint32Array;
  setItems: Uint16Array;
}

function merge(feeds: FeedNames): Merged {
  const most = feeds.reduce((sum, { days }) => sum + days.length, 0);
  const hashes = new Uint32Array(most * 2);
  const sets = new Uint32Array(most);
  const buckets = new Uint32Array(bucketCount + 1);
  const table = new SetTable();
  const heads = new Uint32Array(feeds.length);
  let count = 0;
  for (; ; count++) {
    const least = leastOf(feeds, heads);
    if (least < 0) break;
    const from = feeds[least] as SortedNames;
    const at = heads[least] as number;
    hashes[2 * count] = from.hashes[2 * at] as number;
    hashes[2 * count + 1] = from.hashes[2 * at + 1] as number;
    let set = 0;
    for (const [number, feed] of feeds.entries()) {
      const head = heads[number] as number;
      if (head === feed.days.length || compareAt(feed.hashes, head, hashes, count) !== 0) continue;
      set = table.with(set, number, feed.days[head] as number);
      heads[number] = head + 1;
    }
    sets[count] = set;
    const bucket = (hashes[2 * count + 1] as number) >>> 16;
    buckets[bucket + 1] = count + 1;
  }
  for (let bucket = 1; bucket <= bucketCount; bucket++) {
    buckets[bucket] = Math.max(buckets[bucket] as number, buckets[bucket - 1] as number);
  }
  return { count, hashes, sets, buckets, ...table.finish() };
}

function leastOf(feeds: FeedNames, heads: Uint32Array): number {
  let least = -1;
  for (let number = 0; number < feeds.length; number++) {
    const feed = feeds[number] as SortedNames;
    if ((heads[number] as number) === feed.days.length) continue;
    const best = feeds[least];
    if (!best || compareAt(feed.hashes, heads[number] as number, best.hashes, heads[least] as number) < 0)
      least = number;
  }
  return least;
}

/** Which status a set of listings gives, and how many names have that set. */
function coverageOf(merged: Merged, feeds: readonly FeedOfIndex[]): AboutIndex['coverage'] {
  const { sets, setStarts, setItems } = merged;
  const counts = new Uint32Array(setStarts.length);
  for (let i = 0; i < merged.count; i++)
    counts[sets[i] as number] = (counts[sets[i] as number] as number) + 1;
  const coverage: Partial<Record<ListedStatus, { local: number; all: number }>> = {};
  for (const [set, count] of counts.entries()) {
    const listed: FeedOfIndex[] = [];
    for (let at = setStarts[set] as number; at < (setStarts[set + 1] ?? 0); at++) {
      listed.push(feeds[setItems[2 * at] as number] as FeedOfIndex);
    }
    const status = worst(listed.map((feed) => feed.status));
    if (!status || count === 0) continue;
    const entry = coverage[status] ?? { local: 0, all: 0 };
    coverage[status] = entry;
    entry.all += count;
    if (listed.some((feed) => feed.isLocal && feed.status === status)) entry.local += count;
  }
  return coverage;
}

/** Names share few sets of listings: each is written once. A set is known by the set it extends and what it adds. */
class SetTable {
  readonly #known = new Map<number, number>();
  readonly #items: (readonly [feed: number, day: number][])[] = [[]];

  with(set: number, feed: number, day: number): number {
    const key = (set * 1024 + feed) * 65_536 + day;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#items.push([...(this.#items[set] ?? []), [feed, day]]);
    this.#known.set(key, this.#items.length - 1);
    return this.#items.length - 1;
  }

  finish(): { setStarts: Uint32Array; setItems: Uint16Array } {
    const setStarts = new Uint32Array(this.#items.length + 1);
    for (const [set, items] of this.#items.entries())
      setStarts[set + 1] = (setStarts[set] as number) + items.length;
    return { setStarts, setItems: Uint16Array.from(this.#items.flat(2)) };
  }
}

/** A few buckets at a time, laid out as the reader wants them. */
async function writeNames(handle: FileHandle, { hashes, sets, buckets, count }: Merged): Promise<void> {
  const bucketsAtOnce = 1024;
  for (let bucket = 0; bucket < bucketCount; bucket += bucketsAtOnce) {
    const from = buckets[bucket] as number;
    const until = buckets[bucket + bucketsAtOnce] ?? count;
    const block = Buffer.alloc((until - from) * bytesPerName);
    for (let each = bucket; each < bucket + bucketsAtOnce; each++) {
      const start = buckets[each] as number;
      const n = (buckets[each + 1] as number) - start;
      const at = (start - from) * bytesPerName;
      for (let i = 0; i < n; i++) {
        block.writeUInt32LE(hashes[2 * (start + i)] as number, at + 4 * i);
        block.writeUInt32LE(sets[start + i] as number, at + 4 * (n + i));
        block.writeUInt16LE((hashes[2 * (start + i) + 1] as number) & 0xffff, at + 8 * n + 2 * i);
      }
    }
    await handle.writeFile(block);
  }
}

function bytesOf(part: Uint32Array | Uint16Array | Buffer): Uint8Array {
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
}
