import type { PackagedFunction } from '#areas/deployments/service.ts';
import type { Clock } from '#core/clock.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import { maskOf } from '#core/mask.ts';
import type { Instance, Runner, Unit } from '#core/runner.ts';
import { Crashes } from './crashes.ts';
import { chooseRuntime } from './runtimes.ts';

/** A place in a process of a function, until it is given back. */
export interface Place {
  socketPath: string;
  release(): void;
  /** Nobody listens there any more: no further request is sent to it. */
  abandon(): void;
  /** It hung up: it may be about to end, and gets no further request until that is known. */
  doubt(): void;
}

export interface Running {
  instance: Instance;
  /** `frozen`: it gets no time until a request comes. */
  state: 'ready' | 'frozen' | 'waking';
  busy: number;
  isDoubted: boolean;
  idleSince: number;
  /** What it had used of the processor when that was looked at last. */
  cpu: { microseconds: number; at: number };
  /** The last change of its state, which the next one waits for. */
  turned: Promise<void>;
  dropPackage(): void;
}

export interface TakenPlace extends Place {
  running: Running;
}

export interface Waiting {
  resolve(place: TakenPlace): void;
  reject(error: Error): void;
}

/** Processes of one function of one deployment. */
export interface Pool {
  of: FunctionOf;
  running: Running[];
  starting: number;
  waiting: Waiting[];
  crashes: Crashes;
  /** Which process took the last request with a key of a sticky address. */
  sticky: LazyLru<string, Running>;
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
  workload(): Workload;
}

/** What a process is given. */
export interface Workload {
  env: Readonly<Record<string, string>>;
  /** Values that its log must not show. */
  secrets: readonly string[];
}

const maxStickyKeys = 10_000;

export function newPool(of: FunctionOf, clock: Clock): Pool {
  const sticky = new LazyLru<string, Running>({ max: maxStickyKeys });
  return { of, running: [], starting: 0, waiting: [], crashes: new Crashes(clock), sticky };
}

export function keyOf({ deploymentId, wanted }: FunctionOf): string {
  return `${deploymentId}:${wanted.name}`;
}

/** What the runner starts. */
export function unitOf(
  { wanted, workload }: FunctionOf,
  { runner, cpuPercent }: { runner: Runner; cpuPercent: number },
  folder: string,
  onLine: Unit['onLine'],
): Unit {
  const { entry, workingFolder, memoryMegabytes, services = [] } = wanted;
  const runtime = chooseRuntime(wanted.runtime, runner.runtimes) ?? wanted.runtime;
  const { env, secrets } = workload();
  const mask = maskOf(secrets);
  return {
    ...{ folder, entry, workingFolder, runtime, memoryMegabytes, cpuPercent, services, env },
    onLine: (line, stream) => onLine(mask(line), stream),
  };
}
