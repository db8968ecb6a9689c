import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/news.ts';
import { Problem } from '#core/problem.ts';
import { runShared } from '#core/waits.ts';
import {
  type Amount,
  type Ask,
  amountFor,
  covers,
  isNothing,
  lesser,
  minus,
  nothing,
  outputWithin,
  plus,
} from './amounts.ts';
import type { UsageEvent } from './event.ts';
import {
  beat,
  deleteProcess,
  type Hold,
  insertPending,
  isAlive,
  type LedgerRow,
  ledgerRow,
  moveLease,
  moveLedger,
  openWindow,
  takePending,
  updatePendingEvent,
} from './store.ts';

/** A budget in the window that counts now. */
export interface BudgetWindow {
  budgetId: string;
  windowStart: number;
  /** Infinite where the budget sets no limit. */
  limit: Amount;
}

export interface Admission {
  /** How many output tokens are paid for. */
  output: number;
  /** Less than was wanted, because a budget is near its limit. */
  isShrunk: boolean;
  holds: readonly Hold[];
  /** The most used of the budgets, in percent, when that is 50 or more. */
  warning: { percent: number; budgetId: string } | null;
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

interface Admit {
  event: UsageEvent;
  ask: Ask;
  windows: readonly BudgetWindow[];
  done: PromiseWithResolvers<Admission>;
  tries: number;
}

interface Settle {
  event: UsageEvent;
  holds: readonly Hold[];
  actual: Amount;
  /** Refused before it was written down: there is nothing to close. */
  isNew: boolean;
  done: PromiseWithResolvers<void>;
}

interface Lease {
  budgetId: string;
  windowStart: number;
  free: Amount;
  touchedAt: number;
  /** Until then only what a request needs is taken: another process was refused. Monotonic milliseconds. */
  tightUntil: number;
}

export interface JournalDeps {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Writes settled events; runs in the transaction that settles them. */
  write(tx: Tx, events: readonly UsageEvent[]): Promise<void>;
  /** A window after something was added to it. Runs in the same transaction, which may run twice. */
  used(tx: Tx, row: LedgerRow): Promise<void>;
  /** After the commit: what has ended. */
  ended?(event: UsageEvent): void;
  /** After the commit: the rows that `used` saw. */
  committed?(rows: readonly LedgerRow[]): void;
}

declare module '#core/news.ts' {
  interface Topics {
    /** Key: organization id. */
    ai_budgets: true;
    /** Key: <budget id>:<start of its window>. */
    ai_lease_recall: true;
  }
}

/** News of a change to the budgets of an organization, whose id is the key. */
export const budgetsTopic = 'ai_budgets';

/** News that a process was refused: others give back what they hold and do not need. */
const recallTopic = 'ai_lease_recall';
const settleDelay = 15;
const idleMilliseconds = 1000;
const recallWaits = [120, 250, 500, 1000];
const maxBatch = 500;

/**
 * What is spent, exactly, without a round trip to the database for each thing: one commit a tick writes every request
 * that waits for one, before it is sent on; settles what has ended; and takes or returns parts of budgets. A process
 * takes a 64th of what is left of a budget at a time, and single requests near the limit. The rows are the one truth:
 * whatever this process holds in memory, they count as held.
 */
export class Journal {
  readonly #deps: JournalDeps;
  readonly #leases = new Map<string, Lease>();
  /** What is known to be used at least: refuses what cannot fit, without asking. */
  readonly #known = new Map<string, { used: Amount; at: number; recalledAt: number }>();
  #processId = newId();
  #beatAt = Number.NEGATIVE_INFINITY;
  #admits: Admit[] = [];
  #settles: Settle[] = [];
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    deps.db.news.on(recallTopic, (key) => this.#recall(key));
    // What was taken under other limits goes back.
    deps.db.news.on(budgetsTopic, () => {
      this.#known.clear();
      this.#recall(undefined);
    });
  }

  #recall(key: string | undefined): void {
    for (const [name, lease] of this.#leases) {
      if (key !== undefined && name !== key) continue;
      if (key !== undefined) lease.tightUntil = performance.now() + 10_000;
      lease.touchedAt = Number.NEGATIVE_INFINITY;
    }
    if (this.#leases.size > 0) void this.returnIdle().catch(() => {});
  }

  get processId(): string {
    return this.#processId;
  }

