import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { startRedis } from '../scripts/redis.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { cacheFlatness } from './lib/cache-flatness.ts';
import type { Contestant } from './lib/contestant.ts';
import { type Figures, measure, median, type Request } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';
import { startWebdis } from './lib/webdis.ts';

/**
 * The cache against its floor and against webdis with redis-server, in turn, several rounds. `--many` adds what ten
 * million items do to it, which takes many minutes; `--quick` makes the rounds few and short.
 */

const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 3;
const load = { seconds: quick ? 2 : 4, connections: 32 };
const keyCount = 100;
/** Two workers need two cores, and on a machine of two the load takes its share of them. */
const allCores = `0-${cpus().length - 1}`;
const sizes = [100, 1024, 65_536];

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
await using redis = await startRedis();
if (!redis) throw new Error('This needs redis-server and webdis: apt-get install redis-server webdis');
try {
  const settings = { MAINSTAY_DATA_DIR: folder, MAINSTAY_REQUESTS_PER_MINUTE: '0' };
  const { keys } = await bootstrapCommand(settings);
  const onRedis = { ...settings, MAINSTAY_CACHE_URL: redis.url };
  const twoWorkers = { ...settings, MAINSTAY_WORKERS: '2' };
  const ours = (contestant: Contestant) => bearer(contestant.url, keys.application);
  const none = async () => ({});
  const contestants: Record<
    string,
    { start: () => Promise<Contestant>; headers: (contestant: Contestant) => Promise<Record<string, string>> }
  > = {
    'LMDB, two workers': { start: () => startMainstay(twoWorkers, allCores), headers: ours },
    LMDB: { start: () => startMainstay(settings), headers: ours },
    floor: { start: () => startScript('floor-cache.ts', []), headers: none },
    webdis: { start: () => startWebdis(redis.port), headers: none },
    Redis: { start: () => startMainstay(onRedis), headers: ours },
  };
  for (const size of sizes) {
    const figures: Record<'GET' | 'POST', Record<string, Figures[]>> = { GET: {}, POST: {} };
    for (let round = 0; round < rounds; round++) {
      for (const [name, { start, headers }] of Object.entries(contestants)) {
        await using contestant = await start();
        const requests = requestsOf(name === 'webdis', size, await headers(contestant));
        try {
          // All of them are measured warm: the compilers of V8 need seconds of each kind of request.
          for (const method of ['POST', 'GET'] as const)
            await measure(contestant, requests[method], { ...load, seconds: 2 });
          for (const method of ['POST', 'GET'] as const) {
            const all = figures[method];
            all[name] = [...(all[name] ?? []), await measure(contestant, requests[method], load)];
          }
        } catch (error) {
          // The peer may fail at large values; we may not.
          if (name !== 'webdis') throw error;
          console.log(`webdis at ${size} bytes: ${(error as Error).message}`);
        }
      }
    }
    for (const method of ['GET', 'POST'] as const) compare(method, size, figures[method]);
  }
  if (process.argv.includes('--many')) await cacheFlatness(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function requestsOf(
  isWebdis: boolean,
  size: number,
  authorization: Record<string, string>,
): Record<'GET' | 'POST', Request[]> {
  const value = 'x'.repeat(size);
  const names = Array.from({ length: keyCount }, (_, at) => `bench-${size}-${at}`);
  if (isWebdis) {
    return {
      GET: names.map((key) => ({ method: 'GET', path: `/GET/${key}` })),
      // webdis takes the last argument of a command from the body of a PUT.
      POST: names.map((key) => ({ method: 'PUT', path: `/SET/${key}`, body: value })),
    };
  }
  const headers = { ...authorization, 'content-type': 'application/json' };
  return {
    GET: names.map((key) => ({ method: 'GET', path: `/fastcache?key=${key}`, headers: authorization })),
    POST: names.map((key) => ({
      ...{ method: 'POST', path: '/fastcache', headers },
      body: JSON.stringify({ key, value }),
    })),
  };
}

function compare(method: 'GET' | 'POST', size: number, figures: Record<string, Figures[]>): void {
  const rows = Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all)]));
  report(`${method}, values of ${size} bytes`, rows);
  const { LMDB: us, floor, webdis, 'LMDB, two workers': two } = rows as Record<string, Figures>;
  if (!us || !floor || !two) return;
  const speed = (figures: Figures) => figures.requestsPerSecond;
  const isGet = method === 'GET';
  ratio(`${method} of the floor`, speed(us) / speed(floor), `at least ${isGet ? 0.6 : 0.45}`);
  ratio(`${method} of the floor, by CPU a request`, floor.cpuMicros / us.cpuMicros, 'beside the above');
  if (webdis) ratio(`${method} of webdis`, speed(us) / speed(webdis), `at least ${isGet ? 1 : 0.8}`);
  ratio(`${method} p99 of p50`, us.p99 / us.p50, 'under 3');
  ratio(`${method} two workers of one`, speed(two) / speed(us), 'at least 1.6 where there are cores for it');
}
