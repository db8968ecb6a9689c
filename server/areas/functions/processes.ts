import type { Logger } from 'pino';
import type { Packages } from '#areas/deployments/service.ts';
import type { Clock } from '#core/clock.ts';
import { comesFromFullDisk } from '#core/disk.ts';
import { type Instance, RunFailed, type Runner } from '#core/runner.ts';
import { tooMany } from './crashes.ts';
import type { Meter } from './meter.ts';
import { type FunctionOf, type Owner, type Pool, type Running, unitOf } from './pool.ts';

export interface ProcessesDeps {
  runner: Runner;
  packages: Packages;
  clock: Clock;
  log: Logger;
  meter: Meter;
  drainSeconds: number;
  cpuPercent: number;
  /** A line that the code printed, or that is about its process. */
  onLine(of: Owner, functionName: string, line: string, stream: 'stdout' | 'stderr'): void;
}

/** Of one core: a process that uses more has work to do, and is not frozen. */
const quietCpuShare = 0.02;

/** The life of processes, from their start to their end; `onChange` is told when a pool has one more that is ready, or one less. */
export class Processes {
  readonly #deps: ProcessesDeps;
  readonly #onChange: (pool: Pool) => void;
  readonly #stop = new AbortController();
  readonly #crashListeners: ((of: FunctionOf, reason: string) => void)[] = [];

  constructor(deps: ProcessesDeps, onChange: (pool: Pool) => void) {
    this.#deps = deps;
    this.#onChange = onChange;
  }

  get areStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async start(pool: Pool): Promise<void> {
    const { runner, packages, log } = this.#deps;
    const { of } = pool;
    pool.starting += 1;
    const dropPackage = packages.hold(of.wanted.package);
    let isAttempted = false;
    try {
      await pool.crashes.wait(this.#stop.signal);
      isAttempted = true;
      const folder = await packages.unpacked(of.wanted.package);
      const unit = unitOf(of, this.#deps, folder, (line, stream) =>
        this.#deps.onLine(of, of.wanted.name, line, stream),
      );
      const instance = await runner.start(unit, this.#stop.signal);
      pool.starting -= 1;
      this.add(pool, instance, dropPackage);
    } catch (error) {
      dropPackage();
      pool.starting -= 1;
      const what = { deployment: of.deploymentId, function: of.wanted.name };
      log.info({ err: error, ...what }, 'A function did not start.');
      // A full disk is not the code's fault.
      if (isAttempted && !comesFromFullDisk(error)) this.#crashed(pool, (error as Error).message);
      if (error instanceof RunFailed) this.#deps.onLine(of, of.wanted.name, error.message, 'stderr');
      if (pool.running.length + pool.starting > 0) return;
      for (const { reject } of pool.waiting.splice(0)) reject(error as Error);
    }
  }

  add(pool: Pool, instance: Instance, dropPackage: () => void): void {
    const { clock, meter } = this.#deps;
    meter.count(pool.of, instance.isPrewarmed ? 'prewarmedStarts' : 'coldStarts');
    const now = clock.now();
    const running: Running = {
      ...{ instance, dropPackage, state: 'ready', busy: 0, isDoubted: false, idleSince: now },
      cpu: { microseconds: 0, at: now },
      turned: Promise.resolve(),
    };
    pool.running.push(running);
    void instance.gone.then((how) => this.#gone(pool, running, how));
    this.#onChange(pool);
  }

  #gone(pool: Pool, running: Running, how: string): void {
    running.dropPackage();
    if (!leaves(pool, running)) return;
    this.#deps.meter.count(pool.of, 'crashes');
    this.#deps.onLine(pool.of, pool.of.wanted.name, `The process exited: ${how}.`, 'stderr');
    this.#crashed(pool, how);
    this.#onChange(pool);
  }

  #crashed({ of, crashes }: Pool, how: string): void {
    if (!crashes.add() || this.areStopped) return;
    const [first = ''] = how.split('\n');
    const reason = `${tooMany}: ${first.replace(/\.$/, '')}`;
    this.#deps.onLine(of, of.wanted.name, `${reason}.`, 'stderr');
    for (const tell of this.#crashListeners) tell(of, reason);
  }

  /** Tells of functions that have ended so often that they are not started for now. */
  onCrashes(tell: (of: FunctionOf, reason: string) => void): void {
    this.#crashListeners.push(tell);
  }

  wake(pool: Pool, running: Running): void {
    const { runner, meter } = this.#deps;
    running.state = 'waking';
    running.turned = running.turned
      .then(() => runner.resume(running.instance))
      .catch(() => {})
      .then(() => {
        running.state = 'ready';
        running.idleSince = this.#deps.clock.now();
        meter.count(pool.of, 'wakes');
        this.#onChange(pool);
      });
  }

  freeze(running: Running): Promise<void> {
    running.state = 'frozen';
    running.turned = running.turned
      .then(() => this.#deps.runner.suspend(running.instance))
      .catch((err) => this.#deps.log.warn({ err }, 'A process of a function could not be frozen.'));
    return running.turned;
  }

  /** What it uses, and whether it has nothing to do. */
  async look(pool: Pool, running: Running, now: number): Promise<{ memory: number; isQuiet: boolean }> {
    const usage = await this.#deps.runner.usage(running.instance);
    const { cpu } = running;
    const spent = (usage.cpuMicroseconds ?? 0) - cpu.microseconds;
    const passed = Math.max(1, now - cpu.at);
    running.cpu = { microseconds: usage.cpuMicroseconds ?? 0, at: now };
    const { memoryBytes } = usage;
    this.#deps.meter.sample(pool.of, { runMilliseconds: passed, cpuMicroseconds: spent, memoryBytes });
    return { memory: usage.memoryBytes ?? 0, isQuiet: spent / 1000 / passed < quietCpuShare };
  }

  async end(pool: Pool, running: Running): Promise<void> {
    if (!leaves(pool, running)) return;
    await running.turned;
    await this.#deps.runner.stop(running.instance, this.#deps.drainSeconds);
  }

  /** Ends one that nobody can reach any more. */
  abandon(pool: Pool, running: Running): void {
    if (leaves(pool, running)) void this.#deps.runner.stop(running.instance, 1);
  }

  async stopAll(pools: Iterable<Pool>): Promise<void> {
    this.#stop.abort(new RunFailed('The server stops.'));
    const all = [...pools].flatMap(({ running }) => running.splice(0));
    await Promise.all(all.map(({ instance }) => this.#deps.runner.stop(instance, 5)));
  }
}

/** False where it is no longer one of the pool. */
function leaves(pool: Pool, running: Running): boolean {
  const at = pool.running.indexOf(running);
  if (at !== -1) pool.running.splice(at, 1);
  return at !== -1;
}
