import { LRUCache } from 'lru-cache';

/**
 * A bounded cache that takes its memory with its first entry: the library makes arrays for all `max` entries at once,
 * which came to 20 MB of an idle server.
 */
export class LazyLru<K extends {}, V extends {}> {
  readonly #options: LRUCache.Options<K, V, unknown>;
  #entries: LRUCache<K, V> | undefined;

  constructor(options: LRUCache.Options<K, V, unknown>) {
    this.#options = options;
  }

  get(key: K, options?: LRUCache.GetOptions<K, V, unknown>): V | undefined {
    return this.#entries?.get(key, options);
  }

  peek(key: K): V | undefined {
    return this.#entries?.peek(key);
  }

  get size(): number {
    return this.#entries?.size ?? 0;
  }

  has(key: K): boolean {
    return this.#entries?.has(key) ?? false;
  }

  set(key: K, value: V, options?: LRUCache.SetOptions<K, V, unknown>): void {
    this.#entries ??= new LRUCache<K, V>(this.#options);
    this.#entries.set(key, value, options);
  }

  delete(key: K): void {
    this.#entries?.delete(key);
  }

  clear(): void {
    this.#entries?.clear();
  }
}
