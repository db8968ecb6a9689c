import type { Tx } from '#core/db.ts';
import {
  type Amount,
  type Ask,
  amountFor,
  atLeastNothing,
  covers,
  minus,
  nothing,
  outputWithin,
  plus,
} from './amounts.ts';
import { type Hold, type LedgerRow, leasesOfOthers, ledgerRow, openWindow, pendingHolds } from './store.ts';
import {
  BudgetExhausted,
  type BudgetWindow,
  heldOf,
  keyOf,
  Moves,
  usedOf,
  type WindowId,
} from './windows.ts';

export interface Granted {
  output: number;
  holds: Hold[];
}

/** There is room, but another process holds it: it is asked to give it back. */
export interface HeldElsewhere {
  heldElsewhere: BudgetExhausted;
}

/** What a transaction plans with: it may run twice, so nothing here outlives it. */
export interface PlanDeps {
  tx: Tx;
  processId: string;
  /** A process that spoke since then lives, and gives back when it is asked. Milliseconds since 1970. */
  aliveSince: number;
  freeOf(window: WindowId): Amount;
  isTight(window: WindowId): boolean;
}

/**
 * Plans what requests take of budgets, in one transaction: each sees what those before it took. A request is refused
 * only when what is used and what requests under way may cost leave no room, whichever process they are of.
 */
export class Planner {
  readonly moves = new Moves();
  /** What is free in this process afterwards. */
  readonly free = new Map<string, { window: WindowId; free: Amount }>();
  readonly #deps: PlanDeps;
  readonly #rows = new Map<string, LedgerRow | undefined>();
  readonly #elsewhere = new Map<string, Amount>();

  constructor(deps: PlanDeps) {
    this.#deps = deps;
  }

  async plan(
    ask: Ask,
    windows: readonly BudgetWindow[],
    organizationId: string,
  ): Promise<Granted | BudgetExhausted | HeldElsewhere> {
    let output = ask.outputWanted;
    const left = new Map<string, Amount>();
    for (const window of windows) {
      const row = await this.#row(window);
      // The budget was deleted this moment: it holds nobody back.
      if (!row) continue;
      const moved = this.moves.of(window);
      const used = plus(usedOf(row), moved.used);
      const unclaimed = minus(minus(window.limit, used), plus(heldOf(row), moved.held));
      left.set(keyOf(window), unclaimed);
      const mine = plus(unclaimed, this.#freeOf(window));
      const fits = outputWithin(ask, mine);
      if (fits < 0) {
        const exhausted = new BudgetExhausted(window, used);
        const all = plus(mine, await this.#freeElsewhere(window, organizationId));
        return outputWithin(ask, all) < 0 ? exhausted : { heldElsewhere: exhausted };
      }
      output = Math.min(output, fits);
    }
    const cost = amountFor(ask, output);
    const holds = windows.flatMap((window): Hold[] => {
      const unclaimed = left.get(keyOf(window));
      return unclaimed ? [this.#take(window, cost, unclaimed)] : [];
    });
    return { output, holds };
  }

  #take(window: WindowId, cost: Amount, unclaimed: Amount): Hold {
    const { budgetId, windowStart } = window;
    const mine = this.#freeOf(window);
    let free = minus(mine, cost);
    if (!covers(mine, cost)) {
      const need = atLeastNothing(minus(cost, mine));
      const ahead = this.#deps.isTight(window) ? nothing : aheadOf(minus(unclaimed, need));
      const taken = plus(need, ahead);
      this.moves.add({ budgetId, windowStart }, nothing, taken);
      free = plus(free, taken);
    }
    this.free.set(keyOf(window), { window: { budgetId, windowStart }, free });
    return { budgetId, windowStart, ...cost };
  }

  #freeOf(window: WindowId): Amount {
    return this.free.get(keyOf(window))?.free ?? this.#deps.freeOf(window);
  }

  async #row(window: WindowId): Promise<LedgerRow | undefined> {
    const key = keyOf(window);
    if (!this.#rows.has(key)) {
      const { tx } = this.#deps;
      await openWindow(tx, window.budgetId, window.windowStart);
      this.#rows.set(key, await ledgerRow(tx, window.budgetId, window.windowStart));
    }
    return this.#rows.get(key);
  }

  /** What other processes that live have taken, beyond what their requests under way hold. */
  async #freeElsewhere(window: WindowId, organizationId: string): Promise<Amount> {
    const key = keyOf(window);
    let sum = this.#elsewhere.get(key);
    if (sum) return sum;
    const { tx, processId, aliveSince } = this.#deps;
    const leases = await leasesOfOthers(tx, processId, window, aliveSince);
    sum = nothing;
    for (const { nanos, requests, tokens } of leases) sum = plus(sum, { nanos, requests, tokens });
    if (leases.length > 0) {
      const others = new Set(leases.map(({ process_id }) => process_id));
      for (const row of await pendingHolds(tx, organizationId)) {
        if (!others.has(row.process_id)) continue;
        for (const hold of JSON.parse(row.holds) as Hold[]) if (keyOf(hold) === key) sum = minus(sum, hold);
      }
    }
    sum = atLeastNothing(sum);
    this.#elsewhere.set(key, sum);
    return sum;
  }
}

/** What is taken beyond the need, so that the next requests find it in memory: a 64th of what is left. */
function aheadOf(left: Amount): Amount {
  const part = (value: number, sensible: number) =>
    Number.isFinite(value) ? Math.max(0, Math.floor(value / 64)) : sensible;
  return {
    nanos: part(left.nanos, 1e12),
    requests: part(left.requests, 1e6),
    tokens: part(left.tokens, 1e9),
  };
}
