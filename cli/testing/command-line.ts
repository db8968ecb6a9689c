import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { sandboxProblem } from '../../server/adapters/process/open.ts';
import { TestClock } from '../../server/testing/clock.ts';
import type { EngineName } from '../../server/testing/engines.ts';
import type { Instance } from '../../server/testing/instance.ts';
import { startInstance } from '../../server/testing/instance.ts';
import { startTcpProxy, type TcpProxy } from '../../server/testing/tcp-proxy.ts';
import { parse } from '../core/parse.ts';
import { root } from '../tree.ts';

export const main = path.join(import.meta.dirname, '../main.ts');
const terminalScript = path.join(import.meta.dirname, 'terminal.py');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command. */
interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves when the text has been printed, on either stream. */
  printed(text: string | RegExp): Promise<string>;
  type(text: string): void;
  /** Columns of the terminal from now on. */
  resize(columns: number): void;
}

/** An instance behind a network that can be cut, and a user of the machine with a folder of their own. */
export interface Bench extends AsyncDisposable {
  engine: EngineName;
  instance: Instance;
  clock: TestClock;
  api: TcpProxy;
  files: TcpProxy;
  url: string;
  /** For files of the test. */
  folder: string;
  env: Record<string, string>;
  /** An API key as `--token` takes it. */
  key(actor: 'user' | 'organization' | 'application'): string;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  start(args: readonly string[], options?: RunOptions): Running;
  /** The full names of the commands that ran. */
  called: Set<string>;
  /** Asks again until it is so. */
  until(isSo: () => Promise<boolean>): Promise<void>;
}

interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  /** Columns of a terminal. */
  terminal?: number;
  /** Instead of this Node and main.ts. */
  command?: readonly string[];
}

/** That it ended well. */
export function ok(ended: Ended): Ended {
  assert.equal(ended.code, 0, `${ended.stdout}\n${ended.stderr}`);
  return ended;
}

/** What the gateway answers under a hostname, which leads to this machine. */
export function visit({ instance }: Bench, address: string): Promise<string> {
  const { host, pathname } = new URL(address);
  const { port } = new URL(instance.listeners.get('applications') ?? '');
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path: pathname, agent: false, headers: { host } },
      (response) => resolve(text(response)),
    );
    asked.on('error', reject).end();
  });
}

/** A folder with one page. */
export async function site({ folder }: Bench, name: string, page: string): Promise<string> {
  const home = path.join(folder, name);
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, 'index.html'), page);
  return home;
}

export async function openBench(engine: EngineName): Promise<Bench> {
  await using stack = new AsyncDisposableStack();
  // Where the instance listens is known once it does.
  const targets = { api: { host: '127.0.0.1', port: 0 }, files: { host: '127.0.0.1', port: 0 } };
  const api = stack.use(await startTcpProxy(targets.api));
  const files = stack.use(await startTcpProxy(targets.files));
  const url = `http://127.0.0.1:${api.port}`;
  const clock = new TestClock();
  const instance = stack.use(
    await startInstance(engine, {
      clock,
      settings: {
        MAINSTAY_BASE_URL: url,
        MAINSTAY_FILES_URL: `http://127.0.0.1:${files.port}`,
        MAINSTAY_RUNNER: (await sandboxProblem()) ? 'trusted' : 'process',
      },
    }),
  );
  targets.api.port = Number(new URL(instance.url).port);
  targets.files.port = Number(new URL(instance.listeners.get('stored files') ?? '').port);
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-cli-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    MAINSTAY_CONFIG_DIR: path.join(folder, 'config'),
    MAINSTAY_KEYCHAIN: 'off',
    LANG: 'C.UTF-8',
  };
  const key: Bench['key'] = (actor) => {
    const { id, secret } = instance.bootstrapped.keys[actor];
    return `${id}:${secret}`;
  };
  const called = new Set<string>();
  const start: Bench['start'] = (args, options = {}) => {
    const name = options.command === undefined ? nameOf(args) : undefined;
    if (name !== undefined) called.add(name);
    return run(args, { cwd: folder, ...options, env: { ...env, ...options.env } });
  };
  const until: Bench['until'] = async (isSo) => {
    const end = Date.now() + 120_000;
    while (!(await isSo())) assert.ok(Date.now() < end, 'it never came to be');
  };
  const resources = stack.move();
  return {
    ...{ engine, instance, clock, api, files, url, folder, env, key, start, called, until },
    run: (args, options) => start(args, options).ended,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Of a group that is called alone: its list. */
function nameOf(args: readonly string[]): string | undefined {
  try {
    const { path: nodes } = parse(root, args);
    const names = nodes.map(({ description }) => description.name);
    if (nodes.at(-1)?.children && nodes.length > 1) names.push('list');
    return names.join(' ');
  } catch {
    // Typed wrong on purpose.
    return undefined;
  }
}

function run(args: readonly string[], options: RunOptions & { env: Record<string, string> }): Running {
  const { terminal, input, command = [process.execPath, main] } = options;
  const words = [...command, ...args];
  const [program = '', ...rest] =
    terminal === undefined ? words : ['python3', terminalScript, String(terminal), '24', ...words];
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { ...options.env, ...(terminal === undefined ? {} : { TERM: 'xterm-256color' }) },
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  const heard = () => {
    for (const look of waiting) look();
  };
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    heard();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    heard();
  });
  child.stdin.on('error', () => {});
  if (terminal === undefined || input !== undefined) child.stdin.end(input ?? '');
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
      heard();
    });
  });
  const printed = (text: string | RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const all = stdout + stderr;
        if (typeof text === 'string' ? all.includes(text) : text.test(all)) resolve(all);
        else if (child.exitCode !== null) reject(new Error(`It ended without ${text}:\n${all}`));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  const type = (text: string) => void child.stdin.write(text);
  return { child, ended, printed, type, resize: (columns) => type(`\x00${columns}\n`) };
}
