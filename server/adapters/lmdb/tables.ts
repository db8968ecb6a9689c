import {
  applicationBytes,
  applicationPrefix,
  type Environment,
  isHidden,
} from '#adapters/lmdb/environment.ts';
import { allApplications, readState, removeState, type State, writeState } from '#adapters/lmdb/states.ts';
import { type CacheEntry, type CacheItem, itemOverheadBytes } from '#core/cache.ts';
import {
  decodeEntry,
  decodeItem,
  encodeRecord,
  nextVersion,
  recordHeaderBytes,
  recordOrderBytes,
} from '#core/cache-record.ts';

export interface Limits {
  /** What the items of one application may count. */
  applicationBytes: number;
  /** And those of all applications. */
  totalBytes: number;
}

/** Where an item stands in the order of leaving. */
interface Place {
  key: Buffer;
  expiresAt: number;
  version: number;
  countedBytes: number;
}

export interface Found extends CacheEntry, Place {}

/** How many are looked up at once to free some space. */
const leavingAtOnce = 32;

/**
 * The tables inside one write transaction, kept in step: an item, its place in the order of leaving, and what it counts
 * in its application and in all. `finish` before the commit.
 */
export class Tables {
  readonly now: number;
  readonly #env: Environment;
  readonly #limits: Limits;
  readonly #states = new Map<string, State>();

  constructor(env: Environment, limits: Limits, now: number) {
    this.#env = env;
    this.#limits = limits;
    this.now = now;
  }

  /** The item under this key, expired or not. */
  find(key: Buffer): Found | undefined {
    const record = this.#env.items.getBinaryFast(key);
    return record && { key, ...decodeEntry(record), countedBytes: counted(key, record.length) };
  }

  /** A copy in memory of its own, so that it can be sent to another thread. The item has to be there. */
  item({ key }: Found): CacheItem {
    const record = this.#env.items.getBinaryFast(key) as Buffer;
    const copy = Buffer.allocUnsafeSlow(record.length);
    record.copy(copy, 0, 0, record.length);
    return decodeItem(copy);
  }

  /** Up to `limit` keys from `start` up to `end`. */
  keys(range: { start: Buffer; end: Buffer; limit: number }): Buffer[] {
    return [...this.#env.items.getKeys(range)].map((key) => Buffer.from(key as Uint8Array));
  }

  /** Writes the item in the place of `before`, making room for it. Undefined: there is none to be made. */
  put(
    applicationId: string,
    key: Buffer,
    before: Found | undefined,
    item: Omit<CacheEntry, 'version'> & { json: string },
  ): CacheEntry | undefined {
    const state = this.state(applicationId);
    const { expiresAt, expiration, byteSize } = item;
    const entry = { version: nextVersion(state.version, this.now), expiresAt, expiration, byteSize };
    if (expiresAt > this.now) {
      const record = encodeRecord(entry, item.json);
      const countedBytes = counted(key, record.length);
      if (!this.#canFit(state, countedBytes)) return undefined;
      // Its item is written over below.
      if (before) this.#leave(applicationId, before);
      this.#makeRoom(applicationId, state, countedBytes);
      this.#env.items.putSync(key, record);
      this.#env.order.putSync(orderKey(key, entry), encodePlace(key, countedBytes));
      this.#count(state, key, 1, countedBytes);
      state.nextExpiry = Math.min(state.nextExpiry, expiresAt);
    } else if (before) this.remove(applicationId, before);
    state.version = entry.version;
    return entry;
  }

  remove(applicationId: string, place: Place): void {
    this.#env.items.removeSync(place.key);
    this.#leave(applicationId, place);
  }

  /** The items that leave next: those nearest to expiry, then the oldest. */
  leaving(applicationId: string, limit: number): Place[] {
    const prefix = applicationPrefix(applicationId);
    const end = Buffer.concat([prefix, Buffer.alloc(recordOrderBytes, 0xff)]);
    const places = this.#env.order.getRange({ start: prefix, end, limit });
    return [...places].map(({ key, value }) => decodePlace(prefix, key, value));
  }

  state(applicationId: string): State {
    let state = this.#states.get(applicationId);
    if (!state) {
      state = readState(this.#env, applicationId);
      this.#states.set(applicationId, state);
    }
    return state;
  }

  /** Forgets what the application did. Its items have to be gone. */
  removeState(applicationId: string): void {
    this.#states.delete(applicationId);
    removeState(this.#env, applicationId);
  }

  finish(): void {
    for (const [applicationId, state] of this.#states) writeState(this.#env, applicationId, state);
  }

  /** Whether there is room once all items of the application have left. */
  #canFit(state: State, bytes: number): boolean {
    const others = this.state(allApplications).bytes - state.bytes;
    return bytes <= this.#limits.applicationBytes && others + bytes <= this.#limits.totalBytes;
  }

  #makeRoom(applicationId: string, state: State, bytes: number): void {
    const all = this.state(allApplications);
    const isOver = () =>
      state.bytes + bytes > this.#limits.applicationBytes || all.bytes + bytes > this.#limits.totalBytes;
    while (isOver()) {
      const leaving = this.leaving(applicationId, leavingAtOnce);
      if (leaving.length === 0) throw new Error('The cache counts more bytes than it has items for.');
      for (const place of leaving) {
        if (!isOver()) break;
        if (place.expiresAt > this.now && !isHidden(place.key)) state.evictions++;
        this.remove(applicationId, place);
      }
    }
  }

  /** Takes the item out of the order and the counts. */
  #leave(applicationId: string, place: Place): void {
    this.#env.order.removeSync(orderKey(place.key, place));
    this.#count(this.state(applicationId), place.key, -1, -place.countedBytes);
  }

  #count(state: State, key: Buffer, items: number, bytes: number): void {
    if (!isHidden(key)) state.items += items;
    state.bytes += bytes;
    this.state(allApplications).bytes += bytes;
  }
}

function counted(key: Buffer, recordBytes: number): number {
  return key.length - applicationBytes + recordBytes - recordHeaderBytes + itemOverheadBytes;
}

function orderKey(key: Buffer, { expiresAt, version }: { expiresAt: number; version: number }): Buffer {
  const order = Buffer.allocUnsafe(applicationBytes + recordOrderBytes);
  key.copy(order, 0, 0, applicationBytes);
  order.writeDoubleBE(expiresAt, applicationBytes);
  order.writeDoubleBE(version, applicationBytes + 8);
  return order;
}

function encodePlace(key: Buffer, countedBytes: number): Buffer {
  const place = Buffer.allocUnsafe(4 + key.length - applicationBytes);
  place.writeUInt32BE(countedBytes, 0);
  key.copy(place, 4, applicationBytes);
  return place;
}

function decodePlace(prefix: Buffer, order: Uint8Array, place: Uint8Array): Place {
  const view = new DataView(order.buffer, order.byteOffset, order.length);
  return {
    key: Buffer.concat([prefix, place.subarray(4)]),
    expiresAt: view.getFloat64(applicationBytes),
    version: view.getFloat64(applicationBytes + 8),
    countedBytes: new DataView(place.buffer, place.byteOffset).getUint32(0),
  };
}
