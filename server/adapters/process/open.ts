import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { workloadVariables } from '#core/compatibility.ts';
import { newId } from '#core/ids.ts';
import { Outgoing } from '#core/outgoing.ts';
import {
  type Instance,
  type Job,
  RunFailed,
  type Runner,
  type RunnerLimits,
  type Unit,
} from '#core/runner.ts';
import { findGroups, type Group, type Groups } from './cgroup.ts';
import { openEgress, openRelay } from './egress.ts';
import { sandboxArguments, sandboxProblem } from './sandbox.ts';

const guestFolder = fileURLToPath(new URL('guest', import.meta.url));
const npmFolder = path.dirname(fileURLToPath(import.meta.resolve('npm/package.json')));
/** The Node that this program runs on is the one that code of users gets. */
const runtimeFolder = path.dirname(path.dirname(process.execPath));

/** Ports of the sandbox's own loopback: the way out, and the platform's API. */
const proxyPort = 3128;
const apiPort = 4000;
const processesOfBuild = 4096;
const processesOfInstance = 256;
const caFileInside = '/run/ca.pem';
const tmpBytes = 512 * 1024 * 1024;
const startSeconds = 30;
const openFiles = 16_384;

export interface ProcessRunnerOptions {
  /** `trusted`: no sandbox, for one's own code on one's own machine. */
  kind: 'process' | 'trusted';
  /** Certificates that code trusts besides the public ones; PEM. */
  caFile?: string | undefined;
  /** Networks that are reachable though they are private. */
  allow: readonly string[];
  /** Where the platform's API listens on this machine; asked when something is started. */
  api: () => { host: string; port: number };
}

interface Running extends Instance {
  child: ChildProcess;
  release(): Promise<void>;
}

export async function openProcessRunner(options: ProcessRunnerOptions): Promise<Runner> {
  const isSandboxed = options.kind === 'process';
  const groups = isSandboxed ? await findGroups() : null;
  return new ProcessRunner(options, groups, limitsOf(isSandboxed, groups));
}

/** Null where sandboxed processes can run here, else what is missing. */
export { sandboxProblem };

function limitsOf(isSandboxed: boolean, groups: Groups | null): RunnerLimits {
  if (!isSandboxed)
    return { name: 'trusted', isolated: false, missing: ['isolation: code runs as this server does'] };
  const missing = groups
    ? []
    : ['memory and processes: no writable cgroup; run as root, or let systemd delegate one'];
  return { name: 'process', isolated: true, missing };
}

class ProcessRunner implements Runner {
  readonly limits: RunnerLimits;
  readonly #options: ProcessRunnerOptions;
  readonly #groups: Groups | null;
  readonly #outgoing: Outgoing;
  readonly #running = new Set<Running>();
  readonly #jobs = new Set<Promise<unknown>>();

