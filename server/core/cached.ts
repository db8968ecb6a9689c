import { demandNoTransaction } from '#core/db.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import type { Maybe } from '#core/maybe.ts';
import type { Notifications, Topic } from '#core/notifications.ts';
import { runShared } from '#core/waits.ts';

const stale = { allowStale: true, noDeleteOnStaleGet: true };

interface Box<V> {
  readonly value: V;
}

/**
 * A bounded read-through cache of what the database says, correct within a second on every node: entries leave when
 * notifications of their key arrive, and while none can arrive nothing is served from here.
 */
export class Cached<V> {
  readonly #entries: LazyLru<string, Box<V>>;
  readonly #loading = new Map<string, Promise<V>>();
  readonly #load: (key: string) => Promise<V>;
  readonly #notifications: Notifications;

  /**
   * `topics` forget one entry each time: the key of the notification is the key of the entry.
   * `sweepingTopics` forget everything; for rare changes that reach many entries.
   * `max` counts entries; with `sizeOf`, what it gives for each, in bytes.
   */
  constructor(options: {
    load: (key: string) => Promise<V>;
    notifications: Notifications;
    max: number;
    topics: readonly Topic[];
    sweepingTopics?: readonly Topic[];
    sizeOf?: (value: V) => number;
  }) {
    const { load, notifications, max, topics, sweepingTopics = [], sizeOf } = options;
    const bound = sizeOf
      ? { maxSize: max, sizeCalculation: ({ value }: Box<V>) => sizeOf(value) + 1 }
      : { max };
    this.#load = load;
    this.#notifications = notifications;
    // The age bound is for changes made by hand in the database; ours are announced.
    this.#entries = new LazyLru<string, Box<V>>({ ...bound, ttl: 60_000, ttlResolution: 100 });
    for (const topic of topics) notifications.on(topic, (key) => this.#forget(key));
    for (const topic of sweepingTopics) notifications.on(topic, () => this.#forget(undefined));
  }

  /** The value: at once when it is in memory, else loaded. Equal concurrent loads share one query. */
  get(key: string): Maybe<V> {
    demandNoTransaction();
    if (!this.#notifications.current()) return this.#load(key);
    // While the database cannot be reached nothing replaces what is old.
    const box = this.#entries.get(key, this.#notifications.degraded() ? stale : undefined);
    if (box) return box.value;
    const loading = this.#loading.get(key);
    if (loading !== undefined) return loading;
    const started: Promise<V> = runShared(() => this.#load(key)).then(
      (value) => {
        // A notification of this key that arrived meanwhile has dropped the load: what it read may be old already.
        if (this.#loading.get(key) === started) {
          this.#entries.set(key, { value });
          this.#loading.delete(key);
        }
        return value;
      },
      (error) => {
        if (this.#loading.get(key) === started) this.#loading.delete(key);
        throw error;
      },
    );
    this.#loading.set(key, started);
    return started;
  }

  #forget(key: string | undefined): void {
    if (key === undefined) {
      this.#entries.clear();
      this.#loading.clear();
    } else {
      this.#entries.delete(key);
      this.#loading.delete(key);
    }
  }
}
