import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openLmdb } from '../../server/adapters/lmdb/open.ts';
import type { Cache } from '../../server/core/cache.ts';
import { never } from '../../server/core/cache.ts';
import { systemClock } from '../../server/core/clock.ts';
import { ratio } from './report.ts';

const GiB = 1024 ** 3;
const few = 10_000;
const many = 10_000_000;
const reads = 200_000;

/** What ten million items of 100 bytes do to the engine: reads at random in this process, resident memory, a cold start. */
export async function cacheFlatness(folder: string): Promise<void> {
  const place = path.join(folder, 'many');
  const limits = { applicationBytes: 16 * GiB, totalBytes: 16 * GiB };
  const open = () => openLmdb(place, { limits, clock: systemClock });
  const applicationId = '0190a000-0000-7000-8000-000000000002';
  const speeds: number[] = [];
  {
    await using cache = open();
    let done = 0;
    for (const count of [few, many]) {
      for (; done < count; done += 1000) await write(cache, applicationId, done);
      speeds.push(await readsPerSecond(cache, applicationId, count));
    }
    console.log(`  memory that is not the file's, after ${many} items: ${await anonymousMiB()} MiB`);
  }
  const started = performance.now();
  await using cold = open();
  await cold.get(applicationId, 'item 5000000');
  await cold.run(applicationId, [{ op: 'delete', key: 'item 0' }]);
  ratio('cold start until the first read and write, milliseconds', performance.now() - started, 'under 1000');
  const [first = 0, last = 0] = speeds;
  ratio(`reads at ${many} items of those at ${few}`, last / first, 'at least 0.8');
}

async function write(cache: Cache, applicationId: string, from: number): Promise<void> {
  const json = JSON.stringify('x'.repeat(100));
  const item = { op: 'set', json, byteSize: 100, expiration: 0, expiresAt: never } as const;
  await cache.run(
    applicationId,
    Array.from({ length: 1000 }, (_, at) => ({ ...item, key: `item ${from + at}` })),
  );
}

async function readsPerSecond(cache: Cache, applicationId: string, count: number): Promise<number> {
  const started = performance.now();
  for (let at = 0; at < reads; at++) {
    if (!(await cache.get(applicationId, `item ${(at * 7_368_787) % count}`)))
      throw new Error('An item is missing.');
  }
  return (reads * 1000) / (performance.now() - started);
}

async function anonymousMiB(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8');
  return Math.round(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
