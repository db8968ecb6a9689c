import type { Tx } from '#core/db.ts';

/** What kind of thing changed; the key that goes with it is the thing's id. */
export type Topic = string;

/** Called with the key that changed, or with undefined when anything may have (news was missed). */
export type NewsListener = (key: string | undefined) => void;

/**
 * Tells every node that something it may have cached has changed. News is sent inside the transaction of the change:
 * it arrives if and only if the change was committed. An engine extends this with its own way to carry it.
 */
export abstract class News {
  readonly #listeners = new Map<Topic, NewsListener[]>();
  readonly #collected = new WeakMap<Tx, [Topic, string][]>();

  /** Whether everything committed more than a second ago has arrived. When not, caches must not be believed. */
  abstract current(): boolean;
  /** Writes the news into the transaction. */
  abstract send(tx: Tx, items: readonly [Topic, string][]): Promise<void>;

  on(topic: Topic, listener: NewsListener): void {
    const known = this.#listeners.get(topic);
    if (known) known.push(listener);
    else this.#listeners.set(topic, [listener]);
  }

  collect(tx: Tx, into: [Topic, string][]): void {
    this.#collected.set(tx, into);
  }

  add(tx: Tx, topic: Topic, key: string): void {
    const items = this.#collected.get(tx);
    if (!items) throw new Error('News can be announced only in a transaction opened by Db.write.');
    items.push([topic, key]);
  }

  deliver(topic: Topic, key: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(key);
  }

  /** News may have been missed: every cache starts over. */
  protected deliverEverything(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
  }
}
