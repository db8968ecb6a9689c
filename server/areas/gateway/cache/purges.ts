import { LazyLru } from '#core/lazy-lru.ts';

/** What is purged of an environment: all, what carries a tag, or a path (with all below it where it ends in `*`). */
export type Purge = { kind: 'all' } | { kind: 'tag'; value: string } | { kind: 'path'; value: string };

const maxPurges = 20_000;

/** As nodes tell each other. */
export function purgeKey(environmentId: string, purge: Purge): string {
  return purge.kind === 'all' ? `${environmentId} all` : `${environmentId} ${purge.kind} ${purge.value}`;
}

/**
 * When what was purged. Asked at every use of a stored answer, so that a purge wins over an answer that was being fetched
 * when it came. Bounded: when an old purge has to leave, what was stored before it counts as purged.
 */
export class Purges {
  #floor = Number.NEGATIVE_INFINITY;
  readonly #times = new LazyLru<string, number>({
    max: maxPurges,
    dispose: (time, _key, reason) => {
      if (reason === 'evict') this.#floor = Math.max(this.#floor, time);
    },
  });

  /** By the text of `purgeKey`; undefined: everything. */
  note(key: string | undefined, now: number): void {
    if (key === undefined) this.#floor = Math.max(this.#floor, now);
    else this.#times.set(key, now);
  }

  /** Whether something that was asked for at `storedAt` has been purged since. */
  has(of: { environmentId: string; path: string; tags: readonly string[] }, storedAt: number): boolean {
    if (storedAt <= this.#floor) return true;
    if (this.#times.size === 0) return false;
    const { environmentId, path, tags } = of;
    const isPurged = (key: string) => storedAt <= (this.#times.get(key) ?? Number.NEGATIVE_INFINITY);
    if (isPurged(`${environmentId} all`) || isPurged(`${environmentId} path ${path}`)) return true;
    if (tags.some((tag) => isPurged(`${environmentId} tag ${tag}`))) return true;
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      if (isPurged(`${environmentId} path ${path.slice(0, at + 1)}*`)) return true;
    return false;
  }
}
