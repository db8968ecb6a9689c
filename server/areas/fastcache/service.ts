import type { Cache } from '#core/cache.ts';

/** Counts hits and misses in memory and hands them to the cache from time to time: a read writes nothing. */
export class HitCounter {
  readonly #cache: Cache;
  #counts = new Map<string, { hits: number; misses: number }>();
  /** Since this process began. */
  hits = 0;
  misses = 0;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  note(applicationId: string, hit: boolean): void {
    let count = this.#counts.get(applicationId);
    if (!count) {
      count = { hits: 0, misses: 0 };
      this.#counts.set(applicationId, count);
    }
    if (hit) {
      count.hits++;
      this.hits++;
    } else {
      count.misses++;
      this.misses++;
    }
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
    });
    await Promise.all(runs);
  }
}

/** Clears what is left of applications that are gone. */
export async function forgetApplications(
  cache: Cache,
  exists: (applicationId: string) => Promise<boolean>,
): Promise<void> {
  for await (const applicationId of cache.applications())
    if (!(await exists(applicationId))) await cache.clear(applicationId, null);
}