  constructor(options: ProcessRunnerOptions, groups: Groups | null, limits: RunnerLimits) {
    this.#options = options;
    this.#groups = groups;
    this.limits = limits;
    this.#outgoing = new Outgoing({ allowed: options.allow });
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
    const { memoryBytes } = job;
    await using box = await this.#open({ memoryBytes, processes: processesOfBuild });
    const inside = this.#options.kind === 'process';
    const at = (place: string) => (inside ? place : path.join(box.runFolder, path.basename(place)));
    const folder = inside ? '/app' : job.folder;
    const env = {
      ...job.env,
      ...this.#paths(folder, job.workingFolder),
      ...proxyVariables,
      HOME: inside ? '/tmp' : box.runFolder,
    };
    const node = inside ? '/runtime/bin/node' : process.execPath;
    const guest = inside ? '/guest' : guestFolder;
    const relays = `${proxyPort}=${at('/run/instance/egress.sock')}`;
    // Outside of a sandbox the port may be taken, and there is nothing to keep from the network.
    const command = [node, path.join(guest, 'relay.js'), inside ? relays : '', job.command];
    const child = this.#spawn(
      box,
      { ...job, env: inside ? env : without(env, proxyVariables), writable: true },
      command,
    );
    const stop = () => box.kill(child);
    signal.addEventListener('abort', stop);
    try {
      const [code] = await ended(child, job.onLine);
      signal.throwIfAborted();
      if (code !== 0 && (await box.ranOutOfMemory()))
        throw new RunFailed(
          `The command used more than its ${Math.round(memoryBytes / 1024 ** 2)} MiB of memory and was ended.`,
        );
      return code ?? 1;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async start(unit: Unit, signal: AbortSignal): Promise<Instance> {
    signal.throwIfAborted();
    const memoryBytes = unit.memoryMegabytes * 1024 ** 2;
    const box = await this.#open({ memoryBytes, processes: processesOfInstance });
    try {
      const inside = this.#options.kind === 'process';
      const run = inside ? '/run/instance' : box.runFolder;
      const folder = inside ? '/app' : unit.folder;
      const heap = Math.floor(unit.memoryMegabytes * 0.75);
      const env = {
        ...unit.env,
        ...this.#paths(folder, unit.workingFolder),
        ...(inside ? { ...proxyVariables, NODE_USE_ENV_PROXY: '1' } : {}),
        HOME: inside ? '/tmp' : box.runFolder,
        ...(inside ? workloadVariables({ API_URL: apiAddressInside, API_BASE_URL: apiAddressInside }) : {}),
        HOST: '127.0.0.1',
        PORT: '3000',
      };
      const node = inside ? '/runtime/bin/node' : process.execPath;
      const guest = inside ? '/guest' : guestFolder;
      const relays = inside ? `${proxyPort}=${run}/egress.sock,${apiPort}=${run}/api.sock` : '';
      const entry = path.join(folder, unit.entry);
      const socketPath = path.join(box.runFolder, 'http.sock');
      const command = [
        ...[node, `--max-old-space-size=${heap}`, path.join(guest, 'launcher.js')],
        ...[entry, `${run}/http.sock`, relays],
      ];
      const child = this.#spawn(box, { ...unit, env, writable: false }, command);
      const gone = ended(child, unit.onLine).then(async ([code, ending]) =>
        (await box.ranOutOfMemory())
          ? `it used more than its ${unit.memoryMegabytes} MB of memory`
          : ending
            ? `killed by ${ending}`
            : `exit code ${code}`,
      );
      const running: Running = {
        id: newId(),
        socketPath,
        gone,
        child,
        release: async () => {
          await box[Symbol.asyncDispose]();
        },
      };
      this.#running.add(running);
      void gone.then(async () => {
        this.#running.delete(running);
        await running.release();
      });
      await this.#answering(running, box.runFolder, signal);
      return running;
    } catch (error) {
      await box[Symbol.asyncDispose]();
      throw error;
    }
  }

  async suspend(instance: Instance): Promise<void> {
    this.#signal(instance, 'SIGSTOP');
  }

  async resume(instance: Instance): Promise<void> {
    this.#signal(instance, 'SIGCONT');
  }

  async stop(instance: Instance, graceSeconds: number): Promise<void> {
    const running = this.#find(instance);
    if (!running) return;
    this.#signal(instance, 'SIGCONT');
    this.#signal(instance, 'SIGTERM');
    const late = setTimeout(() => this.#signal(instance, 'SIGKILL'), graceSeconds * 1000);
    await running.gone;
    clearTimeout(late);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running].map((running) => this.stop(running, 1)));
    await Promise.allSettled(this.#jobs);
  }

  #find(instance: Instance): Running | undefined {
    return [...this.#running].find(({ id }) => id === instance.id);
  }

  /** To the whole process group: what the code has started belongs to it. */
  #signal(instance: Instance, signal: NodeJS.Signals): void {
    const pid = this.#find(instance)?.child.pid;
    if (pid !== undefined) signalGroup(pid, signal);
  }

