import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import type { Vault } from '#core/vault.ts';
import { findAttempts, putAttempts, takeBack } from './attempt-store.ts';
import { PeopleProblem } from './errors.ts';

export interface AttemptLimit {
  /** What is counted: `sign-in:<account>:<address>`. */
  key: string;
  limit: number;
  windowSeconds: number;
  /** Asked once the limit is passed: true lets it through all the same. */
  unless?: () => Promise<boolean>;
}

/**
 * Counts what must not be tried too often, in the database, so that all nodes and workers count together. A key that has
 * passed its limit is refused from memory, so that a flood of attempts costs no writes.
 */
export class Attempts {
  readonly #db: Db;
  readonly #vault: Vault;
  readonly #clock: Clock;
  readonly #spent: LazyLru<string, number>;

  constructor({ db, vault, clock }: { db: Db; vault: Vault; clock: Clock }) {
    this.#db = db;
    this.#vault = vault;
    this.#clock = clock;
    this.#spent = new LazyLru({ max: 20_000 });
  }

  /**
   * Counts one attempt under each of the limits, or throws `Problem('too_many_requests')` and counts none. Counted before
   * the attempt is made, so that many at once do not slip through; `giveBack` takes it back when it was a good one.
   */
  async take(limits: readonly AttemptLimit[]): Promise<{ giveBack: () => Promise<void> }> {
    const hashed = limits.map((limit) => ({ ...limit, key: this.#digest(limit.key) }));
    for (const { key, unless } of hashed) {
      const until = this.#spent.get(key) ?? 0;
      if (until > this.#clock.now() && !(await unless?.())) throw this.#refusal(until);
    }
    const counted: AttemptLimit[] = [];
    for (const limit of hashed) {
      const until = await this.#count(limit);
      if (until === undefined) {
        counted.push(limit);
        continue;
      }
      if (await limit.unless?.()) continue;
      await this.#giveBack(counted);
      this.#spent.set(limit.key, until);
      throw this.#refusal(until);
    }
    return { giveBack: () => this.#giveBack(counted) };
  }

  /** Counts one more; or returns the end of the window when there were as many as may be. */
  async #count({ key, limit, windowSeconds }: AttemptLimit): Promise<number | undefined> {
    return this.#db.write(
      async (tx) => {
        const now = this.#clock.now();
        const row = await findAttempts(tx, key);
        // A window that ends later than one that begins now is of a clock that was ahead.
        const isLive = row && row.expires_at > now && row.expires_at <= now + windowSeconds * 1000;
        const live = isLive ? row : undefined;
        if (live && live.count >= limit) return live.expires_at;
        const next = {
          count: (live?.count ?? 0) + 1,
          expires_at: live?.expires_at ?? now + windowSeconds * 1000,
        };
        await putAttempts(tx, { key, ...next });
        return undefined;
      },
      { queue: `attempts:${key}`, aside: true },
    );
  }

  async #giveBack(counted: readonly AttemptLimit[]): Promise<void> {
    if (counted.length === 0) return;
    const keys = counted.map(({ key }) => key);
    await this.#db.write((tx) => takeBack(tx, keys), { aside: true });
  }

  #digest(key: string): string {
    return this.#vault.hash(`attempt ${key}`, 1).digest.toString('base64url');
  }

  #refusal(until: number): PeopleProblem {
    const retryAfterSeconds = Math.max(1, Math.ceil((until - this.#clock.now()) / 1000));
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const when = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    const sentence = `Too many attempts. Try again in ${when}.`;
    return new PeopleProblem('too_many_requests', 'TOO_MANY_REQUESTS', sentence, { retryAfterSeconds });
  }
}
