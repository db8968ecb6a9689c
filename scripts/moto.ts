import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './postgres.ts';

const run = promisify(execFile);

/** Where `.ci/run` installs it: a Python environment that git ignores. */
const ownFile = path.join(import.meta.dirname, '../node_modules/.cache/moto/bin/moto_server');

/** Moto, an S3 engine in memory, on loopback. */
export interface TestS3 extends AsyncDisposable {
  url: string;
}

/** Undefined where it is not installed. */
export async function startMoto(): Promise<TestS3 | undefined> {
  const program = await findProgram();
  if (!program) return undefined;
  const port = await freePort();
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; ; waited += 50) {
    if (await fetch(url).catch(() => undefined)) break;
    if (waited > 30_000) throw new Error('Moto did not start within 30 s.');
    await sleep(50);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function findProgram(): Promise<string | undefined> {
  const own = await access(ownFile).then(
    () => ownFile,
    () => undefined,
  );
  if (own) return own;
  return (await run('moto_server', ['--version']).catch(() => undefined)) ? 'moto_server' : undefined;
}
