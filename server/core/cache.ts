import { Problem } from '#core/problem.ts';

/** Of items that do not expire: later than any moment that a client can name. */
export const never = Number.MAX_SAFE_INTEGER;

/** What an item takes besides its key and value: its place in the order of leaving, and the engine's own share. */
export const itemOverheadBytes = 160;

/** All that is known of an item but its value. */
export interface CacheEntry {
  /** Grows with every write of an application and never comes twice: it tells one state of an item from another. */
  version: number;
  /** Milliseconds since 1970, or `never`. */
  expiresAt: number;
  /** The number that the client sent; 0: never. */
  expiration: number;
  /** Of the value in UTF-8. */
  byteSize: number;
}

export interface CacheItem extends CacheEntry {
  /** The value as JSON text (a string in quotes), in UTF-8: as answers carry it, so that reading is copying. */
  json: Buffer;
}

export interface KeyedEntry extends CacheEntry {
  key: string;
}

/** HTTP's preconditions (RFC 9110, 13.1.1 and 13.1.2), on versions. */
export interface Precondition {
  /** There has to be an item: any, or one of these versions. */
  match?: 'any' | readonly number[] | undefined;
  /** There must be none: none at all, or none of these versions. */
  noneMatch?: 'any' | readonly number[] | undefined;
}

export type CacheOperation =
  | { op: 'get'; key: string }
  | {
      op: 'set';
      key: string;
      json: string;
      byteSize: number;
      expiration: number;
      expiresAt: number;
      condition?: Precondition | undefined;
    }
  | { op: 'delete'; key: string; condition?: Precondition | undefined }
  /** A missing item counts as 0 and is made with this expiration; one that is there keeps its own. */
  | { op: 'increment'; key: string; by: number; expiration: number; expiresAt: number }
  /** Adds to the counts of the application. */
  | { op: 'tally'; hits: number; misses: number };

export type CacheFailure =
  /** The precondition does not hold. */
  | 'precondition'
  /** The item to increment does not hold a whole number of at most 2^53 - 1. */
  | 'not_a_number'
  /** The sum would be beyond 2^53 - 1. */
  | 'overflow'
  /** There is no room, not even when all other items of the application leave. */
  | 'full';

export type CacheOutcome =
  /** get, increment: the item. */
  | { item: CacheItem | null }
  /** set: what was written; delete, tally: null. */
  | { entry: CacheEntry | null }
  | { failure: CacheFailure };

/** Makes a request safe to send twice: the same `id` and `fingerprint` give the outcomes of the first time. */
export interface Once {
  id: string;
  /** Of the request. Another one under the same id is refused with `Problem('unprocessable')`. */
  fingerprint: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface CacheUsage {
  items: number;
  /** Of keys and values as they are stored, and `itemOverheadBytes` for each item. */
  bytes: number;
  /** The most that `bytes` can be. */
  maxBytes: number;
  hits: number;
  misses: number;
  /** Items evicted before their expiration. */
  evictions: number;
}

/**
 * Items of text by key, apart for each application, with a time to live. An expired item and one that never was look
 * the same to everyone, at once; only counts may hold it until it is swept. Past its bound an application makes room
 * among its own items, never another's: those nearest to expiry go first, then the oldest.
 *
 * Methods reject with `Problem('unavailable')` while the engine is away, and with `Problem('storage_full')` when it
 * cannot write.
 */
export interface Cache extends AsyncDisposable {
  readonly engine: 'lmdb' | 'valkey';
  /** Synchronous where it can be: a promise costs a turn of the event loop on every request. */
  get(applicationId: string, key: string): CacheItem | null | Promise<CacheItem | null>;
  /**
   * Does the operations in order, with nobody else's between them; one that fails changes nothing and does not stop the
   * others. What has been done survives the death of this process.
   */
  run(applicationId: string, operations: readonly CacheOperation[], once?: Once): Promise<CacheOutcome[]>;
  /** The items whose keys begin with `prefix` and come after `after`, in the order of their bytes, and how many begin so. */
  list(
    applicationId: string,
    page: { prefix: string; after?: string | undefined; limit: number; total: boolean },
  ): Promise<{ items: KeyedEntry[]; total: number | undefined }>;
  /** Removes the items whose keys begin with `prefix`, in steps, and says how many there were; null: counts as well. */
  clear(applicationId: string, prefix: string | null): Promise<number>;
  usage(applicationId: string): Promise<CacheUsage>;
  /** Removes expired items, in steps that let others through. */
  sweep(): Promise<void>;
  /** The applications that have items or counts. */
  applications(): AsyncIterable<string>;
}

/** Whether an operation may go ahead on an item of this version; undefined: there is none. */
export function holds(condition: Precondition | undefined, version: number | undefined): boolean {
  if (!condition) return true;
  const { match, noneMatch } = condition;
  if (match !== undefined && !names(match, version)) return false;
  return noneMatch === undefined || !names(noneMatch, version);
}

function names(versions: 'any' | readonly number[], version: number | undefined): boolean {
  return version !== undefined && (versions === 'any' || versions.includes(version));
}

export function cacheUnavailable(cause: unknown): Problem {
  const sentence = 'The cache cannot be reached just now; try again shortly.';
  return new Problem('unavailable', sentence, { cause, retryAfterSeconds: 1 });
}

/** For an id of `Once` that came with another fingerprint. */
export function usedForAnother(): Problem {
  return new Problem('unprocessable', 'This Idempotency-Key was used for another request; send a new one.');
}