  /**
   * Writes the request down and reserves what it may cost. Resolves when that is committed. Rejects with
   * `BudgetExhausted`, or with `Problem('unavailable')`.
   */
  admit(event: UsageEvent, ask: Ask, windows: readonly BudgetWindow[]): Promise<Admission> {
    for (const window of windows) {
      const known = this.#known.get(keyOf(window));
      // What was used only grows: what does not fit beside it never will.
      if (known && outputWithin(ask, minus(window.limit, known.used)) < 0)
        return Promise.reject(new BudgetExhausted(window, known.used));
    }
    const done = Promise.withResolvers<Admission>();
    this.#admits.push({ event, ask, windows, done, tries: 0 });
    this.#start();
    return done.promise;
  }

  /** The end of a request: what it used in place of what was held for it. Resolves when that is committed. */
  settle(event: UsageEvent, holds: readonly Hold[], actual: Amount): Promise<void> {
    return this.#end({ event, holds, actual, isNew: false });
  }

  /** A request that was refused before it was written down. */
  note(event: UsageEvent): Promise<void> {
    return this.#end({ event, holds: [], actual: nothing, isNew: true });
  }

  #end(settle: Omit<Settle, 'done'>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#settles.push({ ...settle, done });
    if (this.#settles.length >= maxBatch) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), settleDelay);
    return done.promise;
  }

  /** Everything that was asked for so far is committed, or has failed. */
  async flush(): Promise<void> {
    while (this.#settles.length > 0 || this.#admits.length > 0 || this.#running !== undefined) {
      this.#start();
      await this.#running;
    }
  }

  #start(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The batch is of many requests: it does not end with the one that happened to start it.
    this.#running = runShared(() => this.#run()).finally(() => {
      this.#running = undefined;
      if (this.#admits.length > 0) this.#start();
      else if (this.#settles.length > 0) this.#timer ??= setTimeout(() => this.#start(), settleDelay);
    });
  }

  async #run(): Promise<void> {
    // What arrives in this turn of the event loop shares the commit.
    await new Promise((resolve) => setImmediate(resolve));
    do {
      const admits = this.#admits.splice(0, maxBatch);
      const settles = this.#settles.splice(0, maxBatch);
      await this.#commit(admits, settles);
    } while (this.#admits.length > 0 || this.#settles.length >= maxBatch);
    const isWanted = [...this.#leases.values()].some(
      ({ free, touchedAt }) => touchedAt === Number.NEGATIVE_INFINITY && !isNothing(free),
    );
    if (isWanted) await this.returnIdle().catch(() => {});
  }

  async #commit(admits: Admit[], settles: Settle[], again = true): Promise<void> {
    const { db, log } = this.#deps;
    // What this process holds of the windows is taken out of reach of anything else until the commit is through.
    const free = new Map<string, Amount>();
    for (const { windows } of admits)
      for (const window of windows) {
        const lease = this.#lease(window);
        if (free.has(keyOf(window))) continue;
        free.set(keyOf(window), lease.free);
        lease.free = nothing;
      }
    const ledgered = settles.length > 0 || free.size > 0;
    try {
      const work = (tx: Tx) => this.#work(tx, admits, settles, new Map(free));
      const queue = db.engine === 'postgres' && ledgered ? { queue: 'ai-ledger' } : {};
      const result = await db.write(work, queue);
      this.#apply(result, settles);
    } catch (error) {
      this.#giveBack(free);
      if (again && (await this.#revived())) return this.#commit(admits, settles, false);
      log.error({ err: error }, 'Requests of the AI gateway could not be written down.');
      const sentence = 'The request could not be written down, so it was not sent on. Try again shortly.';
      for (const { done } of admits)
        done.reject(
          error instanceof Problem
            ? error
            : new Problem('unavailable', sentence, { cause: error, retryAfterSeconds: 2 }),
        );
      this.#later(settles);
    }
  }

  /** What has ended is kept until the database is back; what has not begun is refused, so this is bounded. */
  #later(settles: Settle[]): void {
    if (settles.length === 0) return;
    const timer = setTimeout(() => {
      this.#settles.unshift(...settles);
      this.#start();
    }, 500);
    timer.unref();
  }

