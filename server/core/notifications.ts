import type { Tx } from '#core/db.ts';

/**
 * What kinds of things change. An area declares its own beside what announces them, with what their keys are:
 * `declare module '#core/notifications.ts' { interface Topics { api_key: true } }`.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the areas, see above.
export interface Topics {}
export type Topic = keyof Topics;

const collected = new WeakMap<Tx, [Topic, string][]>();

/** Announces, when `tx` commits, that what any node may have cached under this key has changed. */
export function announce(tx: Tx, topic: Topic, key: string): void {
  const items = collected.get(tx);
  if (!items) throw new Error('Notifications can be announced only in a transaction opened by Db.write.');
  items.push([topic, key]);
}

/** Called with the key that changed, or with undefined when anything may have (notifications were missed). */
export type NotificationListener = (key: string | undefined) => void;

/**
 * Tells every node that something it may have cached has changed. A notification is sent inside the transaction of
 * the change: it arrives if and only if the change was committed. An engine extends this with its own way to carry it.
 */
export abstract class Notifications {
  readonly #listeners = new Map<Topic, NotificationListener[]>();

  /** Whether everything committed more than a second ago has arrived. When not, caches must not be used. */
  abstract current(): boolean;

  /** Resolves when everything committed before the call has arrived; where that cannot be, `current` says so. */
  abstract catchUp(): Promise<void>;

  /** Whether caches are used only because the operator allows it for a while: the database cannot be reached. */
  degraded(): boolean {
    return false;
  }

  /** Writes the notification into the transaction. */
  abstract send(tx: Tx, items: readonly [Topic, string][]): Promise<void>;

  on(topic: Topic, listener: NotificationListener): void {
    const listeners = this.#listeners.get(topic);
    if (listeners) listeners.push(listener);
    else this.#listeners.set(topic, [listener]);
  }

  collect(tx: Tx, into: [Topic, string][]): void {
    collected.set(tx, into);
  }

  deliver(topic: Topic, key: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(key);
  }

  /** Notifications may have been missed: every cache starts over. */
  protected deliverEverything(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
  }
}
