import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DiskFull, isNearlyFull } from '#core/disk.ts';
import { newId } from '#core/ids.ts';
import type { Outgoing } from '#core/outgoing.ts';
import {
  type Instance,
  type Job,
  RunFailed,
  type Runner,
  type RunnerLimits,
  serviceAddressInside,
  type Unit,
  type Usage,
} from '#core/runner.ts';
import type { ServiceAddress, ServiceKind } from '#core/service-engine.ts';
import { answering } from './answering.ts';
import { type Blank, Blanks } from './blanks.ts';
import { type Box, openBox, serviceSocket } from './box.ts';
import type { GroupLimits, Groups } from './cgroup.ts';
import { watchSize } from './disk.ts';
import {
  buildEnvironment,
  functionEnvironment,
  functionPort,
  type Places,
  placesInside,
  placesOutside,
  registryEnvironment,
  relaysOfBuild,
} from './environment.ts';
import { type LineLimits, readLines } from './lines.ts';
import { catches, signalProcess } from './processes.ts';
import { ownRuntime, programInside, type Runtime } from './runtimes.ts';
import { give, spawnInside, spawnOutside } from './spawn.ts';

const processesOfBuild = 4096;
const processesOfInstance = 256;
const startSeconds = 30;
const openFiles = 16_384;
/** A package or a cache of a compiler is rarely larger; /tmp, which is memory, never is. */
const buildFileBytes = 2 * 1024 ** 3;
const functionFileBytes = 512 * 1024 ** 2;
/** Builds give way to what answers requests. */
const weights = { build: 20, function: 100 } as const;
const buildLines: LineLimits = { linesPerSecond: 5000, bytesPerSecond: 8 * 1024 ** 2 };
const functionLines: LineLimits = { linesPerSecond: 1000, bytesPerSecond: 4 * 1024 ** 2 };
const SIGUSR2 = 12;

export interface RunnerDeps {
  isSandboxed: boolean;
  groups: Groups | null;
  limits: RunnerLimits;
  runtimes: ReadonlyMap<string, Runtime>;
  outgoing: Outgoing;
  /** Certificates that code trusts besides the public ones; PEM. */
  caFile: string | undefined;
  /** Where the platform's API listens on this machine; asked when something is started. */
  api: () => { host: string; port: number };
  /** Where engines of the operator's listen. */
  services: ReadonlyMap<ServiceKind, ServiceAddress>;
  /** Processes that wait for a function. */
  blanks: number;
  /** Where their packages are put together; on the disk of the packages. */
  workFolder: string;
}

interface Running extends Instance {
  child: ChildProcess;
  box: Box;
}

