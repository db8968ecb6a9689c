import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import type { PackagedFunction, Packages } from '#areas/deployments/service.ts';
import type { Runner } from '#core/runner.ts';
import { TestClock } from '#testing/clock.ts';
import { openProcessRunner, sandboxProblem } from '../../adapters/process/open.ts';
import { Instances, type InstancesDeps, Overloaded } from './instances.ts';
import type { Meter } from './meter.ts';
import type { FunctionOf } from './pool.ts';

const kind = (await sandboxProblem()) ? 'trusted' : 'process';
const owner = { organizationId: 'o', applicationId: 'a', deploymentId: 'd' };
const wanted: PackagedFunction = {
  ...{ name: 'index.mjs', package: 'package', entry: 'index.mjs', workingFolder: '', runtime: 'node' },
  ...{ memoryMegabytes: 256, maxDurationSeconds: 30, schedule: null },
};

function ask(socketPath: string, url = '/'): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: url, agent: false, headers: { host: 'x' } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve(body));
    });
    asked.on('error', reject).end();
  });
}

describe('processes of functions', () => {
  let runner: Runner;
  let folder = '';
  let clock: TestClock;
  let instances: Instances;
  let counts: Record<string, number>;
  const of: FunctionOf = { ...owner, wanted, workload: () => ({ env: {}, secrets: [] }) };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-functions-'));
    await mkdir(path.join(folder, 'package'));
    const blanks = { count: 1, folder: path.join(folder, 'blanks') };
    runner = await openProcessRunner({
      kind,
      blanks,
      allow: [],
      api: () => ({ host: '127.0.0.1', port: 1 }),
    });
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    clock = new TestClock({ still: true });
    counts = {};
  });
  afterEach(() => instances.close());

  async function open(source: string, options: Partial<InstancesDeps> = {}): Promise<void> {
    await writeFile(path.join(folder, 'package/index.mjs'), source);
    instances = new Instances({
      ...{ runner, clock, log: pino({ level: 'silent' }), onLine: () => {} },
      packages: {
        hold: () => () => {},
        unpacked: async () => path.join(folder, 'package'),
      } as unknown as Packages,
      meter: {
        count: (_: FunctionOf, name: string) => {
          counts[name] = (counts[name] ?? 0) + 1;
        },
        sample: () => {},
      } as unknown as Meter,
      concurrency: 100,
      most: 2,
      mostOfOrganization: 100,
      memoryOfOrganization: Number.POSITIVE_INFINITY,
      queue: 10,
      queueSeconds: 10,
      freezeSeconds: 60,
      idleSeconds: 600,
      ...{ drainSeconds: 5, answerSeconds: 10, cpuPercent: 0, memoryBytes: 1024 ** 4 },
      ...options,
    });
  }

  async function answer(url?: string): Promise<string> {
    const place = await instances.acquire(of);
    try {
      return await ask(place.socketPath, url);
    } finally {
      place.release();
    }
  }

  const counter = 'let n = 0;\nexport default { fetch: () => new Response(String(++n)) };\n';

  test('one is frozen when nobody asks, and the next request wakes it with all that it knew', async () => {
    await open(counter);
    assert.equal(await answer(), '1');
    clock.advance(59);
    await instances.sweep();
    assert.deepEqual(instances.states('d', 'index.mjs'), { busy: 0, idle: 1, frozen: 0 });
    clock.advance(2);
    await instances.sweep();
    assert.deepEqual(instances.states('d', 'index.mjs'), { busy: 0, idle: 0, frozen: 1 });
    assert.equal(await answer(), '2');
    assert.equal(counts['wakes'], 1);
  });

  test('a frozen one really stands still', async () => {
    await open(
      'let n = 0; setInterval(() => n++, 1);\nexport default { fetch: () => new Response(String(n)) };\n',
    );
    const place = await instances.acquire(of);
    place.release();
    clock.advance(61);
    await instances.sweep();
    // It does not answer: nobody is there to accept.
    const late = await Promise.race([
      ask(place.socketPath).catch(() => 'ended'),
      new Promise((resolve) => setTimeout(resolve, 300, 'nothing')),
    ]);
    assert.equal(late, 'nothing');
    assert.ok(Number(await answer()) >= 0);
  });

  test('one that works on something is not frozen', { skip: kind === 'trusted' }, async () => {
    await open(
      'export default { fetch: () => { const end = Date.now() + 500; while (Date.now() < end); return new Response("") } };\n',
      { freezeSeconds: 5 },
    );
    await answer();
    // Half a second of work in six: more than somebody who waits needs.
    clock.advance(6);
    await instances.sweep();
    assert.equal(instances.states('d', 'index.mjs').frozen, 0);
    clock.advance(6);
    await instances.sweep();
    assert.equal(instances.states('d', 'index.mjs').frozen, 1);
  });

  test('a process that catches SIGUSR2 is told that it was frozen', {
    skip: kind === 'trusted',
  }, async () => {
    await open(
      'let told = 0; process.on("SIGUSR2", () => told++);\n' +
        'export default { fetch: async () => { for (let i = 0; i < 100 && !told; i++) await new Promise((r) => setTimeout(r, 20)); return new Response(String(told)) } };\n',
    );
    const place = await instances.acquire(of);
    place.release();
    clock.advance(61);
    await instances.sweep();
    assert.equal(await answer(), '1');
  });

  test('nobody asks for long: it ends, and the next request starts another', async () => {
    await open(counter);
    await answer();
    clock.advance(601);
    await instances.sweep();
    assert.deepEqual(instances.states('d', 'index.mjs'), { busy: 0, idle: 0, frozen: 0 });
    assert.equal(await answer(), '1');
  });

  test('where memory is short, the one that was frozen longest ago ends', {
    skip: kind === 'trusted',
  }, async () => {
    await open(counter, { memoryBytes: 1 });
    await answer();
    clock.advance(61);
    await instances.sweep();
    assert.equal(instances.states('d', 'index.mjs').frozen, 1);
    await instances.sweep();
    assert.deepEqual(instances.states('d', 'index.mjs'), { busy: 0, idle: 0, frozen: 0 });
  });

  test('a busy one gets help, up to the most; the next waits in the queue, and a full queue refuses', async () => {
    await open(counter, { concurrency: 1, most: 2, queue: 0 });
    const first = await instances.acquire(of);
    const second = await instances.acquire(of);
    assert.notEqual(first.socketPath, second.socketPath);
    const third = instances.acquire(of);
    await assert.rejects(instances.acquire(of), Overloaded);
    first.release();
    assert.equal((await third).socketPath, first.socketPath);
    assert.equal(counts['rejected'], 1);
  });

  test('an organization has so many processes: an idle one makes room, and busy ones do not', async () => {
    await open(counter, { mostOfOrganization: 2 });
    const named = (deploymentId: string, organizationId = 'o') => ({ ...of, organizationId, deploymentId });
    const idle = (deploymentId: string) => instances.states(deploymentId, 'index.mjs').idle;
    (await instances.acquire(named('first'))).release();
    clock.advance(1);
    (await instances.acquire(named('second'))).release();
    const busy = await instances.acquire(named('third'));
    assert.deepEqual([idle('first'), idle('second')], [0, 1]);
    const other = await instances.acquire(named('fourth'));
    assert.equal(idle('second'), 0);
    await assert.rejects(instances.acquire(named('fifth')), /has 2 busy processes .* which is its limit/);
    (await instances.acquire(named('fifth', 'another organization'))).release();
    busy.release();
    (await instances.acquire(named('fifth'))).release();
    other.release();
  });

  test('one that is kept starts without a request, and is neither frozen nor ended', async () => {
    await open(counter, { concurrency: 1 });
    instances.keep([of]);
    assert.equal(await answer(), '1');
    const places = [await instances.acquire(of), await instances.acquire(of)];
    for (const place of places) place.release();
    assert.deepEqual(instances.states('d', 'index.mjs'), { busy: 0, idle: 2, frozen: 0 });
    // Of two that are idle one is enough.
    clock.advance(601);
    await instances.sweep();
    assert.deepEqual(instances.states('d', 'index.mjs'), { busy: 0, idle: 1, frozen: 0 });
    clock.advance(601);
    await instances.sweep();
    assert.equal(instances.states('d', 'index.mjs').idle, 1);
    instances.keep([]);
    await instances.sweep();
    assert.equal(instances.states('d', 'index.mjs').idle, 0);
  });

  test('one that is frozen is woken when it is to be kept', async () => {
    await open(counter);
    await answer();
    clock.advance(61);
    await instances.sweep();
    assert.equal(instances.states('d', 'index.mjs').frozen, 1);
    instances.keep([of]);
    await instances.sweep();
    assert.equal(instances.states('d', 'index.mjs').frozen, 0);
    assert.equal(await answer(), '2');
  });

  test('kept ones count against the limit of the organization, and give way to requests', async () => {
    await open(counter, { mostOfOrganization: 1 });
    const other = { ...of, deploymentId: 'other' };
    instances.keep([of]);
    await answer();
    instances.keep([of, other]);
    assert.deepEqual(instances.states('other', 'index.mjs'), { busy: 0, idle: 0, frozen: 0 });
    const busy = await instances.acquire(other);
    instances.keep([of, other]);
    assert.equal(instances.states('d', 'index.mjs').idle, 0);
    busy.release();
  });

  test('one that is kept and crashes is started no more often than others', async () => {
    const lines: string[] = [];
    await open('process.exit(3);\n', { onLine: (_of, _name, line) => lines.push(line) });
    const crashed = new Promise<void>((resolve) => instances.onCrashes(() => resolve()));
    let isOver = false;
    void crashed.then(() => {
      isOver = true;
    });
    while (!isOver) {
      instances.keep([of]);
      await instances.sweep();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { length } = lines;
    instances.keep([of]);
    await instances.sweep();
    await assert.rejects(instances.acquire(of), /crashed 5 times within a minute/);
    assert.ok(lines.length <= length + 1, lines.join('\n'));
  });

  test('an organization has so much memory for its processes: idle ones make room where that is enough', async () => {
    const megabytes = 1024 ** 2;
    await open(counter, { memoryOfOrganization: 600 * megabytes });
    const named = (deploymentId: string, memoryMegabytes = 256) => ({
      ...{ ...of, deploymentId },
      wanted: { ...wanted, memoryMegabytes },
    });
    const idle = (deploymentId: string) => instances.states(deploymentId, 'index.mjs').idle;
    (await instances.acquire(named('first'))).release();
    clock.advance(1);
    const busy = await instances.acquire(named('second'));
    assert.deepEqual(instances.usageOf('o'), { instances: 2, memoryBytes: 512 * megabytes });
    await assert.rejects(
      instances.acquire(named('large', 512)),
      /exceed the 600 MB of memory .*MAINSTAY_ORGANIZATION_MEMORY/,
    );
    assert.equal(idle('first'), 1, 'its end would not have been enough');
    (await instances.acquire(named('third'))).release();
    assert.deepEqual([idle('first'), idle('third')], [0, 1]);
    busy.release();
    (await instances.acquire(named('large', 512))).release();
    assert.deepEqual(instances.usageOf('o'), { instances: 1, memoryBytes: 512 * megabytes });
    await assert.rejects(
      instances.attempt(named('huge', 1024), new AbortController().signal),
      /configured with 1024 MB of memory, and all functions .* 600 MB together/,
    );
  });

  test('who waits too long for a process is told so', async () => {
    await open(counter, { concurrency: 1, most: 1, queueSeconds: 0.05 });
    instances.acquire(of).catch(() => {});
    await assert.rejects(instances.acquire(of), Overloaded);
  });

  test('one that does not start is given up after five attempts within a minute', async () => {
    await open('throw new Error("broken");\n');
    for (let round = 1; round <= 5; round++) await assert.rejects(instances.acquire(of), /did not start/);
    await assert.rejects(instances.acquire(of), /crashed 5 times within a minute/);
  });

  test('a process that ends by itself is a crash, and five of them in a minute are enough', async () => {
    let ended = 0;
    let told = () => {};
    await open('export default { fetch: () => process.exit(7) };\n', {
      onLine: (_of, _name, line) => {
        if (line !== 'The process exited: exit code 7.') return;
        ended += 1;
        told();
      },
    });
    for (let round = 1; round <= 5; round++) {
      const gone = new Promise<void>((resolve) => {
        told = resolve;
      });
      const place = await instances.acquire(of);
      await assert.rejects(ask(place.socketPath));
      place.release();
      if (ended < round) await gone;
    }
    await assert.rejects(instances.acquire(of), /crashed 5 times within a minute/);
    clock.advance(61);
    assert.ok((await instances.acquire(of)).socketPath);
  });

  test('one that ends takes the time that it was given', { skip: kind === 'trusted' }, async () => {
    const lines: string[] = [];
    await open(
      'process.on("SIGTERM", () => { console.log("cleaned up"); process.exit(0); });\nexport default { fetch: () => new Response("") };\n',
      { onLine: (_of, _name, line) => lines.push(line) },
    );
    await answer();
    clock.advance(601);
    await instances.sweep();
    assert.deepEqual(lines, ['cleaned up']);
  });

  test('a version that ends after its first answer is known to have ended', async () => {
    await open(
      'import http from "node:http";\n' +
        'http.createServer((q, s) => { s.end(); s.on("close", () => { console.error("late"); process.exit(4); }); }).listen(1);\n',
    );
    await using tried = await instances.attempt(of, new AbortController().signal);
    const known = async () => {
      for (;;) {
        tried.check();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await assert.rejects(known(), /exited before it became live: exit code 4/);
  });

  test('the process of a version that was tried takes its requests once it is live', async () => {
    const lines: string[] = [];
    await open(
      'console.log("started");\nlet asked = 0;\nexport default { fetch: () => new Response(String(++asked)) };\n',
      { onLine: (_of, _name, line) => lines.push(line) },
    );
    {
      await using tried = await instances.attempt(of, new AbortController().signal);
      assert.deepEqual([instances.states('d', 'index.mjs').idle, lines], [0, []]);
      tried.adopt();
    }
    assert.equal(await answer(), '2', 'the first request was that of the attempt');
    assert.deepEqual(instances.states('d', 'index.mjs'), { busy: 0, idle: 1, frozen: 0 });
    assert.deepEqual(lines, ['started']);
    clock.advance(601);
    await instances.sweep();
    assert.equal(instances.states('d', 'index.mjs').idle, 0, 'it ends as others do');
  });

  test('one that was tried ends where its organization has no room for it', async () => {
    await open(counter, { mostOfOrganization: 1 });
    const other = await instances.acquire({ ...of, deploymentId: 'other' });
    {
      await using tried = await instances.attempt(of, new AbortController().signal);
      tried.adopt();
    }
    assert.deepEqual(instances.usageOf('o').instances, 1);
    other.release();
  });

  test('what the code prints is masked before anybody sees it', async () => {
    const lines: string[] = [];
    const { promise: printed, resolve } = Promise.withResolvers<void>();
    await open('console.log("with", process.env.KEY);\nexport default { fetch: () => new Response("") };\n', {
      onLine: (_of, _name, line) => {
        lines.push(line);
        resolve();
      },
    });
    const place = await instances.acquire({
      ...{ ...owner, wanted },
      workload: () => ({ env: { KEY: 'hunter2hunter2' }, secrets: ['hunter2hunter2'] }),
    });
    await printed;
    place.release();
    assert.deepEqual(lines, ['with ***']);
  });
});
