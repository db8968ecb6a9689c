import type { Db } from '#core/db.ts';
import type { LogStore } from '#core/log-store.ts';
import type { UsageEvent } from '../ledger/event.ts';
import { toUsageLine } from './render.ts';
import { deleteMoved, type OutboxRow, outboxRows } from './store.ts';

/** Rows at a time. */
const batch = 32;

/**
 * Moves settled events to the log store. They leave the database only once they are stored there, and storing one again
 * replaces it: a process may die between the two, and several may move the same.
 */
export class Outbox {
  readonly #db: Db;
  readonly #logs: LogStore;
  #moving: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(deps: { db: Db; logs: LogStore }) {
    this.#db = deps.db;
    this.#logs = deps.logs;
  }

  /** Resolves when everything that was committed before this call can be read from the log store. */
  move(): Promise<void> {
    if (!this.#moving) {
      this.#moving = this.#moveAll().finally(() => {
        this.#moving = undefined;
      });
      return this.#moving;
    }
    // The one under way may have read already.
    this.#next ??= this.#moving
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.move();
      });
    return this.#next;
  }

  async #moveAll(): Promise<void> {
    let more = true;
    while (more) {
      const rows = await outboxRows(this.#db, batch);
      if (rows.length === 0) return;
      await this.#logs.appendJson('ai-usage', rows.map(linesOf));
      const ids = rows.map(({ id }) => id);
      await this.#db.write((tx) => deleteMoved(tx, this.#db.engine, ids));
      more = rows.length === batch;
    }
  }
}

function linesOf({ event }: OutboxRow): string {
  // Written by an earlier version.
  return event.startsWith('{') ? JSON.stringify([toUsageLine(JSON.parse(event) as UsageEvent)]) : event;
}
