import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { LazyLru } from '#core/lazy-lru.ts';
import type { Purges } from './purges.ts';
import { type Freshness, type Headers, tagsOf, varyOf } from './rules.ts';

/** Where an answer belongs: nothing is shared between deployments. */
export interface CachePlace {
  environmentId: string;
  deploymentId: string;
  host: string;
  path: string;
  /** What decided about it, with the query: a condition on a header may lead the same address elsewhere. */
  target: string;
}

export interface StoredAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: Buffer;
  /** When it was asked for, in milliseconds. */
  storedAt: number;
  /** How old it was then, in seconds. */
  age: number;
  freshness: Freshness;
  tags: readonly string[];
}

/** What is not a visitor's: hop-by-hop fields were taken off before. */
const notStored = new Set(['age', 'cache-tag', 'cdn-cache-control', 'x-mainstay-cache', 'x-request-id']);
const overheadBytes = 1024;
const maxVaries = 50_000;

/** Answers of functions and proxied servers in memory, bounded by their size; those that were used longest ago leave. */
export class Responses {
  readonly #purges: Purges;
  readonly #answers: LRUCache<string, StoredAnswer>;
  /** By which request headers the answers of an address differ. */
  readonly #varies = new LazyLru<string, readonly string[]>({ max: maxVaries });
  readonly maxEntryBytes: number;
  readonly #maxBytes: number;
  /** Of answers that are on their way into the cache. */
  #reserved = 0;

  constructor({ maxBytes, purges }: { maxBytes: number; purges: Purges }) {
    this.#purges = purges;
    this.#maxBytes = maxBytes;
    this.maxEntryBytes = Math.floor(Math.min(16 * 1024 * 1024, maxBytes / 4));
    this.#answers = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ body, headers }) => body.length + JSON.stringify(headers).length + overheadBytes,
    });
  }

  /** Room for an answer on its way; false where there is none, and it is not kept. */
  reserve(bytes: number): boolean {
    if (bytes > this.maxEntryBytes || this.#reserved + bytes > this.#maxBytes) return false;
    this.#reserved += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#reserved -= bytes;
  }

  get(place: CachePlace, headers: IncomingHttpHeaders): StoredAnswer | null {
    const base = baseKey(place);
    const vary = this.#varies.get(base);
    if (!vary) return null;
    const key = variantKey(base, vary, headers);
    const found = this.#answers.get(key);
    if (!found) return null;
    if (!this.#purges.has({ ...place, tags: found.tags }, found.storedAt)) return found;
    this.#answers.delete(key);
    return null;
  }

  /** False where the answer is not to be kept: purged meanwhile, too large, or different for everyone. */
  set(
    place: CachePlace,
    request: IncomingHttpHeaders,
    answer: { status: number; headers: Headers; body: Buffer; storedAt: number; freshness: Freshness },
  ): boolean {
    const vary = varyOf(answer.headers);
    const tags = tagsOf(answer.headers);
    if (vary === null || answer.body.length > this.maxEntryBytes) return false;
    if (this.#purges.has({ ...place, tags }, answer.storedAt)) return false;
    const headers: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !notStored.has(name))
        headers[name] = typeof value === 'object' ? [...value] : String(value);
    const base = baseKey(place);
    this.#varies.set(base, vary);
    const { status, body, storedAt, freshness } = answer;
    const age = Math.max(0, Number(answer.headers['age'] ?? 0) || 0);
    this.#answers.set(variantKey(base, vary, request), {
      ...{ status, headers, body, storedAt, freshness, tags, age },
    });
    return true;
  }
}

export function baseKey({ deploymentId, host, path, target }: CachePlace): string {
  return `${deploymentId}\n${host}\n${path}\n${target}`;
}

function variantKey(base: string, vary: readonly string[], headers: IncomingHttpHeaders): string {
  if (vary.length === 0) return base;
  const values = vary.map((name) => (name === 'accept-encoding' ? codings(headers) : (headers[name] ?? '')));
  return `${base}\n${JSON.stringify(values)}`;
}

/** Clients spell the same wish in many ways; which codings they take is what matters. */
function codings(headers: IncomingHttpHeaders): string {
  const wanted = String(headers['accept-encoding'] ?? '').toLowerCase();
  return ['zstd', 'br', 'gzip']
    .filter((name) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(wanted))
    .join();
}
