import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  applicationBytes,
  type Environment,
  itemKey,
  openEnvironment,
  prefixRange,
} from '#adapters/lmdb/environment.ts';
import { Generation } from '#adapters/lmdb/generation.ts';
import { readState, statesFrom } from '#adapters/lmdb/states.ts';
import type { Limits } from '#adapters/lmdb/tables.ts';
import { Writer } from '#adapters/lmdb/writer.ts';
import { bodyBuffers } from '#core/body-buffers.ts';
import {
  type Cache,
  type CacheItem,
  type CacheOperation,
  type CacheOutcome,
  type CacheUsage,
  type KeyedEntry,
  type Once,
  usedForAnother,
} from '#core/cache.ts';
import { decodeEntry, decodeItem } from '#core/cache-record.ts';
import type { Clock } from '#core/clock.ts';

/** Opens, or makes, the cache in that folder. Several processes may have it open. */
export function openLmdb(
  folder: string,
  options: {
    limits: Limits;
    clock: Clock;
    /** Milliseconds that a write may wait for its turn. */
    longestWait?: number;
  },
): Cache {
  return new LmdbCache(folder, options.limits, options.clock, options.longestWait);
}

/** Pages are half full at worst, and a write needs room beside what it replaces. */
const mapFactor = 4;
/** Smaller ones come from Node's own pool. */
const largeBytes = 4096;
const stepKeys = 100;
const stepCount = 10_000;

class LmdbCache implements Cache {
  readonly engine = 'lmdb';
  readonly #env: Environment;
  readonly #writer: Writer;
  readonly #limits: Limits;
  readonly #clock: Clock;
  #fresh = false;
  #closed = false;

  constructor(folder: string, limits: Limits, clock: Clock, longestWait: number | undefined) {
    const mapBytes = limits.totalBytes * mapFactor;
    const generation = Generation.open(folder);
    this.#env = openEnvironment(generation.file, mapBytes);
    generation.close();
    this.#writer = new Writer({ folder, mapBytes, limits }, () => this.#env.root.resetReadTxn(), longestWait);
    this.#limits = limits;
    this.#clock = clock;
  }

  get(applicationId: string, key: string): CacheItem | null {
    this.#refresh();
    const record = this.#env.items.getBinaryFast(itemKey(applicationId, key));
    if (!record || record.readDoubleBE(0) <= this.#clock.now()) return null;
    // The bytes are LMDB's until the next read: they are copied.
    const copy =
      record.length > largeBytes ? bodyBuffers.take(record.length) : Buffer.allocUnsafe(record.length);
    record.copy(copy, 0, 0, record.length);
    return decodeItem(copy);
  }

  async run(
    applicationId: string,
    operations: readonly CacheOperation[],
    once?: Once,
  ): Promise<CacheOutcome[]> {
    if (operations.every(({ op }) => op === 'get')) {
      return operations.map((operation) => ({
        item: this.get(applicationId, (operation as { key: string }).key),
      }));
    }
    const now = this.#clock.now();
    const request = { kind: 'run', now, applicationId, operations, ...(once ? { once } : {}) } as const;
    const outcomes = await this.#writer.send(request);
    if (!outcomes) throw usedForAnother();
    return outcomes.map(withBuffer);
  }

  async list(
    applicationId: string,
    page: { prefix: string; after?: string | undefined; limit: number; total: boolean },
  ): Promise<{ items: KeyedEntry[]; total: number | undefined }> {
    this.#refresh();
    const { end, ...range } = prefixRange(applicationId, page.prefix);
    const after = page.after === undefined ? undefined : itemKey(applicationId, page.after);
    const items: KeyedEntry[] = [];
    const now = this.#clock.now();
    let start = after ? Buffer.concat([after, Buffer.of(0)]) : range.start;
    const pause = new Pause();
    while (items.length < page.limit) {
      const keys = [...this.#env.items.getKeys({ start, end, limit: stepKeys })] as Buffer[];
      for (const key of keys) {
        if (items.length === page.limit) break;
        const record = this.#env.items.getBinaryFast(key);
        const entry = record && decodeEntry(record);
        const name = key.toString('utf8', applicationBytes);
        if (entry && entry.expiresAt > now) items.push({ key: name, ...entry });
        // Reading an entry reads its value too, which may be large.
        await pause.whenDue();
      }
      const last = keys.at(-1);
      if (!last || keys.length < stepKeys) break;
      start = Buffer.concat([last, Buffer.of(0)]);
    }
    return { items, total: page.total ? await this.#countKeys(range.start, end) : undefined };
  }

  async clear(applicationId: string, prefix: string | null): Promise<number> {
    let count = 0;
    let after: Uint8Array | undefined;
    do {
      const position = after ? { after } : {};
      const now = this.#clock.now();
      const step = await this.#writer.send({ kind: 'clear', now, applicationId, prefix, ...position });
      count += step.seen;
      after = step.last;
    } while (after);
    return count;
  }

  async usage(applicationId: string): Promise<CacheUsage> {
    this.#refresh();
    const { items, bytes, hits, misses, evictions } = readState(this.#env, applicationId);
    return { items, bytes, maxBytes: this.#limits.applicationBytes, hits, misses, evictions };
  }

  async sweep(): Promise<void> {
    let after: string | undefined;
    do {
      const position = after ? { after } : {};
      ({ after } = await this.#writer.send({ kind: 'sweep', now: this.#clock.now(), ...position }));
    } while (after);
  }

  async *applications(): AsyncIterable<string> {
    let after: string | undefined;
    for (;;) {
      this.#refresh();
      const step = [...statesFrom(this.#env, { after, limit: stepKeys })].map(([id]) => id);
      yield* step;
      after = step.at(-1);
      if (step.length < stepKeys) return;
      await nextTurn();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    this.#closed = true;
    await this.#env.root.close();
  }

  async #countKeys(start: Buffer, end: Buffer): Promise<number> {
    let count = 0;
    const pause = new Pause();
    for (let from: Buffer | undefined = start; from; ) {
      this.#refresh();
      const step: Uint8Array[] = [
        ...this.#env.items.getKeys({ start: from, end, offset: stepCount, limit: 1 }),
      ] as Uint8Array[];
      const [next] = step;
      count += next ? stepCount : this.#env.items.getKeysCount({ start: from, end });
      from = next && Buffer.from(next);
      await pause.whenDue();
    }
    return count;
  }

  /** Reads in one turn of the event loop share a view of the data, which is never older than that turn. */
  #refresh(): void {
    if (this.#fresh) return;
    this.#fresh = true;
    setImmediate(() => {
      this.#fresh = false;
      if (!this.#closed) this.#env.root.resetReadTxn();
    });
  }
}

/** Lets others have the event loop after a few milliseconds of work. */
class Pause {
  #since = performance.now();

  async whenDue(): Promise<void> {
    if (performance.now() - this.#since < 3) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** Between threads a Buffer becomes a plain array of bytes. */
function withBuffer(outcome: CacheOutcome): CacheOutcome {
  if (!('item' in outcome) || !outcome.item) return outcome;
  const { buffer, byteOffset, length } = outcome.item.json;
  return { item: { ...outcome.item, json: Buffer.from(buffer, byteOffset, length) } };
}
