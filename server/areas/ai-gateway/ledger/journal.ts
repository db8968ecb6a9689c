import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { NothingChanged, Problem } from '#core/problem.ts';
import { runShared } from '#core/waits.ts';
import { type Amount, type Ask, lesser, minus, nothing, outputWithin, thresholdOf } from './amounts.ts';
import { bootId } from './boot.ts';
import type { UsageEvent } from './event.ts';
import { Leases } from './leases.ts';
import { Planner } from './plan.ts';
import {
  beat,
  findProcess,
  type Hold,
  insertPending,
  insertProcess,
  type LedgerRow,
  leasesOf,
  type NewPending,
  pendingOf,
  takePending,
} from './store.ts';
import { releaseProcess } from './sweep.ts';
import { BudgetExhausted, type BudgetWindow, keyOf, Moves, usedOf, type WindowId } from './windows.ts';

export interface Admission {
  /** How many output tokens are paid for. */
  output: number;
  /** Less than was wanted, because a budget is near its limit. */
  isShrunk: boolean;
  holds: readonly Hold[];
  /** The most used of the budgets, in percent, when that is 50 or more. */
  warning: { percent: number; budgetId: string } | null;
}

interface Admit {
  event: UsageEvent;
  ask: Ask;
  windows: readonly BudgetWindow[];
  done: PromiseWithResolvers<Admission>;
  /** Monotonic milliseconds: until then it waits for what other processes hold and do not need. */
  patience: number | undefined;
}

interface Settle {
  event: UsageEvent;
  holds: readonly Hold[];
  actual: Amount;
  /** Refused before it was written down: there is nothing to close. */
  isNew: boolean;
  /** It failed before: it may have been written all the same. */
  isRepeated: boolean;
  done: PromiseWithResolvers<void>;
}

export interface JournalDeps {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Writes settled events; runs in the transaction that settles them. */
  write(tx: Tx, events: readonly UsageEvent[]): Promise<void>;
  /** Those of them that are written already. */
  written(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** A window after something was added to it. Runs in the same transaction, which may run twice. */
  used(tx: Tx, row: LedgerRow): Promise<void>;
  /** After the commit: what has ended. */
  ended?(event: UsageEvent): void;
  /** After the commit: something was used. */
  committed?(): void;
}

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: organization id. */
    ai_budgets: true;
    /** Key: <budget id>:<start of its window>. */
    ai_lease_recall: true;
  }
}

/** Notification of a change to the budgets of an organization, whose id is the key. */
export const budgetsTopic = 'ai_budgets';

/** Notification that a process lacks what others may hold and not need: they give it back. */
const recallTopic = 'ai_lease_recall';
/** What has ended waits for others that end, so that beginnings seldom wait for a commit that waits for the disk. */
const settleDelay = 250;
const repeatDelay = 500;
const maxBatch = 500;
/** From so many requests under way on, commits are so far apart: a commit costs as much as all else of a request. */
const crowd = 16;
const crowdMilliseconds = 5;
/** How long a request waits for what other processes hold and do not need, how often it looks, and how often it asks. */
const patienceMilliseconds = 10_000;
const lookMilliseconds = 50;
const recallMilliseconds = 500;
/** A process that has been silent for so long is not waited for. It speaks every 5 seconds. */
const aliveMilliseconds = 30_000;

/**
 * What is spent, exactly, without a round trip to the database for each thing. One commit a tick writes every request
 * that waits for one, before it is sent on; others settle what has ended, and take or return parts of budgets. A process
 * takes a 64th of what is left of a budget at a time, and single requests near the limit.
 *
 * The rows are the one truth: whatever this process holds in memory, they count as held. One transaction runs at a
 * time, and after each the lease of this process is what is free in memory and what its requests under way hold. When
 * that is in doubt, because a commit was not answered or the process was taken for dead, nothing is written before
 * memory was made anew from the rows.
 */