export class ProcessRunner implements Runner {
  readonly limits: RunnerLimits;
  readonly runtimes: readonly string[];
  readonly #deps: RunnerDeps;
  readonly #running = new Map<string, Running>();
  readonly #jobs = new Set<Promise<unknown>>();
  readonly #blanks: Blanks | null;
  #isClosed = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.limits = deps.limits;
    this.runtimes = [...deps.runtimes.keys()].sort();
    const open = (memoryMegabytes: number, folder: string) => this.#openBlank(memoryMegabytes, folder);
    this.#blanks =
      deps.isSandboxed && deps.blanks > 0
        ? new Blanks({ open, most: deps.blanks, folder: deps.workFolder })
        : null;
  }

  run(job: Job, signal: AbortSignal): Promise<number> {
    const work = this.#run(job, signal);
    this.#jobs.add(work);
    const forget = () => this.#jobs.delete(work);
    work.then(forget, forget);
    return work;
  }

  async #run(job: Job, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    const { memoryBytes, cpuPercent, diskBytes, cacheFolder, folder, workingFolder } = job;
    const limits = { memoryBytes, cpuPercent, processes: processesOfBuild, weight: weights.build };
    const onRefused = onceEach((host) => job.onLine(outOfReach(host), 'stderr'));
    await using box = await openBox(this.#deps, limits, { registry: job.registry, onRefused });
    const places = this.#places(job.folder, box);
    const runtimes = [...this.#deps.runtimes.values()];
    if (cacheFolder) await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
    const env = {
      ...registryEnvironment(places, job.registry, job.env),
      ...job.env,
      ...buildEnvironment(places, workingFolder, runtimes, cacheFolder),
    };
    const command = [
      ...[places.node, path.join(places.guest, 'relay.js')],
      ...[relaysOfBuild(places, job.registry), job.command],
    ];
    const what = { folder, workingFolder, env, cacheFolder, writable: true, runtimes };
    const child = this.#spawn(box, what, buildFileBytes, command);
    give(child, 0, '');
    const stop = () => void box.kill(child.pid);
    let full: 'folders' | 'disk' | undefined;
    using _ = watchSize([folder, ...(cacheFolder ? [cacheFolder] : [])], diskBytes, (what) => {
      full = what;
      stop();
    });
    signal.addEventListener('abort', stop);
    try {
      const [code] = await ended(child, buildLines, job.onLine);
      signal.throwIfAborted();
      if (full === 'folders')
        throw new RunFailed(`The command used more than ${inMebibytes(diskBytes)} of disk space.`);
      // It may have found the disk full sooner than we did.
      if (full === 'disk' || (code !== 0 && (await isNearlyFull(folder)))) throw new DiskFull();
      if (code !== 0 && (await box.group?.ranOutOfMemory()))
        throw new RunFailed(
          `The command used more than its ${inMebibytes(memoryBytes)} of memory and was ended.`,
        );
      return code ?? 1;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async start(unit: Unit, signal: AbortSignal): Promise<Instance> {
    signal.throwIfAborted();
    const runtime = this.#deps.runtimes.get(unit.runtime);
    if (!runtime) throw new RunFailed(`The runtime ${unit.runtime} is not installed on this instance.`);
    // The ways out of a process that waits are those of most functions.
    const isUsual = runtime === ownRuntime && unit.services.length === 0;
    const blank = isUsual ? await this.#blanks?.take(unit) : undefined;
    const running = blank ? await this.#startIn(blank, unit) : await this.#startNew(unit, runtime);
    try {
      await answering(running, startSeconds, signal);
    } catch (error) {
      await this.stop(running, 0);
      throw error;
    }
    return running;
  }

  async #startIn({ box, child }: Blank, unit: Unit): Promise<Running> {
    const places = this.#places(unit.folder, box);
    const running = this.#track(unit, box, child, true);
    await box.group?.set(limitsOf(unit));
    const env = { ...unit.env, ...functionEnvironment(places, unit.workingFolder, ownRuntime) };
    assign(child, places, unit, env);
    return running;
  }

  async #startNew(unit: Unit, runtime: Runtime): Promise<Running> {
    const services = unit.services.flatMap((kind) => {
      const address = this.#deps.services.get(kind);
      return address ? [{ kind, address }] : [];
    });
    const box = await openBox(this.#deps, limitsOf(unit), { services });
    try {
      const places = this.#places(unit.folder, box);
      const { folder, workingFolder } = unit;
      const env = { ...unit.env, ...functionEnvironment(places, workingFolder, runtime) };
      const what = { folder, workingFolder, env, writable: false, runtimes: [runtime] };
      const child = this.#spawn(box, what, functionFileBytes, launch(places, unit, runtime));
      const running = this.#track(unit, box, child, false);
      assign(child, places, unit, env);
      return running;
    } catch (error) {
      await box[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** A process with the memory of most functions that waits for its code; `folder` is where that will be put. */
  async #openBlank(memoryMegabytes: number, folder: string): Promise<Blank> {
    const limits = limitsOf({ memoryMegabytes, cpuPercent: 0 });
    const box = await openBox(this.#deps, limits);
    try {
      const places = this.#places(folder, box);
      const env = functionEnvironment(places, '', ownRuntime);
      const what = { folder, workingFolder: '', env, writable: false, runtimes: [ownRuntime] };
      const command = launch(places, { memoryMegabytes, entry: '', services: [] }, ownRuntime);
      const child = this.#spawn(box, what, functionFileBytes, command);
      return { box, child, folder, memoryMegabytes };
    } catch (error) {
      await box[Symbol.asyncDispose]();
      throw error;
    }
  }

  #track(unit: Unit, box: Box, child: ChildProcess, isPrewarmed: boolean): Running {
    const id = newId();
    const gone = ended(child, functionLines, unit.onLine).then(async ([code, ending]) => {
      const isOut = await box.group?.ranOutOfMemory();
      this.#running.delete(id);
      await box[Symbol.asyncDispose]();
      if (isOut) return `it used more than its ${unit.memoryMegabytes} MB of memory`;
      return ending ? `killed by ${ending}` : `exit code ${code}`;
    });
    const socketPath = path.join(box.runFolder, 'http.sock');
    const running: Running = { id, socketPath, isPrewarmed, gone, child, box };
    this.#running.set(id, running);
    return running;
  }

  async suspend({ id }: Instance): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    const { box, child } = running;
    if (box.group?.freeze) await box.group.freeze(true);
    else await box.signal(child.pid, 'SIGSTOP');
  }

  async resume({ id }: Instance): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    const { box, child } = running;
    if (box.group?.freeze) {
      await box.group.freeze(false);
      for (const pid of await box.group.processes())
        if (await catches(pid, SIGUSR2)) signalProcess(pid, 'SIGUSR2');
    } else await box.signal(child.pid, 'SIGCONT');
  }

  async usage({ id }: Instance): Promise<Usage> {
    const group = this.#running.get(id)?.box.group;
    return group ? group.usage() : { memoryBytes: null, cpuMicroseconds: null };
  }

  async stop(instance: Instance, graceSeconds: number): Promise<void> {
    const running = this.#running.get(instance.id);
    if (!running) return;
    const { box, child } = running;
    if (graceSeconds > 0) {
      await this.resume(instance);
      await box.signal(child.pid, 'SIGTERM');
    }
    const late = setTimeout(() => void box.kill(child.pid), graceSeconds * 1000);
    await running.gone;
    clearTimeout(late);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#blanks?.[Symbol.asyncDispose]();
    await Promise.all([...this.#running.values()].map((running) => this.stop(running, 1)));
    await Promise.allSettled(this.#jobs);
  }

  #places(folder: string, box: Box): Places {
    const { isSandboxed, caFile } = this.#deps;
    return isSandboxed ? placesInside(caFile) : placesOutside(folder, box.runFolder, caFile);
  }

  #spawn(
    box: Box,
    what: {
      folder: string;
      workingFolder: string;
      env: Readonly<Record<string, string>>;
      writable: boolean;
      cacheFolder?: string | undefined;
      runtimes: readonly Runtime[];
    },
    fileBytes: number,
    command: readonly string[],
  ): ChildProcess {
    if (!this.#deps.isSandboxed) return spawnOutside(what, command);
    const options = { ...what, runFolder: box.runFolder, caFile: this.#deps.caFile };
    return spawnInside(box.group?.joinFiles ?? [], options, { openFiles, fileBytes }, command);
  }
}

function limitsOf({
  memoryMegabytes,
  cpuPercent,
}: Pick<Unit, 'memoryMegabytes' | 'cpuPercent'>): GroupLimits {
  const memoryBytes = memoryMegabytes * 1024 ** 2;
  return { memoryBytes, cpuPercent, processes: processesOfInstance, weight: weights.function };
}

/** The command that starts a function. What it is to start it reads from its standard input. */
function launch(
  places: Places,
  { memoryMegabytes, entry, services }: Pick<Unit, 'memoryMegabytes' | 'entry' | 'services'>,
  runtime: Runtime,
): string[] {
  const { guest, run, folder, node } = places;
  const toServices = places.isSandboxed
    ? services.map((kind) => `${serviceAddressInside[kind].port}=${run}/${serviceSocket(kind)}`)
    : [];
  const rest = [`${run}/http.sock`, [places.relays.function, ...toServices].join(',')];
  const program = places.isSandboxed ? programInside(runtime) : runtime.program;
  if (runtime.family === 'node') {
    const heap = Math.floor(memoryMegabytes * 0.75);
    return [program, `--max-old-space-size=${heap}`, path.join(guest, 'launcher.js'), ...rest];
  }
  const file = path.posix.join(folder, entry);
  const other =
    runtime.family === 'bun'
      ? [program, 'run', file]
      : [program, '-S', `127.0.0.1:${functionPort}`, '-t', path.posix.dirname(file), file];
  return [node, path.join(guest, 'other.js'), ...rest, String(functionPort), ...other];
}

function assign(
  child: ChildProcess,
  { folder }: Places,
  { entry, workingFolder }: Unit,
  env: Readonly<Record<string, string>>,
): void {
  const place = { entry: path.posix.join(folder, entry), cwd: path.posix.join(folder, workingFolder) };
  give(child, 0, JSON.stringify({ ...place, env }));
}

const maxRefused = 20;

/** Tells of each host once, and of so many at most. */
function onceEach(tell: (host: string) => void): (host: string) => void {
  const told = new Set<string>();
  return (host) => {
    if (told.size >= maxRefused || told.has(host)) return;
    told.add(host);
    tell(host);
  };
}

/** Package managers say 403, which reads as if the other side had refused. */
function outOfReach(host: string): string {
  return (
    `${host} has no public address, and builds reach only those. The operator can allow networks (MAINSTAY_EGRESS_ALLOW) ` +
    'and name a registry of packages (MAINSTAY_BUILD_NPM_REGISTRY).'
  );
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}

/** A process that has outlived the one that started it may hold its output open for ever. */
const outputSeconds = 3;

/** Its exit, once all that it printed was told. */
async function ended(
  child: ChildProcess,
  limits: LineLimits,
  onLine: Unit['onLine'],
): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  const exit = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('error', () => resolve([127, null]));
    child.once('close', (code, signal) => resolve([code, signal]));
  });
  child.once('exit', () => {
    const late = setTimeout(() => {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    }, outputSeconds * 1000);
    child.once('close', () => clearTimeout(late));
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    const input = child[stream];
    if (input) readLines(input, limits, (line) => onLine(line, stream));
  }
  return exit;
}
