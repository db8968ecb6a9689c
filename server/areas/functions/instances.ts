import type { Instance } from '#core/runner.ts';
import { attempt, type Tried } from './attempts.ts';
import {
  type FunctionOf,
  keyOf,
  newPool,
  type Owner,
  type Place,
  type Pool,
  type Running,
  type TakenPlace,
  type Waiting,
} from './pool.ts';
import { Processes, type ProcessesDeps } from './processes.ts';
import { type Lacking, type Limits, lackingFor, memoryOf, sentenceOf, type Used, usedBy } from './room.ts';

/** No process may take the request now. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

export interface InstancesDeps extends Limits, ProcessesDeps {
  concurrency: number;
  /** Processes of one function. */
  most: number;
  queue: number;
  queueSeconds: number;
  /** After so long without a request a process is frozen, and after so long it is ended. */
  freezeSeconds: number;
  idleSeconds: number;
  /** How long a new version may take for its first answer. */
  answerSeconds: number;
  /** Of all processes together: beyond, those that were frozen longest ago end. */
  memoryBytes: number;
}

/** A process that hangs up because it ends is gone by then. */
const doubtMilliseconds = 200;

/**
 * Processes of functions on this node: started when they are asked, several when one is busy, frozen and then ended when
 * nobody asks for a while. A request waits for a place in order of arrival, in a queue that has an end.
 */
export class Instances {
  readonly #deps: InstancesDeps;
  readonly #pools = new Map<string, Pool>();
  /** Functions that keep a process running, by the key of their pool. */
  #kept: ReadonlySet<string> = new Set();
  readonly #processes: Processes;

  constructor(deps: InstancesDeps) {
    this.#deps = deps;
    this.#processes = new Processes(deps, (pool) => this.#serve(pool));
  }

  /** `stickyKey`: the process that took the last request with this key, as long as it is there and has room. */
  async acquire(of: FunctionOf, stickyKey?: string): Promise<Place> {
    const pool = this.#pool(of);
    const known = stickyKey === undefined ? undefined : pool.sticky.get(stickyKey);
    if (known?.state === 'frozen') this.#processes.wake(pool, known);
    if (known?.state === 'waking') await known.turned;
    const isThere = known && pool.running.includes(known) && known.state === 'ready' && !known.isDoubted;
    const free = isThere && known.busy < this.#deps.concurrency ? known : this.#free(pool);
    const place = await (free ? this.#take(pool, free) : this.#queue(pool, of));
    if (stickyKey !== undefined) pool.sticky.set(stickyKey, place.running);
    return place;
  }

  #queue(pool: Pool, of: FunctionOf): Promise<TakenPlace> {
    if (pool.waiting.length >= this.#deps.queue + this.#deps.concurrency) {
      this.#deps.meter.count(of, 'rejected');
      return Promise.reject(new Overloaded('The queue is full.'));
    }
    const place = this.#wait(pool);
    this.#grow(pool);
    return place;
  }

