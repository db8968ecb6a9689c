import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapCommand, type ServerProcess, startProcess } from '../../server/testing/process.ts';
import { freePort } from '../postgres.ts';

export interface Campaign {
  name: string;
  /** Part of `npm test`: those whose harm no other test there does. */
  short?: true;
  /** How long it may take, whatever was asked for. */
  seconds?: number;
  /** What this machine lacks for it; undefined: nothing. */
  missing?(): string | undefined;
  /** Does harm for about so long, then looks at what is left. Resolves with a line for the report; throws at a loss. */
  run(seconds: number): Promise<string>;
}

export async function startServer(settings: Record<string, string>): Promise<ServerProcess> {
  return startProcess(settings, { port: await freePort(), adminPort: await freePort() });
}

/** A fresh instance's keys. Every node gets the same base address and master key by its settings. */
export async function bootstrapped(settings: Record<string, string>) {
  const { keys } = await bootstrapCommand(settings);
  return keys;
}

export function randomBetween(from: number, to: number): number {
  return from + Math.random() * (to - from);
}

/** True from then on. */
export function after(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() > end;
}

export async function untilReady(url: string): Promise<void> {
  const isLate = after(30);
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (isLate()) throw new Error(`${url} is not ready after 30 s: ${await answer?.text()}`);
    await sleep(50);
  }
}

/** Runs a file of tests with more of everything, in whatever time that takes. */
export async function runTests(file: string, more: Record<string, string>): Promise<void> {
  const env = { ...process.env, ...more };
  // A test that is started by a test reports to it instead of failing itself.
  delete (env as Record<string, string | undefined>)['NODE_TEST_CONTEXT'];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../..', file)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 0, output);
}
