import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openProcessRunner, processLimits } from '../../server/adapters/process/open.ts';
import type { Runner } from '../../server/core/runner.ts';
import { sandboxMissing } from '../../server/testing/deploying.ts';
import { after, type Campaign } from './campaign.ts';

const mebibyte = 1024 ** 2;
const never = new AbortController().signal;
const runtime = `node-${process.versions.node.split('.')[0]}`;
/** A bomb goes on for so long where its limits let it live; then it is ended, and has to be gone by the deadline of the design. */
const bombMilliseconds = 1500;
const goneMilliseconds = 2000;

const loop = (body: string) => `setImmediate(() => { for (;;) { ${body} } });`;
/** In JavaScript; each is run as a command of a build, and in a function that answers first. */
const bombs: Readonly<Record<string, string>> = {
  memory: `const kept = []; ${loop('kept.push(Buffer.alloc(8388608, 1));')}`,
  'files in /tmp': `const fs = await import('node:fs'); ${loop("try { fs.appendFileSync('/tmp/big', Buffer.alloc(8388608)); } catch {}")}`,
  forks:
    "const { spawn } = await import('node:child_process'); setInterval(() => { for (let n = 0; n < 50; n++) try { spawn('sleep', ['60']).on('error', () => {}); } catch {} }, 1);",
  descriptors: `const fs = await import('node:fs'); ${loop("try { fs.openSync('/dev/null'); } catch {}")}`,
  processor: loop(''),
  threads:
    "const { Worker } = await import('node:worker_threads'); setInterval(() => { try { new Worker('for (;;);', { eval: true }).on('error', () => {}); } catch {} }, 5);",
  log: loop("process.stdout.write('x'.repeat(100) + '\\n');"),
  sockets:
    "const net = await import('node:net'); setInterval(() => { for (let n = 0; n < 100; n++) net.connect(3128, '127.0.0.1').on('error', () => {}); }, 1);",
};

function ask(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/', agent: false, headers: { host: 'x' } }, (answer) => {
      answer.resume().on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error('no 200'))));
    });
    asked.on('error', reject).end();
  });
}

const p99 = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;

async function explode(runner: Runner, folder: string, asBuild: boolean): Promise<number> {
  if (asBuild) {
    const stop = new AbortController();
    const limits = { memoryBytes: 256 * mebibyte, cpuPercent: 0, diskBytes: 64 * mebibyte };
    const job = { folder, workingFolder: '', command: 'exec node bomb.mjs', env: {}, onLine: () => {} };
    const running = runner.run({ ...job, ...limits }, stop.signal).catch(() => {});
    await Promise.race([running, sleep(bombMilliseconds)]);
    const started = performance.now();
    stop.abort(new Error('enough'));
    await running;
    return performance.now() - started;
  }
  const unit = {
    folder,
    entry: 'server.mjs',
    workingFolder: '',
    runtime,
    memoryMegabytes: 256,
    cpuPercent: 100,
  };
  const instance = await runner.start({ ...unit, services: [], env: {}, onLine: () => {} }, never);
  await ask(instance.socketPath);
  await Promise.race([instance.gone, sleep(bombMilliseconds)]);
  const started = performance.now();
  await runner.stop(instance, 0);
  return performance.now() - started;
}

/** Code that takes all it can get, as builds and as functions, beside a function that is asked all the time. */
export const neighbourCampaigns: readonly Campaign[] = [
  {
    name: 'hostile neighbours of a function',
    missing: () => sandboxMissing ?? undefined,
    async run(seconds) {
      const { missing } = await processLimits();
      const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-soak-'));
      try {
        await using runner = await openProcessRunner({
          ...{ kind: 'process', allow: [], api: () => ({ host: '127.0.0.1', port: 1 }) },
        });
        await writeFile(
          path.join(folder, 'good.mjs'),
          'export default { fetch: () => new Response("good") };\n',
        );
        const unit = { folder, entry: 'good.mjs', workingFolder: '', runtime, memoryMegabytes: 256 };
        const good = await runner.start(
          { ...unit, cpuPercent: 0, services: [], env: {}, onLine: () => {} },
          never,
        );
        const took: Record<'quiet' | 'loud', number[]> = { quiet: [], loud: [] };
        let phase: keyof typeof took = 'quiet';
        let isOver = false;
        const asking = (async () => {
          while (!isOver) {
            const [during, started] = [phase, performance.now()];
            await ask(good.socketPath);
            took[during].push(performance.now() - started);
            await sleep(2);
          }
        })();
        asking.catch(() => {});
        await sleep(1000);
        phase = 'loud';
        const enough = after(seconds);
        let exploded = 0;
        let longest = 0;
        do {
          for (const [name, source] of Object.entries(bombs)) {
            if (missing.length > 0 && name !== 'log') continue;
            await writeFile(path.join(folder, 'bomb.mjs'), source);
            const server = `export default { fetch: () => { setTimeout(() => import('./bomb.mjs'), 10); return new Response(''); } };\n`;
            await writeFile(path.join(folder, 'server.mjs'), server);
            for (const asBuild of [true, false]) {
              const milliseconds = await explode(runner, folder, asBuild);
              assert.ok(
                milliseconds < goneMilliseconds,
                `${name}: gone after ${Math.round(milliseconds)} ms`,
              );
              longest = Math.max(longest, milliseconds);
              exploded++;
            }
            await Promise.race([asking, sleep(1)]);
          }
        } while (!enough());
        isOver = true;
        await asking;
        const answered = took.loud.length;
        assert.ok(answered > exploded, `the neighbour answered ${answered} times beside ${exploded} bombs`);
        const [quiet, loud] = [p99(took.quiet), p99(took.loud)].map((one) => one.toFixed(1));
        return (
          `${exploded} bombs, each gone ${Math.round(longest)} ms after its end was asked for at most; beside them ` +
          `${answered} answers and no failure, p99 ${loud} ms (${quiet} ms alone)`
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
];
