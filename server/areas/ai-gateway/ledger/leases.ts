import { type Amount, type Ask, amountFor, covers, isNothing, minus, nothing, plus } from './amounts.ts';
import type { Hold } from './store.ts';
import { type BudgetWindow, keyOf, type WindowId } from './windows.ts';

interface Lease {
  window: WindowId;
  free: Amount;
  touchedAt: number;
  /** Until then only what a request needs is taken: another process lacks something. Monotonic milliseconds. */
  tightUntil: number;
}

const idleMilliseconds = 1000;
const tightMilliseconds = 10_000;

/**
 * What this process has taken of budgets and no request holds yet. Its lease in the database is this and what its
 * requests under way hold, after each transaction.
 */
export class Leases {
  readonly #leases = new Map<string, Lease>();

  freeOf(window: WindowId): Amount {
    return this.#leases.get(keyOf(window))?.free ?? nothing;
  }

  setFree(window: WindowId, free: Amount): void {
    const lease = this.#lease(window);
    lease.free = free;
    lease.touchedAt = performance.now();
  }

  add(window: WindowId, amount: Amount): void {
    const lease = this.#lease(window);
    lease.free = plus(lease.free, amount);
  }

  /** What the request holds, out of what is here; undefined: it is not enough. */
  spend(ask: Ask, windows: readonly BudgetWindow[]): Hold[] | undefined {
    const cost = amountFor(ask, ask.outputWanted);
    if (!windows.every((window) => covers(this.freeOf(window), cost))) return undefined;
    return windows.map((window) => {
      const { budgetId, windowStart } = window;
      this.setFree(window, minus(this.freeOf(window), cost));
      return { budgetId, windowStart, ...cost };
    });
  }

  isTight(window: WindowId): boolean {
    return (this.#leases.get(keyOf(window))?.tightUntil ?? 0) > performance.now();
  }

  /** What is free of this window, or of all, is wanted back. */
  tighten(key: string | undefined): void {
    for (const [name, lease] of this.#leases) {
      if (key !== undefined && name !== key) continue;
      lease.tightUntil = performance.now() + tightMilliseconds;
    }
  }

  /** What was free for a second, or is wanted by others. */
  idle({ all }: { all: boolean }): { window: WindowId; free: Amount }[] {
    const now = performance.now();
    const idle = [];
    for (const [key, { window, free, touchedAt, tightUntil }] of this.#leases) {
      if (!all && tightUntil < now && now - touchedAt < idleMilliseconds) continue;
      if (!isNothing(free)) idle.push({ window, free });
      else if (tightUntil < now) this.#leases.delete(key);
    }
    return idle;
  }

  clear(): void {
    for (const lease of this.#leases.values()) lease.free = nothing;
  }

  #lease(window: WindowId): Lease {
    const key = keyOf(window);
    let lease = this.#leases.get(key);
    if (!lease) {
      const { budgetId, windowStart } = window;
      lease = {
        window: { budgetId, windowStart },
        free: nothing,
        touchedAt: performance.now(),
        tightUntil: 0,
      };
      this.#leases.set(key, lease);
    }
    return lease;
  }
}
