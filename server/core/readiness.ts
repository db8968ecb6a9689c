import type { Db } from '#core/db.ts';
import { runWithin, Waits } from '#core/waits.ts';

/** Those who ask wait for an answer about as long. */
const answerSeconds = 2;

/** Whether requests can be served. Those who ask at the same time share one answer. */
export class Readiness {
  readonly #db: Db;
  #asking: Promise<void> | undefined;

  constructor({ db }: { db: Db }) {
    this.#db = db;
  }

  /** Throws when the database takes no writes, or does not answer in time. */
  check(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const waits = new Waits({ seconds: answerSeconds, isAbandoned: () => false });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new Error(`No answer within ${answerSeconds} s.`)),
      answerSeconds * 1000,
    );
    try {
      await Promise.race([runWithin(waits, () => this.#db.pingWrites()), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
