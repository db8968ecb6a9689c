import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { processesWith } from '../../testing/command-lines.ts';
import { openProcessRunner, sandboxProblem } from './open.ts';

const problem = await sandboxProblem();
if (problem && process.env['CI']) throw new Error(problem);
const runtime = `node-${process.versions.node.split('.')[0]}`;
const child = fileURLToPath(new URL('killed-child.ts', import.meta.url));
/** Of the design: what a killed runner had started is gone within a second. Ten times that, for machines that are busy. */
const mostMilliseconds = 10_000;

/** The processes with this text in their command lines, once they are so many, else after the time. */
async function settled(text: string, count: number): Promise<string[]> {
  const end = performance.now() + mostMilliseconds;
  for (;;) {
    const found = await processesWith(text);
    if (found.length === count || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const kind of ['process', 'trusted'] as const)
  describe(`a runner that is killed: ${kind}`, {
    skip: kind === 'process' ? (problem ?? false) : false,
  }, () => {
    let folder = '';
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'mainstay-killed-'));
      // Its children have names of their own, which nothing else has; a suspended one of them is no exception.
      const beside = "import { spawn } from 'node:child_process';\nspawn('sleep', ['297.25']);\n";
      const source = 'export default { fetch: () => new Response() };\n';
      await writeFile(path.join(folder, 'index.mjs'), beside + source);
    });
    after(() => rm(folder, { recursive: true, force: true }));

    test('leaves no process behind', async () => {
      const killed = spawn(process.execPath, [child, kind, folder, runtime], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(killed.stdout, 'data');
      // A shell says that it has started one before that has the name of its program.
      assert.equal((await settled('sleep\x00297.5', 1)).length, 1);
      assert.equal((await settled('sleep\x00297.25', 2)).length, 2);
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      assert.deepEqual(await settled('sleep\x00297.5', 0), []);
      // What the freezer of cgroups version 1 holds ends when the next one starts.
      if ((await processesWith('sleep\x00297.25')).length > 0 && kind === 'process') {
        const next = await openProcessRunner({
          ...{ kind, allow: [], api: () => ({ host: '127.0.0.1', port: 1 }) },
        });
        await next[Symbol.asyncDispose]();
      }
      assert.deepEqual(await settled('sleep\x00297.25', 0), []);
    });
  });
