import type { ServiceAddress, ServiceKind } from '#core/service-engine.ts';

type OnLine = (line: string, stream: 'stdout' | 'stderr') => void;

/** One command of a build. */
export interface Job {
  /** Absolute; with the cache, the only folder that the command can write to. */
  folder: string;
  /** Relative to it: where the command runs. */
  workingFolder: string;
  /** Run by a shell. It comes from the project, which is what the sandbox is for. */
  command: string;
  env: Readonly<Record<string, string>>;
  memoryBytes: number;
  /** In hundredths of a core; 0: whatever is free. */
  cpuPercent: number;
  /** How much the folders may grow while it runs. */
  diskBytes: number;
  /** Absolute: where package managers keep what they download, from one build to the next. */
  cacheFolder?: string | undefined;
  /** The package registry that the operator has named: package managers are told, and reach it though it is private. */
  registry?: URL | undefined;
  /** Told each line that it prints, without its end. */
  onLine: OnLine;
}

/** A function as it is started: an unpacked package, which it can only read. */
export interface Unit {
  /** Absolute. */
  folder: string;
  /** The server's file, relative to the folder. */
  entry: string;
  /** Where it runs, relative to the folder. */
  workingFolder: string;
  /** One of the runner's `runtimes`. */
  runtime: string;
  env: Readonly<Record<string, string>>;
  memoryMegabytes: number;
  /** In hundredths of a core; 0: whatever is free. */
  cpuPercent: number;
  /** Engines that it finds where `serviceAddressInside` says. */
  services: readonly ServiceKind[];
  onLine: OnLine;
}

/** Where code in a sandbox finds engines of the operator's: on its own loopback, which leads there and nowhere else. */
export const serviceAddressInside = {
  postgres: { host: '127.0.0.1', port: 5432, tls: false },
  redis: { host: '127.0.0.1', port: 6379, tls: false },
} as const satisfies Record<ServiceKind, ServiceAddress>;

/** A running process of a unit. */
export interface Instance {
  readonly id: string;
  /** The unix socket that it answers HTTP/1.1 on. */
  readonly socketPath: string;
  /** Whether it began in a process that was waiting for it. */
  readonly isPrewarmed: boolean;
  /** Resolves when it has gone, with how: "exit code 1", "killed by SIGKILL". Never rejects. */
  readonly gone: Promise<string>;
}

/** What an instance uses; null where this machine does not count it. */
export interface Usage {
  memoryBytes: number | null;
  /** Since it started. */
  cpuMicroseconds: number | null;
}

/** What an adapter really enforces, in words for `doctor` and for the log of a deployment. */
export interface RunnerLimits {
  /** As the setting names it. */
  readonly name: 'process' | 'trusted' | 'none';
  /** Whether code of different tenants is kept apart at all. */
  readonly isolated: boolean;
  /** Each that does not hold here, with what to install: "memory: no writable cgroup". */
  readonly missing: readonly string[];
}

/** The code ran out of what it was given, or did not answer: for the owner of the deployment. */
export class RunFailed extends Error {
  override name = 'RunFailed';
}

/**
 * Runs code of users. Everything that it starts ends with it. `run` and `start` reject with `RunFailed` for what the code
 * did, and with the signal's reason when that was given.
 */
export interface Runner extends AsyncDisposable {
  readonly limits: RunnerLimits;
  /** Names such as `node-26`, `bun-1`, `php-84`. */
  readonly runtimes: readonly string[];
  /** A step of a build, to its exit; resolves with the exit code. */
  run(job: Job, signal: AbortSignal): Promise<number>;
  /** Resolves when the instance accepts connections. */
  start(unit: Unit, signal: AbortSignal): Promise<Instance>;
  /** Keeps its memory and gives it no more time, until it is resumed. */
  suspend(instance: Instance): Promise<void>;
  /** Processes that catch SIGUSR2 get one afterwards: time has passed, and connections may be dead. */
  resume(instance: Instance): Promise<void>;
  usage(instance: Instance): Promise<Usage>;
  /** Asks it to end, and ends it after the grace. */
  stop(instance: Instance, graceSeconds: number): Promise<void>;
}