  /** Whether this process had been taken for dead, and is another one now. */
  async #revived(): Promise<boolean> {
    const { db } = this.#deps;
    try {
      if (await db.write((tx) => isAlive(tx, this.#processId))) return false;
      this.#leases.clear();
      if (this.#beatAt !== Number.NEGATIVE_INFINITY) this.#processId = newId();
      await this.beat();
      return true;
    } catch {
      return false;
    }
  }

  /** Says that this process lives. Due every few seconds. */
  async beat(): Promise<void> {
    const { db, clock } = this.#deps;
    await db.write((tx) => beat(tx, this.#processId, clock.now()));
    this.#beatAt = performance.now();
  }

  async #work(tx: Tx, admits: Admit[], settles: Settle[], free: Map<string, Amount>): Promise<Outcome> {
    const { db } = this.#deps;
    const moves = new Map<
      string,
      { window: { budgetId: string; windowStart: number }; used: Amount; held: Amount }
    >();
    const move = (window: { budgetId: string; windowStart: number }, used: Amount, held: Amount) => {
      const key = keyOf(window);
      const known = moves.get(key) ?? { window, used: nothing, held: nothing };
      moves.set(key, { window, used: plus(known.used, used), held: plus(known.held, held) });
    };
    const settled = await takePending(
      tx,
      db.engine,
      settles.filter(({ isNew }) => !isNew).map(({ event }) => event.id),
    );
    const events: UsageEvent[] = [];
    for (const { event, holds, actual, isNew } of settles) {
      if (!isNew && !settled.has(event.id)) continue;
      events.push(event);
      for (const hold of holds) move(hold, actual, minus(nothing, lesser(actual, hold)));
    }
    const rows = new Map<string, LedgerRow>();
    const results: (Admission | BudgetExhausted)[] = [];
    for (const admit of admits) results.push(await this.#plan(tx, admit, free, rows, moves, move));
    const pending = admits.flatMap(({ event }, at) => {
      const result = results[at];
      if (!result || result instanceof BudgetExhausted) return [];
      return {
        id: event.id,
        process_id: this.#processId,
        organization_id: event.organizationId,
        holds: JSON.stringify(result.holds),
        event: JSON.stringify(event),
      };
    });
    await insertPending(tx, db.engine, pending);
    if (events.length > 0) await this.#deps.write(tx, events);
    const after: LedgerRow[] = [];
    for (const { window, used, held } of moves.values()) {
      const row = await moveLedger(tx, window.budgetId, window.windowStart, { used, held });
      // The budget was deleted: what was held of it is gone with it.
      if (!row) continue;
      if (!isNothing(held)) await moveLease(tx, this.#processId, window.budgetId, window.windowStart, held);
      if (!isNothing(used)) await this.#deps.used(tx, row);
      after.push(row);
    }
    for (const [at, result] of results.entries()) {
      if (!(result instanceof BudgetExhausted) || !this.#isRecallable(admits[at] as Admit, result)) continue;
      announce(tx, recallTopic, keyOf(result.window));
    }
    return { results, admits, free, after, settled };
  }

  async #plan(
    tx: Tx,
    { ask, windows }: Admit,
    free: Map<string, Amount>,
    rows: Map<string, LedgerRow>,
    moves: ReadonlyMap<string, { used: Amount; held: Amount }>,
    move: (window: BudgetWindow, used: Amount, held: Amount) => void,
  ): Promise<Admission | BudgetExhausted> {
    const wanted = amountFor(ask, ask.outputWanted);
    const enough = windows.every((window) => covers(free.get(keyOf(window)) ?? nothing, wanted));
    let output = ask.outputWanted;
    const left = new Map<string, Amount>();
    if (!enough) {
      for (const window of windows) {
        const key = keyOf(window);
        let row = rows.get(key);
        if (!row) {
          await openWindow(tx, window.budgetId, window.windowStart);
          row = await ledgerRow(tx, window.budgetId, window.windowStart);
          // The budget was deleted this moment: it holds nobody back.
          if (!row) continue;
          rows.set(key, row);
        }
        const moved = moves.get(key);
        const used = plus(usedOf(row), moved?.used ?? nothing);
        const held = plus(heldOf(row), moved?.held ?? nothing);
        const unclaimed = minus(minus(window.limit, used), held);
        left.set(key, unclaimed);
        const fits = outputWithin(ask, plus(unclaimed, free.get(key) ?? nothing));
        if (fits < 0) return new BudgetExhausted(window, used);
        output = Math.min(output, fits);
      }
    }
    const cost = amountFor(ask, output);
    const holds: Hold[] = [];
    for (const window of windows) {
      const key = keyOf(window);
      const mine = free.get(key) ?? nothing;
      if (!covers(mine, cost)) {
        const unclaimed = left.get(key);
        if (!unclaimed) continue;
        const need = atLeastNothing(minus(cost, mine));
        const more = this.#isTight(key) ? nothing : aheadOf(minus(unclaimed, need));
        const taken = plus(need, more);
        move(window, nothing, taken);
        free.set(key, minus(plus(mine, taken), cost));
      } else free.set(key, minus(mine, cost));
      holds.push({ budgetId: window.budgetId, windowStart: window.windowStart, ...cost });
    }
    return { output, isShrunk: output < ask.outputWanted, holds, warning: null };
  }

  #isTight(key: string): boolean {
    return (this.#leases.get(key)?.tightUntil ?? 0) > performance.now();
  }

  /** Whether others may hold what this one lacks: then they are asked, once a second at most. */
  #isRecallable(admit: Admit, { window, used }: BudgetExhausted): boolean {
    if (admit.tries > 0) return false;
    const known = this.#known.get(keyOf(window));
    if (known && performance.now() - known.recalledAt < 1000) return false;
    return outputWithin(admit.ask, minus(window.limit, used)) >= 0;
  }

  #apply({ results, admits, free, after, settled }: Outcome, settles: Settle[]): void {
    const now = performance.now();
    for (const [key, amount] of free) {
      const lease = this.#leases.get(key);
      if (!lease) continue;
      lease.free = plus(lease.free, amount);
      // Others wait for what a recall brings: what is left of it does not stay here.
      lease.touchedAt = lease.tightUntil > now ? Number.NEGATIVE_INFINITY : now;
    }
    for (const { event, holds, actual, done } of settles) {
      if (settled.has(event.id))
        for (const hold of holds) {
          const lease = this.#lease(hold);
          lease.free = plus(lease.free, minus(hold, lesser(actual, hold)));
        }
      this.#deps.ended?.(event);
      done.resolve();
    }
    for (const row of after) {
      const key = keyOf({ budgetId: row.budget_id, windowStart: row.window_start });
      const known = this.#known.get(key);
      this.#known.set(key, {
        used: usedOf(row),
        at: now,
        recalledAt: known?.recalledAt ?? Number.NEGATIVE_INFINITY,
      });
    }
    for (const [at, result] of results.entries()) {
      const admit = admits[at] as Admit;
      if (result instanceof BudgetExhausted) this.#refuse(admit, result);
      else admit.done.resolve({ ...result, warning: this.#warningFor(admit.windows) });
    }
    this.#deps.committed?.(after);
    if (this.#known.size > 10_000) this.#known.clear();
  }

  #refuse(admit: Admit, refusal: BudgetExhausted): void {
    const key = keyOf(refusal.window);
    const now = performance.now();
    const known = this.#known.get(key);
    const recalling = this.#isRecallable(admit, refusal);
    this.#known.set(key, {
      used: refusal.used,
      at: now,
      recalledAt: recalling ? now : (known?.recalledAt ?? Number.NEGATIVE_INFINITY),
    });
    // Those refused while a recall is under way wait for what it brings, too.
    const recent = recalling || (known !== undefined && now - known.recalledAt < 600);
    const wait = recallWaits[admit.tries];
    const hopeless = outputWithin(admit.ask, minus(refusal.window.limit, refusal.used)) < 0;
    if (hopeless || wait === undefined || (admit.tries === 0 && !recent)) {
      admit.done.reject(refusal);
      return;
    }
    admit.tries++;
    setTimeout(() => {
      this.#admits.push(admit);
      this.#start();
    }, wait);
  }

  #warningFor(windows: readonly BudgetWindow[]): Admission['warning'] {
    let worst: Admission['warning'] = null;
    for (const window of windows) {
      const known = this.#known.get(keyOf(window));
      const percent = known ? thresholdOf(known.used, window.limit) : 0;
      if (percent > (worst?.percent ?? 0)) worst = { percent, budgetId: window.budgetId };
    }
    return worst;
  }

  /** Gives back what was held for a second and is not needed. */
  async returnIdle(options: { all?: boolean } = {}): Promise<void> {
    const { db } = this.#deps;
    const now = performance.now();
    const idle: [Lease, Amount][] = [];
    for (const [key, lease] of this.#leases) {
      if (!options.all && now - lease.touchedAt < idleMilliseconds) continue;
      if (isNothing(lease.free)) {
        if (lease.tightUntil < now) this.#leases.delete(key);
        continue;
      }
      idle.push([lease, lease.free]);
      lease.free = nothing;
    }
    if (idle.length === 0) return;
    try {
      await db.write(
        async (tx) => {
          for (const [{ budgetId, windowStart }, amount] of idle) {
            const back = minus(nothing, amount);
            const row = await moveLedger(tx, budgetId, windowStart, { used: nothing, held: back });
            if (row) await moveLease(tx, this.#processId, budgetId, windowStart, back);
          }
        },
        db.engine === 'postgres' ? { queue: 'ai-ledger' } : {},
      );
    } catch (error) {
      for (const [lease, amount] of idle) lease.free = plus(lease.free, amount);
      throw error;
    }
  }

  /** A request that goes on as a job of the provider: what is held for it stays held, whatever becomes of this process. */
  async keep(event: UsageEvent, holds: readonly Hold[], tx: Tx, keeperId: string): Promise<void> {
    await tx.updateTable('ai_pending').set({ process_id: keeperId }).where('id', '=', event.id).execute();
    await updatePendingEvent(tx, event.id, JSON.stringify(event));
    for (const hold of holds) {
      const { budgetId, windowStart, nanos, requests, tokens } = hold;
      await moveLease(
        tx,
        this.#processId,
        budgetId,
        windowStart,
        minus(nothing, { nanos, requests, tokens }),
      );
      await moveLease(tx, keeperId, budgetId, windowStart, { nanos, requests, tokens });
    }
  }

  #lease(window: { budgetId: string; windowStart: number }): Lease {
    const key = keyOf(window);
    let lease = this.#leases.get(key);
    if (!lease) {
      lease = {
        budgetId: window.budgetId,
        windowStart: window.windowStart,
        free: nothing,
        touchedAt: performance.now(),
        tightUntil: 0,
      };
      this.#leases.set(key, lease);
    }
    return lease;
  }

  #giveBack(free: ReadonlyMap<string, Amount>): void {
    for (const [key, amount] of free) {
      const lease = this.#leases.get(key);
      if (lease) lease.free = plus(lease.free, amount);
    }
  }