  /** Tries the function in a process of its own. */
  attempt(of: FunctionOf, signal: AbortSignal): Promise<Tried> {
    return attempt(this.#deps, of, signal, (instance, dropPackage) => this.#adopt(of, instance, dropPackage));
  }

  /** False where the process may not be one of ours: there are enough, or the organization has no room for it. */
  #adopt(of: FunctionOf, instance: Instance, dropPackage: () => void): boolean {
    const pool = this.#pool(of);
    const isEnough = pool.running.length + pool.starting >= this.#deps.most;
    if (isEnough || this.#processes.areStopped || !this.#hasRoom(of)) return false;
    this.#processes.add(pool, instance, dropPackage);
    return true;
  }

  /**
   * From now on each of these functions keeps one process that is neither frozen nor ended while it is idle, and nothing else
   * does. Starts those that have none, as far as their organizations have room: no process ends for them.
   */
  keep(wanted: readonly FunctionOf[]): void {
    this.#kept = new Set(wanted.map(keyOf));
    for (const of of wanted) {
      const pool = this.#pool(of);
      if (pool.starting > 0 || pool.running.some(({ state }) => state !== 'frozen')) continue;
      const [frozen] = pool.running;
      if (frozen) this.#processes.wake(pool, frozen);
      else if (!pool.crashes.areTooMany && this.#hasRoom(of)) void this.#processes.start(pool);
    }
  }

  /** Whether it is the one that its function keeps. */
  #isKept(pool: Pool, running: Running): boolean {
    if (!this.#kept.has(keyOf(pool.of))) return false;
    return !pool.running.some((other) => other !== running && other.state !== 'frozen' && !other.isDoubted);
  }

  #pool(of: FunctionOf): Pool {
    const key = keyOf(of);
    const known = this.#pools.get(key);
    if (known) {
      known.of = of;
      return known;
    }
    const pool = newPool(of, this.#deps.clock);
    this.#pools.set(key, pool);
    return pool;
  }

  #free(pool: Pool): Running | undefined {
    return pool.running.find(
      ({ state, busy, isDoubted }) => state === 'ready' && !isDoubted && busy < this.#deps.concurrency,
    );
  }

  #wait(pool: Pool): Promise<TakenPlace> {
    return new Promise<TakenPlace>((resolve, reject) => {
      const seconds = this.#deps.queueSeconds;
      const waiting: Waiting = {
        resolve(place) {
          clearTimeout(timer);
          resolve(place);
        },
        reject(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        const at = pool.waiting.indexOf(waiting);
        if (at !== -1) pool.waiting.splice(at, 1);
        this.#deps.meter.count(pool.of, 'rejected');
        reject(new Overloaded(`No process was available within ${seconds} s.`));
      }, seconds * 1000);
      timer.unref();
      pool.waiting.push(waiting);
    });
  }

