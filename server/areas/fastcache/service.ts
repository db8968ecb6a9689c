import type { Cache } from '#core/cache.ts';
import type { Maybe } from '#core/maybe.ts';
import type { Series } from '#core/series.ts';
import type { CacheMetrics } from './metrics.ts';

/** Counts hits and misses in memory and hands them to the cache from time to time: a read writes nothing. */
export class HitCounter {
  readonly #cache: Cache;
  readonly #metrics: CacheMetrics;
  readonly #organizationOf: (applicationId: string) => Maybe<string | null>;
  readonly #series: Series;
  #counts = new Map<string, { hits: number; misses: number }>();

  constructor(deps: {
    cache: Cache;
    metrics: CacheMetrics;
    organizationOf: (applicationId: string) => Maybe<string | null>;
    series: Series;
  }) {
    this.#cache = deps.cache;
    this.#metrics = deps.metrics;
    this.#organizationOf = deps.organizationOf;
    this.#series = deps.series;
  }

  note(applicationId: string, hit: boolean): void {
    let count = this.#counts.get(applicationId);
    if (!count) {
      count = { hits: 0, misses: 0 };
      this.#counts.set(applicationId, count);
    }
    if (hit) count.hits++;
    else count.misses++;
    this.#metrics.lookup(hit);
  }

  /** What could not be handed over is counted with the next. */
  async flush(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    const runs = [...counts].map(async ([applicationId, count]) => {
      try {
        await this.#cache.run(applicationId, [{ op: 'tally', ...count }]);
      } catch (error) {
        const later = this.#counts.get(applicationId) ?? { hits: 0, misses: 0 };
        later.hits += count.hits;
        later.misses += count.misses;
        this.#counts.set(applicationId, later);
        throw error;
      }
      const organizationId = await this.#organizationOf(applicationId);
      if (count.hits > 0) this.#series.add(organizationId, 'cacheHits', count.hits);
      if (count.misses > 0) this.#series.add(organizationId, 'cacheMisses', count.misses);
    });
    await Promise.all(runs);
  }
}

/** The cache with its writes timed. */
export function timed(
  cache: Cache,
  metrics: CacheMetrics,
): Pick<Cache, 'get' | 'run' | 'clear' | 'list' | 'usage'> {
  const time = async <T>(work: Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work;
    metrics.written((performance.now() - started) / 1000);
    return result;
  };
  return {
    get: (applicationId, key) => cache.get(applicationId, key),
    list: (applicationId, page) => cache.list(applicationId, page),
    usage: (applicationId) => cache.usage(applicationId),
    run: (applicationId, operations, once) => time(cache.run(applicationId, operations, once)),
    clear: (applicationId, prefix) => time(cache.clear(applicationId, prefix)),
  };
}

/** Sums up what the applications have; a gauge, so a sum that is some seconds old serves. */
export async function measureCache(cache: Cache, metrics: CacheMetrics): Promise<void> {
  const total = { items: 0, bytes: 0, evictions: 0 };
  for await (const applicationId of cache.applications()) {
    const { items, bytes, evictions } = await cache.usage(applicationId);
    total.items += items;
    total.bytes += bytes;
    total.evictions += evictions;
  }
  metrics.total(total);
}

/** Clears what is left of applications that are gone. */
export async function forgetApplications(
  cache: Cache,
  exists: (applicationId: string) => Promise<boolean>,
): Promise<void> {
  for await (const applicationId of cache.applications())
    if (!(await exists(applicationId))) await cache.clear(applicationId, null);
}
