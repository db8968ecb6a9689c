import type { Tx } from '#core/db.ts';
import { type Amount, nothing, plus } from './amounts.ts';
import { type LedgerRow, moveLease, moveLedger } from './store.ts';

/** One window of one budget. */
export interface WindowId {
  budgetId: string;
  windowStart: number;
}

/** A budget in the window that counts now. */
export interface BudgetWindow extends WindowId {
  /** Infinite where the budget sets no limit. */
  limit: Amount;
}

/** A budget has no room for the request. */
export class BudgetExhausted extends Error {
  override name = 'BudgetExhausted';
  readonly window: BudgetWindow;
  readonly used: Amount;

  constructor(window: BudgetWindow, used: Amount) {
    super('A budget has no room.');
    this.window = window;
    this.used = used;
  }
}

export function keyOf({ budgetId, windowStart }: WindowId): string {
  return `${budgetId}:${windowStart}`;
}

export function usedOf(row: LedgerRow): Amount {
  return { nanos: row.used_nanos, requests: row.used_requests, tokens: row.used_tokens };
}

export function heldOf(row: LedgerRow): Amount {
  return { nanos: row.held_nanos, requests: row.held_requests, tokens: row.held_tokens };
}

interface Move {
  window: WindowId;
  used: Amount;
  held: Amount;
}

/** What a transaction changes of windows: each is written once, however many requests changed it. */
export class Moves {
  readonly #moves = new Map<string, Move>();

  add(window: WindowId, used: Amount, held: Amount): void {
    const known = this.of(window);
    this.#moves.set(keyOf(window), { window, used: plus(known.used, used), held: plus(known.held, held) });
  }

  of(window: WindowId): { used: Amount; held: Amount } {
    return this.#moves.get(keyOf(window)) ?? { used: nothing, held: nothing };
  }

  /**
   * Writes them into the ledger, and what is held into the lease of the process as well. Fails when the process was
   * taken for dead: then its leases were given back already. Returns the rows as they are then, with what changed.
   */
  async write(tx: Tx, processId: string): Promise<{ row: LedgerRow; used: Amount }[]> {
    const after = [];
    // In one order everywhere, so that no two transactions wait for each other.
    for (const [, { window, used, held }] of [...this.#moves].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { budgetId, windowStart } = window;
      const row = await moveLedger(tx, budgetId, windowStart, { used, held });
      // The budget was deleted: what was held of it is gone with it.
      if (!row) continue;
      if (held.nanos !== 0 || held.requests !== 0 || held.tokens !== 0)
        await moveLease(tx, processId, budgetId, windowStart, held);
      after.push({ row, used });
    }
    return after;
  }
}
