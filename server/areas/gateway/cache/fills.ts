import { LazyLru } from '#core/lazy-lru.ts';

/** Whether the answer that is being fetched turned out to be one for everybody. */
export type Filled = 'stored' | 'not_stored';

const rememberedMilliseconds = 60_000;

/**
 * One fetch at a time for an address: others wait for what comes of it. They do not wait where answers are known to be
 * different for everyone, and nowhere for long: an answer that takes its time may be one that waits for something.
 */
export class Fills {
  readonly #running = new Map<string, Promise<Filled>>();
  readonly #refreshing = new Set<string>();
  readonly #own: LazyLru<string, true>;
  readonly #known = new LazyLru<string, true>({ max: 50_000 });

  constructor(now: () => number) {
    this.#own = new LazyLru({ max: 50_000, ttl: rememberedMilliseconds, perf: { now } });
  }

  /** What comes of the fetch of somebody else; null where there is none to wait for. */
  waitFor(key: string): Promise<Filled | 'late'> | null {
    const running = this.#running.get(key);
    if (running === undefined) return null;
    const patience = this.#known.has(key) ? 10_000 : 1000;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#own.set(key, true);
        resolve('late');
      }, patience);
      void running.then((filled) => {
        clearTimeout(timer);
        resolve(filled);
      });
    });
  }

  /** Takes the fetch upon oneself; null where others need not wait for it. */
  begin(key: string): ((filled: Filled) => void) | null {
    if (this.#own.has(key) || this.#running.has(key)) return null;
    const { promise, resolve } = Promise.withResolvers<Filled>();
    this.#running.set(key, promise);
    return (filled) => {
      if (this.#running.get(key) !== promise) return;
      this.#running.delete(key);
      if (filled === 'stored') {
        this.#known.set(key, true);
        this.#own.delete(key);
      } else {
        this.#known.delete(key);
        this.#own.set(key, true);
      }
      resolve(filled);
    };
  }

  /** Asks again behind the visitor's back; false where that is under way. */
  refresh(key: string, work: () => Promise<void>): boolean {
    if (this.#refreshing.has(key)) return false;
    this.#refreshing.add(key);
    void work()
      .catch(() => {})
      .finally(() => this.#refreshing.delete(key));
    return true;
  }
}
