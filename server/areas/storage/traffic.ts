import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { addDay, type Traffic } from './store.ts';

/** Counts requests and bytes by bucket and day in memory, and adds them to the database now and then. */
export class Traffics {
  readonly #db: Db;
  readonly #clock: Clock;
  #counts = new Map<string, Traffic>();

  constructor({ db, clock }: { db: Db; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  add(bucketId: string, { requests, bytesIn, bytesOut }: Traffic): void {
    const day = new Date(this.#clock.now()).toISOString().slice(0, 10);
    const key = `${bucketId} ${day}`;
    const count = this.#counts.get(key);
    if (!count) {
      this.#counts.set(key, { requests, bytesIn, bytesOut });
      return;
    }
    count.requests += requests;
    count.bytesIn += bytesIn;
    count.bytesOut += bytesOut;
  }

  /** What fails stays for the next time. */
  async flush(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    for (const [key, traffic] of counts) {
      const [bucketId = '', day = ''] = key.split(' ');
      try {
        await this.#db.write((tx) => addDay(tx, bucketId, day, traffic));
        counts.delete(key);
      } catch (error) {
        for (const [left, count] of counts) this.#restore(left, count);
        throw error;
      }
    }
  }

  #restore(key: string, { requests, bytesIn, bytesOut }: Traffic): void {
    const count = this.#counts.get(key) ?? { requests: 0, bytesIn: 0, bytesOut: 0 };
    count.requests += requests;
    count.bytesIn += bytesIn;
    count.bytesOut += bytesOut;
    this.#counts.set(key, count);
  }
}
