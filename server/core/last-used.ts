import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { type UsedTable, writeLastUsed } from './last-used-store.ts';

/** Notes when keys or sessions were used: in memory, written at most once a minute for each. */
export class LastUsed {
  readonly #noted = new Map<string, number>();
  readonly #written = new Map<string, number>();
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #table: UsedTable;

  constructor({ db, clock, table }: { db: Db; clock: Clock; table: UsedTable }) {
    this.#db = db;
    this.#clock = clock;
    this.#table = table;
  }

  note(id: string): void {
    this.#noted.set(id, this.#clock.now());
  }

  /** When this process last saw it used, as far as it has not been written yet. */
  notedAt(id: string): number | undefined {
    return this.#noted.get(id);
  }

  /** Writes what is due; everything when `all`, as at shutdown. */
  async flush(options: { all?: boolean } = {}): Promise<void> {
    const now = this.#clock.now();
    for (const [id, at] of this.#written) if (now - at >= 60_000) this.#written.delete(id);
    const due = [...this.#noted].filter(([id]) => options.all || !this.#written.has(id));
    if (due.length === 0) return;
    await this.#db.write(async (tx) => {
      for (const [id, at] of due) await writeLastUsed(tx, this.#table, id, at);
    });
    for (const [id, at] of due) {
      this.#written.set(id, now);
      if (this.#noted.get(id) === at) this.#noted.delete(id);
    }
  }
}