  /** Waits for the socket, for the end of the process, or for the deadline. */
  async #answering(running: Running, folder: string, signal: AbortSignal): Promise<void> {
    const deadline = AbortSignal.timeout(startSeconds * 1000);
    const either = AbortSignal.any([signal, deadline]);
    const gone = running.gone.then((how) => {
      throw new RunFailed(`The server did not start: ${how}.`);
    });
    const stopped = new Promise<never>((_, reject) => {
      either.addEventListener('abort', () =>
        reject(
          signal.aborted
            ? signal.reason
            : new RunFailed(`The server opened no port within ${startSeconds} s.`),
        ),
      );
    });
    using watching = watched(folder);
    let isOver = false;
    const answering = (async () => {
      while (!(isOver || (await accepts(running.socketPath)))) await watching.changed();
    })();
    try {
      await Promise.race([answering, gone, stopped]);
    } catch (error) {
      await this.stop(running, 0);
      throw error;
    } finally {
      isOver = true;
      gone.catch(() => {});
      stopped.catch(() => {});
    }
  }

  #paths(folder: string, workingFolder: string): Record<string, string> {
    const inside = this.#options.kind === 'process';
    const parents = workingFolder.split('/').filter(Boolean);
    const bins = parents
      .map((_, at) => path.posix.join(folder, ...parents.slice(0, parents.length - at), 'node_modules/.bin'))
      .concat(path.posix.join(folder, 'node_modules/.bin'));
    const own = inside
      ? ['/guest/bin', '/runtime/bin', '/usr/local/bin', '/usr/bin', '/bin']
      : [
          path.join(guestFolder, 'bin'),
          path.join(runtimeFolder, 'bin'),
          '/usr/local/bin',
          '/usr/bin',
          '/bin',
        ];
    const { caFile } = this.#options;
    return {
      PATH: [...bins, ...own].join(':'),
      MAINSTAY_NPM: inside ? '/npm' : npmFolder,
      ...(caFile ? { NODE_EXTRA_CA_CERTS: inside ? caFileInside : path.resolve(caFile) } : {}),
    };
  }

  #spawn(
    box: Box,
    what: { folder: string; workingFolder: string; env: Readonly<Record<string, string>>; writable: boolean },
    command: readonly string[],
  ): ChildProcess {
    const { folder, workingFolder, env, writable } = what;
    if (this.#options.kind === 'trusted') {
      const [program = '', ...args] = command;
      const cwd = path.join(folder, workingFolder);
      return spawn(program, args, {
        cwd,
        env: { ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
    }
    const args = sandboxArguments({
      ...{
        folder,
        writable,
        runFolder: box.runFolder,
        runtimeFolder,
        guestFolder,
        workingFolder,
        env,
        tmpBytes,
      },
    });
    // The group is joined before anything of the user runs, and the limits of open files and core dumps hold from then on.
    const script =
      'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; ' +
      `ulimit -c 0; ulimit -n ${openFiles}; exec "$@"`;
    const child = spawn(
      '/bin/sh',
      ['-c', script, 'sh', ...box.joinFiles, '--', 'bwrap', '--args', '3', '--', ...command],
      { env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: true },
    );
    const pipe = child.stdio[3] as NodeJS.WritableStream;
    pipe.on('error', () => {});
    const { caFile } = this.#options;
    const certificates = caFile ? ['--ro-bind', path.resolve(caFile), caFileInside] : [];
    pipe.end([...args, '--ro-bind', npmFolder, '/npm', ...certificates].map((arg) => `${arg}\0`).join(''));
    return child;
  }

  async #open(limits: { memoryBytes: number; processes: number }): Promise<Box> {
    const stack = new AsyncDisposableStack();
    const runFolder = await mkdtemp(path.join(tmpdir(), 'mainstay-run-'));
    stack.defer(() => rm(runFolder, { recursive: true, force: true, maxRetries: 3 }));
    const group: Group | null = this.#groups ? stack.use(await this.#groups.open(limits)) : null;
    if (this.#options.kind === 'process') {
      stack.use(await openEgress(path.join(runFolder, 'egress.sock'), this.#outgoing));
      stack.use(await openRelay(path.join(runFolder, 'api.sock'), this.#options.api()));
    }
    return {
      runFolder,
      joinFiles: group?.joinFiles ?? [],
      ranOutOfMemory: async () => (await group?.ranOutOfMemory()) ?? false,
      kill: (child) => {
        if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
        void group?.killAll();
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  }
}

interface Box extends AsyncDisposable {
  runFolder: string;
  joinFiles: readonly string[];
  ranOutOfMemory(): Promise<boolean>;
  kill(child: ChildProcess): void;
}

const proxyVariables = {
  HTTP_PROXY: `http://127.0.0.1:${proxyPort}`,
  HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
  http_proxy: `http://127.0.0.1:${proxyPort}`,
  https_proxy: `http://127.0.0.1:${proxyPort}`,
  NO_PROXY: 'localhost,127.0.0.1,::1',
  no_proxy: 'localhost,127.0.0.1,::1',
};

/** Where code in a sandbox finds the platform's API. */
const apiAddressInside = `http://127.0.0.1:${apiPort}`;

function without(env: Readonly<Record<string, string>>, names: object): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(names, name)));
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has gone meanwhile.
  }
}

const maxLineCharacters = 64 * 1024;

/** Its exit, once all that it printed was told. */
async function ended(
  child: ChildProcess,
  onLine: (line: string, stream: 'stdout' | 'stderr') => void,
): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  const exit = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('error', () => resolve([127, null]));
    child.once('close', (code, signal) => resolve([code, signal]));
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    const input = child[stream];
    if (!input) continue;
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => onLine(line.slice(0, maxLineCharacters), stream));
  }
  return exit;
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Changes of a folder's entries; one that came before it was asked for is not lost. */
function watched(folder: string): Disposable & { changed(): Promise<void> } {
  let pending = false;
  let wake = () => {};
  const watcher = watch(folder, () => {
    pending = true;
    wake();
  });
  return {
    async changed() {
      // A socket is there a moment before it listens.
      const again = setTimeout(() => wake(), 20);
      if (!pending)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      clearTimeout(again);
      pending = false;
    },
    [Symbol.dispose]: () => watcher.close(),
  };
}
