import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Manifest, PackagedFunction, Packages } from '#areas/deployments/service.ts';
import type { Clock } from '#core/clock.ts';
import { type Instance, RunFailed, type Runner, type Unit } from '#core/runner.ts';

/** No process may take the request now. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

/** A place in a process of a function, until it is given back. */
export interface Place {
  socketPath: string;
  release(): void;
  /** Nobody listens there any more: no further request is sent to it. */
  abandon(): void;
  /** It hung up: it may be about to end, and gets no further request until that is known. */
  doubt(): void;
}

interface Running {
  instance: Instance;
  busy: number;
  isDoubted: boolean;
  idleSince: number;
  dropPackage(): void;
}

interface TakenPlace extends Place {
  running: Running;
}

interface Waiting {
  resolve(place: TakenPlace): void;
  reject(error: Error): void;
}

/** Processes of one function of one deployment. */
interface Pool {
  running: Running[];
  starting: number;
  waiting: Waiting[];
  /** Ends of processes in the last minute, for backing off. */
  crashes: number[];
  /** Which process took the last request with a key of a sticky address. */
  sticky: LRUCache<string, Running>;
}

export interface InstancesDeps {
  runner: Runner;
  packages: Packages;
  clock: Clock;
  log: Logger;
  concurrency: number;
  most: number;
  queue: number;
  idleSeconds: number;
  /** A line that the code printed. */
  onLine(of: Owner, functionName: string, line: string, stream: 'stdout' | 'stderr'): void;
}

/** Whose function it is. */
export interface Owner {
  organizationId: string;
  applicationId: string;
  deploymentId: string;
}

export interface FunctionOf extends Owner {
  wanted: PackagedFunction;
  /** Asked when a process is started. */
  env(): Readonly<Record<string, string>>;
}

const crashWindow = 60_000;
const maxCrashes = 5;
const graceSeconds = 30;
const maxStickyKeys = 10_000;
/** A process that hangs up because it ends is gone by then. */
const doubtMilliseconds = 200;

/**
 * Processes of functions on this node: started when they are asked, several when one is busy, ended when nobody asks for a
 * while. A request waits for a place in order of arrival, in a queue that has an end.
 */
export class Instances {
  readonly #deps: InstancesDeps;
  readonly #pools = new Map<string, Pool>();
  readonly #stop = new AbortController();

  constructor(deps: InstancesDeps) {
    this.#deps = deps;
  }

  /** `stickyKey`: the process that took the last request with this key, as long as it is there and has room. */
  async acquire(of: FunctionOf, stickyKey?: string): Promise<Place> {
    const pool = this.#pool(of);
    const known = stickyKey === undefined ? undefined : pool.sticky.get(stickyKey);
    const isThere = known && pool.running.includes(known) && !known.isDoubted;
    const free = isThere && known.busy < this.#deps.concurrency ? known : this.#free(pool);
    const place = await (free ? this.#take(pool, of, free) : this.#wait(pool, of));
    if (stickyKey !== undefined) pool.sticky.set(stickyKey, place.running);
    return place;
  }

  #wait(pool: Pool, of: FunctionOf): Promise<TakenPlace> {
    if (pool.waiting.length >= this.#deps.queue + this.#deps.concurrency)
      return Promise.reject(new Overloaded('The queue is full.'));
    const place = new Promise<TakenPlace>((resolve, reject) => pool.waiting.push({ resolve, reject }));
    const total = pool.running.filter(({ isDoubted }) => !isDoubted).length + pool.starting;
    const wanted = Math.ceil(pool.waiting.length / this.#deps.concurrency);
    if (total < this.#deps.most && pool.starting < wanted) void this.#start(pool, of);
    return place;
  }

  /** Starts the function once and ends it, to see that it answers. */
  async attempt(of: FunctionOf, signal: AbortSignal): Promise<void> {
    const folder = await this.#deps.packages.unpacked(of.wanted.package);
    const lines: string[] = [];
    const unit = this.#unit(of, folder, (line) => {
      lines.push(line);
      if (lines.length > 20) lines.shift();
    });
    try {
      const instance = await this.#deps.runner.start(unit, signal);
      await this.#deps.runner.stop(instance, 5);
    } catch (error) {
      if (!(error instanceof RunFailed)) throw error;
      throw new RunFailed([`${of.wanted.name}: ${error.message}`, ...lines].join('\n'));
    }
  }

  #pool({ deploymentId, wanted }: FunctionOf): Pool {
    const key = `${deploymentId}:${wanted.name}`;
    const known = this.#pools.get(key);
    if (known) return known;
    const pool: Pool = {
      running: [],
      starting: 0,
      waiting: [],
      crashes: [],
      sticky: new LRUCache({ max: maxStickyKeys }),
    };
    this.#pools.set(key, pool);
    return pool;
  }

