import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server under measurement: a process of its own, kept on the first core so that the load can have the second. */
export interface Contestant extends AsyncDisposable {
  pid: number;
  url: string;
  /** CPU seconds that the process has used, all its threads together. */
  cpuSeconds(): Promise<number>;
  /** Resident memory in bytes. */
  residentBytes(): Promise<number>;
}

const ticksPerSecond = 100;
/** Some wait for connections that are kept open for ever. */
const stopMilliseconds = 10_000;

/** Starts `command` and waits until `url` answers. */
export async function startContestant(
  command: string[],
  options: { url: string; readyPath?: string; env?: Record<string, string>; core?: string },
): Promise<Contestant> {
  const { url, readyPath = '/healthz', env = {}, core = '0' } = options;
  const [program = '', ...args] = onCore(core, command);
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await answers(child, `${url}${readyPath}`);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const pid = child.pid as number;
  return {
    pid,
    url,
    cpuSeconds: () => cpuSeconds(pid),
    residentBytes: () => residentBytes(pid),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
      await gone;
      clearTimeout(impatience);
    },
  };
}

/** Where there is one core only, or no taskset, the processes share what there is. */
export function onCore(core: string, command: string[]): string[] {
  return process.platform === 'linux' ? ['taskset', '-c', core, ...command] : command;
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (child.exitCode !== null) throw new Error(`The contestant ended with ${child.exitCode}.`);
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (response) return;
    await sleep(50);
  }
  throw new Error(`${url} did not answer within 30 s.`);
}

async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in parentheses and may hold blanks; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
