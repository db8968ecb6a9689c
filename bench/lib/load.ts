import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Contestant, onCore } from './contestant.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Figures {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  longest: number;
  /** CPU microseconds of the server for each request. */
  cpuMicros: number;
}

export interface LoadOptions {
  seconds: number;
  connections: number;
  /** Requests a second, all connections together; as many as possible when absent. */
  rate?: number;
  /** Sent as often, on as many connections more, and not measured; with a rate only. */
  beside?: Request[];
}

const graceSeconds = 30;

/** Sends the requests in turn, over and over, from a process on the other core. Throws when any of them fails. */
export async function measure(
  contestant: Contestant,
  requests: Request[],
  options: LoadOptions,
): Promise<Figures> {
  const before = await contestant.cpuSeconds();
  const result = await runLoad({ url: contestant.url, requests, ...options });
  const cpu = (await contestant.cpuSeconds()) - before;
  if (result.failures > 0)
    throw new Error(`${result.failures} of ${result.total} requests failed: nothing was measured.`);
  return {
    requestsPerSecond: result.total / result.seconds,
    p50: result.p50,
    p99: result.p99,
    longest: result.longest,
    cpuMicros: (cpu * 1e6) / result.total,
  };
}

export interface LoadResult {
  total: number;
  seconds: number;
  p50: number;
  p99: number;
  longest: number;
  /** Answers that were not 2xx, and connections that failed. */
  failures: number;
}

/** The load alone: what fails is counted, nothing of the server is measured. */
export async function runLoad(job: { url: string; requests: Request[] } & LoadOptions): Promise<LoadResult> {
  const script = fileURLToPath(new URL('./load-process.ts', import.meta.url));
  const [program = '', ...args] = onCore('1', [process.execPath, script]);
  // A load whose answers never come does not end by itself.
  const timeout = (job.seconds + graceSeconds) * 1000;
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout,
    killSignal: 'SIGKILL',
  });
  child.stdin.end(JSON.stringify(job));
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  if (output === '') throw new Error(`The load ended without a result, or took longer than ${timeout} ms.`);
  return JSON.parse(output) as LoadResult;
}

/** The middle one of several rounds, by requests a second. */
export function median(rounds: readonly Figures[]): Figures {
  const sorted = [...rounds].sort((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  return sorted[Math.floor(sorted.length / 2)] as Figures;
}
