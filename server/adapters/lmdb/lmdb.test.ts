import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { bootId, Generation } from '#adapters/lmdb/generation.ts';
import { openLmdb } from '#adapters/lmdb/open.ts';
import { Writer } from '#adapters/lmdb/writer.ts';
import { type Cache, type CacheOperation, itemOverheadBytes, never } from '#core/cache.ts';
import { newId } from '#core/ids.ts';
import type { Problem } from '#core/problem.ts';
import { TestClock } from '#testing/clock.ts';
import { set } from '../../contracts/cache.ts';

const MiB = 1024 * 1024;
const clock = new TestClock();
const child = path.join(import.meta.dirname, 'crash-child.ts');

async function temporaryFolder(): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-lmdb-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

function open(folder: string, limits = { applicationBytes: 64 * MiB, totalBytes: 64 * MiB }): Cache {
  return openLmdb(folder, { limits, clock });
}

async function read(cache: Cache, app: string, key: string): Promise<string | null> {
  const item = await cache.get(app, key);
  return item && (JSON.parse(item.json.toString()) as string);
}

test('two processes on one counter lose no increment', async () => {
  await using home = await temporaryFolder();
  const app = newId();
  const count = async () => {
    const counter = spawn(process.execPath, [child, 'count', home.folder, app, '2000'], { stdio: 'inherit' });
    assert.deepEqual(await once(counter, 'exit'), [0, null]);
  };
  await Promise.all([count(), count()]);
  await using cache = open(home.folder);
  assert.equal(await read(cache, app, 'n'), '4000');
});

test('processes that open the cache while another writes to it take nothing back', async () => {
  await using home = await temporaryFolder();
  const app = newId();
  await using cache = open(home.folder);
  const increment: CacheOperation = { op: 'increment', key: 'n', by: 1, expiration: 0, expiresAt: never };
  await cache.run(app, [increment]);
  let opening = 2;
  const openOften = async () => {
    const opener = spawn(process.execPath, [child, 'open', home.folder, app, '300'], { stdio: 'inherit' });
    const [code] = await once(opener, 'exit');
    opening--;
    assert.equal(code, 0);
  };
  const openers = Promise.all([openOften(), openOften()]);
  let acknowledged = 1;
  while (opening > 0) {
    await Promise.all(Array.from({ length: 10 }, () => cache.run(app, [increment])));
    acknowledged += 10;
  }
  await openers;
  assert.equal(await read(cache, app, 'n'), String(acknowledged));
});

test('after kill -9 under load every acknowledged write is there, and writing continues', async () => {
  await using home = await temporaryFolder();
  const app = newId();
  for (let round = 0; round < 3; round++) {
    const writer = spawn(process.execPath, [child, 'write', home.folder, app]);
    let output = '';
    writer.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.length > 10_000 * (round + 1)) writer.kill('SIGKILL');
    });
    await once(writer, 'close');
    const acknowledged = output.split('\n').slice(0, -1);
    assert.ok(acknowledged.length > 100);
    await using cache = open(home.folder);
    for (const key of acknowledged) assert.equal(await read(cache, app, key), key.repeat(20));
    await cache.run(app, [set('alive', String(round))]);
    assert.equal(await read(cache, app, 'alive'), String(round));
  }
});

test('when the thread that writes dies, another takes its place and continues from there', async () => {
  await using home = await temporaryFolder();
  const app = newId();
  await using cache = open(home.folder);
  const increment: CacheOperation = { op: 'increment', key: 'n', by: 1, expiration: 0, expiresAt: never };
  for (let round = 1; round <= 3; round++) {
    const started = once(process, 'worker');
    await cache.run(app, [increment]);
    const [thread] = (await started) as [Worker];
    await thread.terminate();
  }
  assert.equal(await read(cache, app, 'n'), '3');
});

