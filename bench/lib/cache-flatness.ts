import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openLmdb } from '../../server/adapters/lmdb/open.ts';
import { never } from '../../server/core/cache.ts';
import { systemClock } from '../../server/core/clock.ts';
import { bootstrapCommand } from '../../server/testing/process.ts';
import { type Figures, type LoadOptions, measure, median, type Request } from './load.ts';
import { bearer, startMainstay } from './mainstay.ts';
import { ratio, report } from './report.ts';

const GiB = 1024 ** 3;
const few = 10_000;
const many = 10_000_000;
/** Keys that are read, evenly spread over all there are. */
const readKeys = 2000;
const load: LoadOptions = { seconds: 5, connections: 32 };
const rounds = 3;
const open = (dataDir: string) =>
  openLmdb(path.join(dataDir, 'cache'), {
    limits: { applicationBytes: 16 * GiB, totalBytes: 16 * GiB },
    clock: systemClock,
  });

/** What ten million items of 100 bytes do to the cache: a cold start, reads over HTTP, resident memory. */
export async function cacheFlatness(folder: string): Promise<void> {
  await using small = await startWith(path.join(folder, 'few'), few);
  await using large = await startWith(path.join(folder, 'many'), many);
  const figures: [Figures[], Figures[]] = [[], []];
  // In turn, so that a machine that is slower for a while is so for both.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { server, requests }] of [small, large].entries()) {
      const measured = await measure(server, requests, load);
      // The first round is for the compilers, and for the pages of the file to be found in memory.
      if (round > 0) figures[index]?.push(measured);
    }
  }
  const [atFew, atMany] = figures.map(median) as [Figures, Figures];
  report('GET, values of 100 bytes', { [`${few} items`]: atFew, [`${many} items`]: atMany });
  ratio(
    `GET at ${many} items of GET at ${few}`,
    atMany.requestsPerSecond / atFew.requestsPerSecond,
    'at least 0.8',
  );
  const memory = [await anonymousMiB(small.server.pid), await anonymousMiB(large.server.pid)];
  console.log(`memory of the servers that is not the file's: ${memory.join(' and ')} MiB`);
}

async function startWith(dataDir: string, count: number) {
  const settings = {
    MAINSTAY_DATA_DIR: dataDir,
    MAINSTAY_REQUESTS_PER_MINUTE: '0',
    MAINSTAY_CACHE_APPLICATION_SIZE: '16GiB',
    MAINSTAY_CACHE_SIZE: '16GiB',
  };
  const { keys, application } = await bootstrapCommand(settings);
  await fill(dataDir, application.id, count);
  await coldStart(dataDir, application.id, count);
  const server = await startMainstay(settings);
  const headers = await bearer(server.url, keys.application);
  const requests = Array.from({ length: readKeys }, (_, at): Request => {
    const key = `item ${at * (count / readKeys)}`;
    return { method: 'GET', path: `/fastcache?key=${encodeURIComponent(key)}`, headers };
  });
  return { server, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Writes into the folder of a server that is not running. */
async function fill(dataDir: string, applicationId: string, count: number): Promise<void> {
  await using cache = open(dataDir);
  const json = JSON.stringify('x'.repeat(100));
  const item = { op: 'set', json, byteSize: 100, expiration: 0, expiresAt: never } as const;
  for (let at = 0; at < count; at += 1000) {
    const items = Array.from({ length: 1000 }, (_, index) => ({ ...item, key: `item ${at + index}` }));
    await cache.run(applicationId, items);
  }
}

async function coldStart(dataDir: string, applicationId: string, count: number): Promise<void> {
  const started = performance.now();
  await using cache = open(dataDir);
  await cache.get(applicationId, `item ${count / 2}`);
  await cache.run(applicationId, [{ op: 'delete', key: 'nothing' }]);
  const took = performance.now() - started;
  ratio(`cold start with ${count} items until the first read and write, ms`, took, 'under 1000');
}

async function anonymousMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