  /** Wakes a frozen process for those who wait, or starts one, as many as are needed. */
  #grow(pool: Pool): void {
    const { concurrency, most } = this.#deps;
    const onTheirWay = pool.starting + pool.running.filter(({ state }) => state === 'waking').length;
    if (onTheirWay >= Math.ceil(pool.waiting.length / concurrency)) return;
    const frozen = pool.running.find(({ state }) => state === 'frozen');
    if (frozen) {
      this.#processes.wake(pool, frozen);
      return;
    }
    const total = pool.running.filter(({ isDoubted }) => !isDoubted).length + pool.starting;
    if (total >= most) return;
    const lacking = this.#makeRoom(pool.of);
    if (lacking === null) void this.#processes.start(pool);
    else if (pool.running.length + pool.starting === 0) {
      this.#deps.meter.count(pool.of, 'rejected');
      for (const { reject } of pool.waiting.splice(0))
        reject(new Overloaded(sentenceOf(lacking, this.#deps)));
    }
  }

  /**
   * What the organization lacks for one more process of the function; null where it may have it. Where it has too many, those that
   * have been idle longest end, if that is enough.
   */
  #makeRoom(of: FunctionOf): Lacking | null {
    const pools = this.#poolsOf(of);
    const idle = pools
      .flatMap((pool) => pool.running.map((running) => ({ pool, running })))
      .filter(({ running: { busy, state } }) => busy === 0 && state !== 'waking')
      // Whoever asks comes before what is only kept: that one last.
      .toSorted(
        (a, b) =>
          Number(this.#isKept(a.pool, a.running)) - Number(this.#isKept(b.pool, b.running)) ||
          a.running.idleSince - b.running.idleSince,
      );
    const left = usedBy(pools);
    for (const { pool } of idle) {
      left.instances -= 1;
      left.memoryBytes -= memoryOf(pool.of);
    }
    const lacking = lackingFor(of, left, this.#deps);
    if (lacking !== null) return lacking;
    for (const { pool, running } of idle) {
      if (this.#hasRoom(of)) break;
      void this.#processes.end(pool, running);
    }
    return null;
  }

  #hasRoom(of: FunctionOf): boolean {
    return lackingFor(of, usedBy(this.#poolsOf(of)), this.#deps) === null;
  }

  /** What the organization has on this node: processes, and the memory that they are configured with. */
  usageOf(organizationId: string): Used {
    return usedBy(this.#poolsOf({ organizationId }));
  }

  #poolsOf({ organizationId }: Pick<Owner, 'organizationId'>): Pool[] {
    return [...this.#pools.values()].filter(({ of }) => of.organizationId === organizationId);
  }

  #take(pool: Pool, running: Running): TakenPlace {
    running.busy += 1;
    let isReleased = false;
    return {
      running,
      abandon: () => this.#processes.abandon(pool, running),
      socketPath: running.instance.socketPath,
      doubt: () => {
        running.isDoubted = true;
        setTimeout(() => {
          running.isDoubted = false;
          this.#serve(pool);
        }, doubtMilliseconds).unref();
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        running.busy -= 1;
        running.idleSince = this.#deps.clock.now();
        this.#serve(pool);
      },
    };
  }

  /** Gives free places to those who wait. */
  #serve(pool: Pool): void {
    while (pool.waiting.length > 0) {
      const free = this.#free(pool);
      if (!free) break;
      pool.waiting.shift()?.resolve(this.#take(pool, free));
    }
    if (pool.waiting.length > 0) this.#grow(pool);
  }

  /** Tells of functions that have ended so often that they are not started for now. */
  onCrashes(tell: (of: FunctionOf, reason: string) => void): void {
    this.#processes.onCrashes(tell);
  }

  /** Freezes and ends processes that nobody has asked for a while; the last one of a function too, unless it is kept. */
  async sweep(): Promise<void> {
    const { clock, freezeSeconds, idleSeconds, memoryBytes } = this.#deps;
    const now = clock.now();
    const work: Promise<void>[] = [];
    const frozen: { pool: Pool; running: Running; memory: number }[] = [];
    let memoryUsed = 0;
    for (const [key, pool] of this.#pools) {
      for (const running of [...pool.running]) {
        const { memory, isQuiet } = await this.#processes.look(pool, running, now);
        memoryUsed += memory;
        // While that was looked at, a request may have come, or the process may have gone.
        if (running.busy > 0 || running.state === 'waking' || !pool.running.includes(running)) continue;
        if (running.state !== 'frozen' && this.#isKept(pool, running)) continue;
        const idle = now - running.idleSince;
        if (idle >= idleSeconds * 1000) work.push(this.#processes.end(pool, running));
        else if (running.state === 'frozen') frozen.push({ pool, running, memory });
        else if (idle >= freezeSeconds * 1000 && isQuiet) work.push(this.#processes.freeze(running));
      }
      const isUnused = pool.running.length === 0 && pool.starting === 0 && pool.waiting.length === 0;
      if (isUnused && pool.crashes.areNone) this.#pools.delete(key);
    }
    frozen.sort((a, b) => a.running.idleSince - b.running.idleSince);
    for (const { pool, running, memory } of frozen) {
      if (memoryUsed <= memoryBytes) break;
      if (running.state !== 'frozen') continue;
      memoryUsed -= memory;
      work.push(this.#processes.end(pool, running));
    }
    await Promise.all(work);
  }

  /** How many processes a function has on this node, by what they do. */
  states(deploymentId: string, functionName: string): { busy: number; idle: number; frozen: number } {
    const running = this.#pools.get(`${deploymentId}:${functionName}`)?.running ?? [];
    const frozen = running.filter(({ state }) => state === 'frozen').length;
    const busy = running.filter((one) => one.busy > 0).length;
    return { busy, idle: running.length - frozen - busy, frozen };
  }

  close(): Promise<void> {
    return this.#processes.stopAll(this.#pools.values());
  }
}