test('a thread that dies amid a batch leaves no write waiting, and nothing acknowledged is lost', async () => {
  await using home = await temporaryFolder();
  const app = newId();
  const script = path.join(import.meta.dirname, 'killed-writer-child.ts');
  const writer = spawn(process.execPath, [script, home.folder, app], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const deadline = setTimeout(() => writer.kill('SIGKILL'), 120_000);
  let output = '';
  writer.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(writer, 'close');
  clearTimeout(deadline);
  const { written, failed, longest, problems } = JSON.parse(output || '{}');
  assert.ok(written > 0 && failed > 0, output);
  assert.ok(longest < 30_000, `a write waited for ${longest} ms`);
  for (const kind of problems) assert.ok(['unavailable', 'outcome_unknown'].includes(kind), output);
  await using cache = open(home.folder);
  const count = Number(await read(cache, app, 'n'));
  assert.ok(count >= written && count <= written + failed, `${count} of ${output}`);
  await cache.run(app, [set('alive', 'yes')]);
  assert.equal(await read(cache, app, 'alive'), 'yes');
});

test('an application that writes without end stays within its bound and leaves others alone', async () => {
  await using home = await temporaryFolder();
  const limits = { applicationBytes: MiB, totalBytes: 16 * MiB };
  await using cache = open(home.folder, limits);
  const [app, neighbour] = [newId(), newId()];
  await cache.run(neighbour, [set('k', 'v', { at: clock.now() + 60_000 })]);
  let size = 0;
  for (let round = 0; round < 60; round++) {
    const text = 'x'.repeat(1000 + round);
    const operations = Array.from({ length: 100 }, (_, at) => set(`${round}:${at}`, text));
    await cache.run(app, operations);
    const { bytes } = await cache.usage(app);
    assert.ok(bytes <= MiB, `${bytes}`);
    if (round === 30) size = await sizeOf(home.folder);
  }
  assert.ok((await cache.usage(app)).evictions > 4000);
  assert.ok((await sizeOf(home.folder)) <= size * 1.25, 'The file should have stopped growing.');
  assert.equal(await read(cache, neighbour, 'k'), 'v');
  assert.equal((await cache.usage(neighbour)).evictions, 0);
});

test('when all applications together fill the cache, writes are refused and reads continue', async () => {
  await using home = await temporaryFolder();
  await using cache = open(home.folder, { applicationBytes: MiB, totalBytes: 2 * MiB });
  const apps = [newId(), newId(), newId()] as const;
  const most = 'x'.repeat(MiB - 2 * itemOverheadBytes);
  await cache.run(apps[0], [set('k', most)]);
  await cache.run(apps[1], [set('k', most)]);
  assert.deepEqual(await cache.run(apps[2], [set('k', most)]), [{ failure: 'full' }]);
  assert.equal(await read(cache, apps[0], 'k'), most);
  assert.equal(await read(cache, apps[2], 'k'), null);
});

test('a map of LMDB that is full grows: what ends writing is the bound or the disk', async () => {
  await using home = await temporaryFolder();
  const limits = { applicationBytes: 64 * MiB, totalBytes: 64 * MiB };
  const writer = new Writer({ folder: home.folder, mapBytes: MiB, limits }, () => undefined);
  const app = newId();
  const send = (operation: CacheOperation) =>
    writer.send({ kind: 'run', now: clock.now(), applicationId: app, operations: [operation] });
  const text = 'x'.repeat(100_000);
  for (let at = 0; at < 100; at++) await send(set(`k${at}`, text));
  for (let at = 0; at < 100; at++) {
    const [outcome] = (await send({ op: 'get', key: `k${at}` })) ?? [];
    assert.ok(outcome && 'item' in outcome && outcome.item?.byteSize === text.length);
  }
  await writer.close();
});

test('when the disk is full, writes are refused with 507, nothing is half done, reads continue', async () => {
  await using home = await temporaryFolder();
  // A limit on the size of files stands in for the full disk.
  const limited = spawn(
    'sh',
    [
      '-c',
      `ulimit -f 2048; exec "$0" "$@"`,
      process.execPath,
      path.join(import.meta.dirname, 'full-child.ts'),
      home.folder,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  limited.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(limited, 'close');
  assert.equal(code, 0);
  const { kind, message, before, after } = JSON.parse(output) as Record<string, string>;
  assert.equal(kind, 'storage_full');
  assert.match(message ?? '', /^The disk of the server is full or failing\. Nothing was changed/);
  assert.equal(before, 'kept');
  assert.equal(after, 'kept');
});

test('a cache that a crash of the machine may have torn is left for an empty one', async () => {
  await using home = await temporaryFolder();
  const app = newId();
  {
    await using cache = open(home.folder);
    await cache.run(app, [set('k', 'synced')]);
  }
  {
    await using cache = open(home.folder);
    assert.equal(await read(cache, app, 'k'), 'synced');
  }
  const another = '00000000-0000-4000-8000-000000000000';
  assert.equal(path.basename(Generation.open(home.folder, another).file), `${bootId()}.mdb`);
  await rename(path.join(home.folder, `${bootId()}.mdb`), path.join(home.folder, `${another}.mdb`));
  await writeFile(path.join(home.folder, 'generation'), `dirty ${another} ${another}.mdb\n`);
  await using cache = open(home.folder);
  assert.equal(await read(cache, app, 'k'), null);
  await cache.run(app, [set('k', 'new')]);
  assert.equal(await read(cache, app, 'k'), 'new');
});

test('a closed cache refuses writes', async () => {
  await using home = await temporaryFolder();
  const cache = open(home.folder);
  await cache[Symbol.asyncDispose]();
  await assert.rejects(
    cache.run(newId(), [set('k', 'v')]),
    (problem: Problem) => problem.kind === 'unavailable',
  );
});

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder);
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(path.join(folder, file))).blocks * 512),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
