import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { runWithin, Waits } from '#core/waits.ts';

/** Those who ask wait for an answer about as long. */
const answerSeconds = 2;

/** `degraded`: what can be answered without writing is answered. */
export type ReadyState = 'ready' | 'degraded';

/** Whether requests can be served. Those who ask at the same time share one answer. */
export class Readiness {
  readonly #db: Db;
  #asking: Promise<ReadyState> | undefined;

  constructor({ db }: { db: Db }) {
    this.#db = db;
  }

  /** Throws when the database takes no writes, or does not answer in time, and nothing can be served without it. */
  check(): Promise<ReadyState> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<ReadyState> {
    const waits = new Waits({ seconds: answerSeconds, isAbandoned: () => false });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new Error(`No answer within ${answerSeconds} s.`)),
      answerSeconds * 1000,
    );
    try {
      await Promise.race([runWithin(waits, () => this.#db.pingWrites()), late]);
      return 'ready';
    } catch (error) {
      // Reading continues with a full disk, and with what is in memory while that is accepted.
      const isFull = error instanceof Problem && error.kind === 'storage_full';
      if (isFull || this.#db.notifications.degraded()) return 'degraded';
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