export class Journal {
  readonly #deps: JournalDeps;
  readonly #leases = new Leases();
  /** What is known to be used at least: refuses what cannot fit, without asking. */
  readonly #known = new Map<string, Amount>();
  /** When others were last asked for what they hold of a window. */
  readonly #recalled = new Map<string, number>();
  /** Requests under way: written down, sent on, and not settled. */
  readonly #open = new Set<string>();
  #processId: string | undefined;
  #isDoubtful = true;
  #admits: Admit[] = [];
  #settles: Settle[] = [];
  readonly #patient = new Set<Admit>();
  #isSettleDue = false;
  #isReturnDue = false;
  #returnsAll = false;
  #running: Promise<void> | undefined;
  #gatheredAt = 0;
  /** Requests that have begun and not ended; those that have ended stay open until that is committed. */
  #underWay = 0;
  #settleTimer: NodeJS.Timeout | undefined;
  #lookTimer: NodeJS.Timeout | undefined;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    const recall = (key: string | undefined) => {
      this.#leases.tighten(key);
      this.#isReturnDue = true;
      // What has ended may leave what others lack.
      this.#settleNow();
    };
    deps.db.notifications.on(recallTopic, recall);
    // What was taken under other limits goes back.
    deps.db.notifications.on(budgetsTopic, () => {
      this.#known.clear();
      recall(undefined);
    });
  }

  /**
   * Writes the request down and reserves what it may cost. Resolves when that is committed. Rejects with
   * `BudgetExhausted`, or with `Problem('unavailable')`.
   */
  admit(event: UsageEvent, ask: Ask, windows: readonly BudgetWindow[]): Promise<Admission> {
    for (const window of windows) {
      const used = this.#known.get(keyOf(window));
      // What was used only grows: what does not fit beside it never will.
      if (used && outputWithin(ask, minus(window.limit, used)) < 0)
        return Promise.reject(new BudgetExhausted(window, used));
    }
    const done = Promise.withResolvers<Admission>();
    this.#admits.push({ event, ask, windows, done, patience: undefined });
    this.#start();
    return done.promise;
  }

  /** The end of a request: what it used in place of what was held for it. Resolves when that is committed. */
  settle(event: UsageEvent, holds: readonly Hold[], actual: Amount): Promise<void> {
    this.#underWay--;
    return this.#end({ event, holds, actual, isNew: false });
  }

  /** A request that was refused before it was written down. */
  note(event: UsageEvent): Promise<void> {
    return this.#end({ event, holds: [], actual: nothing, isNew: true });
  }

  #end(settle: Pick<Settle, 'event' | 'holds' | 'actual' | 'isNew'>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#settles.push({ ...settle, isRepeated: false, done });
    const isAwaited = settle.holds.some((hold) => this.#leases.isTight(hold));
    if (isAwaited || this.#settles.length >= maxBatch) this.#settleNow();
    else this.#settleTimer ??= setTimeout(() => this.#settleNow(), settleDelay);
    return done.promise;
  }

  #settleNow(): void {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = undefined;
    this.#isSettleDue = true;
    this.#start();
  }

  /** Everything that has ended so far is committed, or has failed. */
  async flush(): Promise<void> {
    while (this.#settles.length > 0 || this.#admits.length > 0 || this.#running !== undefined) {
      if (this.#settles.length > 0) this.#settleNow();
      this.#start();
      await this.#running;
    }
  }

  /** Gives back what was held for a second and is not needed. */
  async returnIdle(): Promise<void> {
    this.#isReturnDue = true;
    this.#start();
    await this.#running;
  }

  /** Says that this process lives. Due every few seconds. */
  async beat(): Promise<void> {
    const { db, clock } = this.#deps;
    const id = this.#processId;
    const isHere = id !== undefined && (await db.write((tx) => beat(tx, id, clock.now())));
    if (!isHere && id === this.#processId) {
      this.#doubt();
      await this.returnIdle();
    }
  }

  /** Settles what has ended and gives everything back. Requests under way must have ended. */
  async close(): Promise<void> {
    const { db } = this.#deps;
    await this.flush();
    clearTimeout(this.#settleTimer);
    clearTimeout(this.#lookTimer);
    this.#failAdmits([...this.#patient], undefined);
    this.#returnsAll = true;
    await this.returnIdle();
    const id = this.#processId;
    if (id === undefined) return;
    await db.write(async (tx) => {
      if ((await pendingOf(tx, id)).length === 0) await releaseProcess(tx, id);
    }, this.#queue());
  }

  #start(): void {
    if (this.#running !== undefined || !this.#isNeeded()) return;
    // The batch is of many requests: it does not end with the one that happened to start it.
    this.#running = runShared(() => this.#run()).finally(() => {
      this.#running = undefined;
      this.#start();
    });
  }

  #isNeeded(): boolean {
    return this.#admits.length > 0 || this.#isSettleDue || this.#isReturnDue;
  }

  /** What arrives in this turn of the event loop shares the commit; with many under way, what arrives in 5 ms does. */
  async #gather(): Promise<void> {
    const pause = this.#underWay < crowd ? 0 : this.#gatheredAt + crowdMilliseconds - performance.now();
    await (pause > 0 ? sleep(pause) : new Promise((resolve) => setImmediate(resolve)));
    this.#gatheredAt = performance.now();
  }

  async #run(): Promise<void> {
    await this.#gather();
    if (this.#isDoubtful && !(await this.#reconcile())) return this.#failAll();
    await this.#inParts(this.#admits.splice(0, maxBatch), (admits) => this.#begin(admits), this.#failAdmits);
    if (this.#isSettleDue && !this.#isDoubtful) await this.#settleSome();
    if (this.#isReturnDue && !this.#isDoubtful) {
      this.#isReturnDue = false;
      await this.#return().catch((err) => {
        this.#doubt();
        this.#deps.log.warn({ err }, 'Unused parts of budgets could not be given back.');
      });
    }
  }

  #settleSome(): Promise<void> {
    this.#isSettleDue = this.#settles.length > maxBatch;
    return this.#inParts(this.#settles.splice(0, maxBatch), (some) => this.#finish(some), this.#failSettles);
  }

  /**
   * Does it for all of them. Where that fails for another reason than an engine that is not there, it is done for less
   * at a time: one that cannot be written must not keep the others from it.
   */
  async #inParts<T>(
    items: T[],
    work: (items: T[]) => Promise<void>,
    fail: (items: T[], error: unknown) => void,
    isRenewed = false,
  ): Promise<void> {
    if (items.length === 0) return;
    try {
      if (this.#isDoubtful && !(await this.#reconcile())) throw unavailable(undefined);
      await work(items);
    } catch (error) {
      const before = this.#processId;
      if (!(error instanceof NothingChanged)) this.#doubt();
      if (error instanceof Problem || !(await this.#reconcile())) return fail.call(this, items, error);
      // It was taken for dead: as another process it can be done.
      if (before !== this.#processId && !isRenewed) return this.#inParts(items, work, fail, true);
      if (items.length === 1) return fail.call(this, items, error);
      const middle = items.length >> 1;
      await this.#inParts(items.slice(0, middle), work, fail, isRenewed);
      await this.#inParts(items.slice(middle), work, fail, isRenewed);
    }
  }

  /** Memory does not tell for certain what the rows say. */
  #doubt(): void {
    this.#isDoubtful = true;
    this.#leases.clear();
  }

  /** Makes memory anew from the rows; as another process where this one was taken for dead. False: no database. */
  async #reconcile(): Promise<boolean> {
    const { db, clock, log } = this.#deps;
    const id = this.#processId;
    try {
      const free = id === undefined ? undefined : await db.write((tx) => this.#freeOf(tx, id), this.#queue());
      this.#leases.clear();
      if (!free) {
        const fresh = newId();
        await db.write((tx) => insertProcess(tx, { id: fresh, beat_at: clock.now(), boot_id: bootId() }));
        this.#processId = fresh;
      }
      for (const [window, amount] of free ?? []) this.#leases.setFree(window, amount);
      this.#isDoubtful = false;
      return true;
    } catch (err) {
      log.warn({ err }, 'The AI gateway cannot read what it holds of budgets.');
      return false;
    }
  }

  /** What is free of the leases of this process. Requests that were written down and refused all the same are taken out. */
  async #freeOf(tx: Tx, id: string): Promise<[WindowId, Amount][] | undefined> {
    if (!(await findProcess(tx, id))) return undefined;
    const pending = await pendingOf(tx, id);
    await takePending(
      tx,
      this.#deps.db.engine,
      pending.filter((row) => !this.#open.has(row.id)).map((row) => row.id),
    );
    const held = new Moves();
    for (const row of pending)
      if (this.#open.has(row.id))
        for (const hold of JSON.parse(row.holds) as Hold[]) held.add(hold, nothing, hold);
    return (await leasesOf(tx, id)).map((lease) => {
      const window = { budgetId: lease.budget_id, windowStart: lease.window_start };
      return [window, minus(lease, held.of(window).held)];
    });
  }

  #queue(): { queue: string } | Record<never, never> {
    return this.#deps.db.engine === 'postgres' ? { queue: 'ai-ledger' } : {};
  }

  async #begin(admits: Admit[]): Promise<void> {
    const { db } = this.#deps;
    const covered: [Admit, Hold[]][] = [];
    const others: Admit[] = [];
    for (const admit of admits) {
      const holds = this.#leases.spend(admit.ask, admit.windows);
      if (holds) covered.push([admit, holds]);
      else others.push(admit);
    }
    if (covered.length > 0) {
      const rows = covered.map(([{ event }, holds]) => this.#pending(event, holds));
      // A lease that is on the disk counts as spent when power is lost: its requests need not wait for the disk as well.
      await db.writeOne((tx) => insertPending(tx, db.engine, rows), { relaxed: true });
      for (const [admit, holds] of covered) this.#grant(admit, { output: admit.ask.outputWanted, holds });
    }
    if (others.length === 0) return;
    // Those admitted have their answer: what fails from here on fails the others alone. What has ended leaves room for them.
    await this.#settleSome();
    await this.#inParts(others, (some) => this.#lease(some), this.#failAdmits);
  }

  /** Admits what needs more of a budget than is free in this process. */
  async #lease(admits: Admit[]): Promise<void> {
    const { db, clock } = this.#deps;
    const processId = this.#processId as string;
    const { results, free, recalls } = await db.write(async (tx) => {
      const planner = new Planner({
        ...{ tx, processId, aliveSince: clock.now() - aliveMilliseconds },
        freeOf: (window) => this.#leases.freeOf(window),
        isTight: (window) => this.#leases.isTight(window),
      });
      const results = [];
      const pending: NewPending[] = [];
      const recalls = new Set<string>();
      for (const { event, ask, windows } of admits) {
        const result = await planner.plan(ask, windows, event.organizationId);
        if ('holds' in result) pending.push(this.#pending(event, result.holds));
        else if ('heldElsewhere' in result) recalls.add(keyOf(result.heldElsewhere.window));
        results.push(result);
      }
      await insertPending(tx, db.engine, pending);
      await planner.moves.write(tx, processId);
      for (const key of recalls)
        if (performance.now() - (this.#recalled.get(key) ?? -Infinity) >= recallMilliseconds)
          announce(tx, recallTopic, key);
        else recalls.delete(key);
      return { results, free: planner.free, recalls };
    }, this.#queue());
    for (const key of recalls) this.#recalled.set(key, performance.now());
    for (const { window, free: amount } of free.values()) this.#leases.setFree(window, amount);
    for (const [at, result] of results.entries()) {
      const admit = admits[at] as Admit;
      if ('holds' in result) this.#grant(admit, result);
      else if ('heldElsewhere' in result) this.#wait(admit, result.heldElsewhere);
      else this.#refuse(admit, result);
    }
  }

  #pending(event: UsageEvent, holds: readonly Hold[]): NewPending {
    const { id, organizationId: organization_id } = event;
    return { id, process_id: this.#processId as string, organization_id, holds, event };
  }

  #grant({ event, ask, windows, done }: Admit, { output, holds }: { output: number; holds: Hold[] }): void {
    this.#open.add(event.id);
    this.#underWay++;
    const warning = this.#warningFor(windows);
    done.resolve({ output, isShrunk: output < ask.outputWanted, holds, warning });
  }

  #refuse({ done }: Admit, refusal: BudgetExhausted): void {
    this.#know(keyOf(refusal.window), refusal.used);
    done.reject(refusal);
  }

  /** There is room, though not in this process: it looks again soon. */
  #wait(admit: Admit, refusal: BudgetExhausted): void {
    const now = performance.now();
    admit.patience ??= now + patienceMilliseconds;
    if (now >= admit.patience) {
      this.#refuse(admit, refusal);
      return;
    }
    this.#patient.add(admit);
    this.#lookTimer ??= setTimeout(() => {
      this.#lookTimer = undefined;
      this.#admits.push(...this.#patient);
      this.#patient.clear();
      this.#start();
    }, lookMilliseconds);
  }

  /** Settles what has ended. */
  async #finish(settles: Settle[]): Promise<void> {
    const { db, write, written, used: noteUsed } = this.#deps;
    const processId = this.#processId as string;
    const { settled, after } = await db.write(async (tx) => {
      const old = settles.filter(({ isNew }) => !isNew).map(({ event }) => event.id);
      const settled = await takePending(tx, db.engine, old);
      const repeated = settles.filter(({ isNew, isRepeated }) => isNew && isRepeated);
      const known = await written(
        tx,
        repeated.map(({ event }) => event.id),
      );
      const moves = new Moves();
      const events: UsageEvent[] = [];
      for (const { event, holds, actual, isNew } of settles) {
        if (isNew ? known.has(event.id) : !settled.has(event.id)) continue;
        events.push(event);
        for (const hold of holds) moves.add(hold, actual, minus(nothing, lesser(actual, hold)));
      }
      if (events.length > 0) await write(tx, events);
      const after = await moves.write(tx, processId);
      for (const { row } of after) await noteUsed(tx, row);
      return { settled, after };
    }, this.#queue());
    for (const { event, holds, actual, done } of settles) {
      this.#open.delete(event.id);
      if (settled.has(event.id))
        for (const hold of holds) this.#leases.add(hold, minus(hold, lesser(actual, hold)));
      this.#deps.ended?.(event);
      done.resolve();
    }
    for (const { row } of after)
      this.#know(keyOf({ budgetId: row.budget_id, windowStart: row.window_start }), usedOf(row));
    this.#deps.committed?.();
    // Others wait for what a recall brings: what is free again does not stay here.
    this.#isReturnDue ||= settles.some(({ holds }) => holds.some((hold) => this.#leases.isTight(hold)));
  }

  async #return(): Promise<void> {
    const { db } = this.#deps;
    const idle = this.#leases.idle({ all: this.#returnsAll });
    if (idle.length === 0) return;
    const moves = new Moves();
    for (const { window, free } of idle) moves.add(window, nothing, minus(nothing, free));
    await db.write((tx) => moves.write(tx, this.#processId as string), this.#queue());
    for (const { window, free } of idle) this.#leases.add(window, minus(nothing, free));
  }

  #failAll(): void {
    this.#failAdmits(this.#admits.splice(0), undefined);
    this.#failSettles(this.#settles.splice(0), unavailable(undefined));
    this.#isSettleDue = false;
    this.#isReturnDue = false;
  }

  #failAdmits(admits: Admit[], error: unknown): void {
    if (admits.length === 0) return;
    this.#deps.log.error({ err: error }, 'Requests of the AI gateway could not be written down.');
    for (const { done } of admits) done.reject(error instanceof NothingChanged ? error : unavailable(error));
  }

  /** What has ended is kept until the database is back; what has not begun is refused, so this is bounded. */
  #failSettles(settles: Settle[], error: unknown): void {
    if (settles.length === 0) return;
    if (!(error instanceof Problem)) {
      this.#deps.log.error(
        { err: error },
        'The end of a request of the AI gateway could not be written down.',
      );
      for (const { done } of settles) done.reject(error);
      return;
    }
    for (const settle of settles) settle.isRepeated = true;
    setTimeout(() => {
      this.#settles.unshift(...settles);
      this.#settleNow();
    }, repeatDelay).unref();
  }

  #know(key: string, used: Amount): void {
    if (this.#known.size > 10_000) this.#known.clear();
    this.#known.set(key, used);
  }

  #warningFor(windows: readonly BudgetWindow[]): Admission['warning'] {
    let worst: Admission['warning'] = null;
    for (const window of windows) {
      const used = this.#known.get(keyOf(window));
      const percent = used ? thresholdOf(used, window.limit) : 0;
      if (percent > (worst?.percent ?? 0)) worst = { percent, budgetId: window.budgetId };
    }
    return worst;
  }
}

function unavailable(cause: unknown): Problem {
  const sentence = 'The request could not be recorded, so it was not forwarded. Try again shortly.';
  return new NothingChanged('unavailable', sentence, { cause, retryAfterSeconds: 2 });
}
