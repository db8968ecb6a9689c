import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serverEntry } from '../bin/entry.js';
import type { Bootstrapped } from '../commands/prepare.ts';

/** The program as an operator runs it: a process of its own that can be killed. */

const main = fileURLToPath(serverEntry());

export interface ServerProcess extends AsyncDisposable {
  url: string;
  adminUrl: string;
  pid: number;
  output(): string;
  /** Sends the signal and resolves with the exit code when the process is gone; null when the signal killed it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** `port`, `adminPort`: free ones. `command`: another way to start the program. */
export async function startProcess(
  settings: Record<string, string>,
  ports: { port: number; adminPort: number; command?: readonly string[] },
): Promise<ServerProcess> {
  const env = {
    ...process.env,
    MAINSTAY_DRAIN_DELAY: '0s',
    // Several servers run beside each other.
    MAINSTAY_FILES_PORT: '0',
    MAINSTAY_S3_PORT: '0',
    MAINSTAY_GATEWAY_PORT: '0',
    ...settings,
    MAINSTAY_PORT: String(ports.port),
    MAINSTAY_ADMIN_PORT: String(ports.adminPort),
  };
  const { command = [process.execPath, main] } = ports;
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${ports.port}`;
  const adminUrl = `http://127.0.0.1:${ports.adminPort}`;
  const end = (signal: NodeJS.Signals = 'SIGTERM') => endChild(child, signal);
  for (let waited = 0; ; waited += 25) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output}`);
    if (waited > 30_000) throw new Error(`The server did not respond within 30 s:\n${output}`);
    // The admin listener comes last.
    const answers = await Promise.all(
      [url, adminUrl].map((base) => fetch(`${base}/healthz`).catch(() => undefined)),
    );
    if (answers.every((answer) => answer?.ok)) break;
    await sleep(25);
  }
  return {
    ...{ url, adminUrl, end, output: () => output, pid: child.pid as number },
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  };
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of `mainstay-server` to its end. */
export async function runCommand(args: string[], settings: Record<string, string>): Promise<CommandResult> {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...settings } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

export async function bootstrapCommand(settings: Record<string, string>): Promise<Bootstrapped> {
  const who = ['--email', 'owner@example.com', '--password', 'correct horse battery'];
  const what = ['--organization', 'Acme', '--application', 'Web'];
  const { code, stdout, stderr } = await runCommand(['bootstrap', '--json', ...who, ...what], settings);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Bootstrapped;
}