  #free(pool: Pool): Running | undefined {
    return pool.running.find(({ busy, isDoubted }) => !isDoubted && busy < this.#deps.concurrency);
  }

  #take(pool: Pool, of: FunctionOf, running: Running): TakenPlace {
    running.busy += 1;
    let isReleased = false;
    return {
      running,
      abandon: () => {
        const at = pool.running.indexOf(running);
        if (at === -1) return;
        pool.running.splice(at, 1);
        void this.#deps.runner.stop(running.instance, 1);
      },
      socketPath: running.instance.socketPath,
      doubt: () => {
        running.isDoubted = true;
        setTimeout(() => {
          running.isDoubted = false;
          this.#serve(pool, of);
        }, doubtMilliseconds).unref();
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        running.busy -= 1;
        running.idleSince = this.#deps.clock.now();
        this.#serve(pool, of);
      },
    };
  }

  /** Gives free places to those who wait. */
  #serve(pool: Pool, of: FunctionOf): void {
    while (pool.waiting.length > 0) {
      const free = this.#free(pool);
      if (!free) return;
      pool.waiting.shift()?.resolve(this.#take(pool, of, free));
    }
  }

  async #start(pool: Pool, of: FunctionOf): Promise<void> {
    const { runner, packages, clock, log } = this.#deps;
    pool.starting += 1;
    const dropPackage = packages.hold(of.wanted.package);
    try {
      const now = clock.now();
      pool.crashes = pool.crashes.filter((at) => at > now - crashWindow);
      if (pool.crashes.length >= maxCrashes) throw new RunFailed('It ended five times within a minute.');
      const folder = await packages.unpacked(of.wanted.package);
      const unit = this.#unit(of, folder, (line, stream) =>
        this.#deps.onLine(of, of.wanted.name, line, stream),
      );
      const instance = await runner.start(unit, this.#stop.signal);
      const running: Running = { instance, busy: 0, isDoubted: false, idleSince: clock.now(), dropPackage };
      pool.running.push(running);
      void instance.gone.then((how) => this.#gone(pool, of, running, how));
      pool.starting -= 1;
      this.#serve(pool, of);
    } catch (error) {
      dropPackage();
      pool.starting -= 1;
      log.info(
        { err: error, deployment: of.deploymentId, function: of.wanted.name },
        'A function did not start.',
      );
      if (pool.running.length + pool.starting > 0) return;
      for (const { reject } of pool.waiting.splice(0)) reject(error as Error);
    }
  }

  #gone(pool: Pool, of: FunctionOf, running: Running, how: string): void {
    running.dropPackage();
    const at = pool.running.indexOf(running);
    if (at === -1) return;
    pool.running.splice(at, 1);
    pool.crashes.push(this.#deps.clock.now());
    this.#deps.onLine(of, of.wanted.name, `The process ended: ${how}.`, 'stderr');
    if (pool.waiting.length > 0 && pool.starting === 0) void this.#start(pool, of);
  }

  #unit({ wanted, env }: FunctionOf, folder: string, onLine: Unit['onLine']): Unit {
    const { entry, workingFolder, runtime, memoryMegabytes } = wanted;
    return { folder, entry, workingFolder, runtime, memoryMegabytes, env: env(), onLine };
  }

  /** Ends processes that nobody has asked for a while; the last one of a function too. */
  async sweep(): Promise<void> {
    const before = this.#deps.clock.now() - this.#deps.idleSeconds * 1000;
    const ending: Promise<void>[] = [];
    for (const [key, pool] of this.#pools) {
      for (const running of [...pool.running]) {
        if (running.busy > 0 || running.idleSince > before) continue;
        pool.running.splice(pool.running.indexOf(running), 1);
        ending.push(this.#deps.runner.stop(running.instance, graceSeconds));
      }
      if (pool.running.length === 0 && pool.starting === 0 && pool.waiting.length === 0)
        this.#pools.delete(key);
    }
    await Promise.all(ending);
  }

  async close(): Promise<void> {
    this.#stop.abort(new RunFailed('The server stops.'));
    const all = [...this.#pools.values()].flatMap(({ running }) => running.splice(0));
    await Promise.all(all.map(({ instance }) => this.#deps.runner.stop(instance, 5)));
  }
}

/** Starts each function of a manifest once. */
export async function tryFunctions(
  instances: Instances,
  owner: Owner,
  manifest: Manifest,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  for (const wanted of manifest.functions)
    await instances.attempt({ ...owner, wanted, env: () => env }, signal);
}