  /** Settles what has ended and gives everything back. Requests under way must have ended. */
  async close(): Promise<void> {
    const { db } = this.#deps;
    await this.flush();
    clearTimeout(this.#timer);
    if (this.#beatAt === Number.NEGATIVE_INFINITY) return;
    await this.returnIdle({ all: true });
    await db.write(async (tx) => {
      const open = await tx
        .selectFrom('ai_pending')
        .select('id')
        .where('process_id', '=', this.#processId)
        .executeTakeFirst();
      if (!open) await deleteProcess(tx, this.#processId);
    });
  }
}

interface Outcome {
  results: (Admission | BudgetExhausted)[];
  admits: Admit[];
  free: Map<string, Amount>;
  after: LedgerRow[];
  settled: ReadonlySet<string>;
}

function keyOf({ budgetId, windowStart }: { budgetId: string; windowStart: number }): string {
  return `${budgetId}:${windowStart}`;
}

export function usedOf(row: LedgerRow): Amount {
  return { nanos: row.used_nanos, requests: row.used_requests, tokens: row.used_tokens };
}

function heldOf(row: LedgerRow): Amount {
  return { nanos: row.held_nanos, requests: row.held_requests, tokens: row.held_tokens };
}

function atLeastNothing(amount: Amount): Amount {
  return {
    nanos: Math.max(0, amount.nanos),
    requests: Math.max(0, amount.requests),
    tokens: Math.max(0, amount.tokens),
  };
}

/** What is taken beyond the need, so that the next requests find it in memory: a 64th of what is left. */
function aheadOf(left: Amount): Amount {
  const part = (value: number) => (Number.isFinite(value) ? Math.max(0, Math.floor(value / 64)) : 0);
  const unlimited = (value: number, sensible: number) => (Number.isFinite(value) ? part(value) : sensible);
  return {
    nanos: unlimited(left.nanos, 1e12),
    requests: unlimited(left.requests, 1e6),
    tokens: unlimited(left.tokens, 1e9),
  };
}

const thresholds = [100, 80, 50];

/** The highest threshold that is reached: 0, 50, 80 or 100. */
export function thresholdOf(used: Amount, limit: Amount): number {
  const share = Math.max(
    ...(['nanos', 'requests', 'tokens'] as const).map((unit) =>
      Number.isFinite(limit[unit]) ? (limit[unit] === 0 ? 1 : used[unit] / limit[unit]) : 0,
    ),
  );
  return thresholds.find((percent) => share * 100 >= percent) ?? 0;
}
