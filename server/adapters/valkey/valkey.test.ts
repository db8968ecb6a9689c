import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openValkey } from '#adapters/valkey/open.ts';
import { type Cache, never } from '#core/cache.ts';
import { newId } from '#core/ids.ts';
import type { Problem } from '#core/problem.ts';
import { cacheEngines } from '#testing/caches.ts';
import { TestClock } from '#testing/clock.ts';
import { startInstance } from '#testing/instance.ts';
import { startRedis, startRedisCluster, type TestRedis } from '../../../scripts/redis.ts';
import { set } from '../../contracts/cache.ts';

const clock = new TestClock();
/** `npm test` says loudly where there is none. */
const skip = !cacheEngines.includes('redis');

function open(url: string): Promise<Cache> {
  const options = { applicationBytes: 1024 * 1024, timeoutSeconds: 2, clock, onError: () => undefined };
  return openValkey(new URL(url), options);
}

/** Fails at once and says so: the longest of these took that many milliseconds. */
async function refusedWithin(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await assert.rejects(work, (problem: Problem) => {
    assert.equal(problem.kind, 'unavailable');
    assert.equal(problem.retryAfterSeconds, 1);
    return true;
  });
  return performance.now() - started;
}

async function untilAnswered(work: () => Promise<unknown>): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    const failure = await work().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (waited > 10_000) throw failure;
    await sleep(50);
  }
}

test('a crowd finds a cluster whose nodes it is the first to ask', { skip }, async () => {
  const url = process.env['TEST_REDIS_CLUSTER_URL'];
  assert.ok(url);
  for (let round = 0; round < 10; round++) {
    await using cache = await open(url);
    const crowd = Array.from({ length: 60 }, async () => {
      const app = newId();
      await cache.run(app, [set('k', 'v')]);
      assert.ok(await cache.get(app, 'k'));
    });
    await Promise.all(crowd);
  }
});

test('a lost server is an error at once, under way too, and is found again by itself', { skip }, async () => {
  await using redis = (await startRedis()) as TestRedis;
  await using cache = await open(redis.url);
  const app = newId();
  await cache.run(app, [set('k', 'v')]);
  process.kill(redis.pid(), 'SIGSTOP');
  const underWay = refusedWithin(async () => cache.get(app, 'k'));
  await redis.stop();
  assert.ok((await underWay) < 1000);
  for (const work of [
    async () => cache.get(app, 'k'),
    () => cache.run(app, [set('k', 'v')]),
    () => cache.clear(app, ''),
    () => cache.usage(app),
    () => cache.sweep(),
  ])
    assert.ok((await refusedWithin(work)) < 1000);
  await redis.start();
  await untilAnswered(async () => cache.get(app, 'k'));
  await cache.run(app, [set('k', 'again')]);
});

test('a server that hangs is given up after the timeout', { skip }, async () => {
  await using redis = (await startRedis()) as TestRedis;
  await using cache = await open(redis.url);
  process.kill(redis.pid(), 'SIGSTOP');
  const took = await refusedWithin(async () => cache.get(newId(), 'k'));
  assert.ok(took > 1500 && took < 10_000, `${took}`);
  process.kill(redis.pid(), 'SIGCONT');
  await untilAnswered(async () => cache.get(newId(), 'k'));
});

test('a write that a stalled server may have done is not said to have failed', { skip }, async () => {
  await using redis = (await startRedis()) as TestRedis;
  await using cache = await open(redis.url);
  const app = newId();
  const increment = { op: 'increment', key: 'n', by: 1, expiration: 0, expiresAt: never } as const;
  const once = { id: 'one', fingerprint: 'f', expiresAt: clock.now() + 60_000 };
  await cache.run(app, [increment]);
  process.kill(redis.pid(), 'SIGSTOP');
  await assert.rejects(cache.run(app, [increment], once), (problem: Problem) => {
    assert.equal(problem.kind, 'outcome_unknown');
    assert.equal(problem.retryAfterSeconds, undefined);
    return true;
  });
  process.kill(redis.pid(), 'SIGCONT');
  await untilAnswered(async () => cache.get(app, 'k'));
  // An Idempotency-Key tells: it was done, and is not done again.
  const [outcome] = await cache.run(app, [increment], once);
  assert.ok(outcome && 'item' in outcome);
  assert.equal(String(outcome.item?.json), '"2"');
});

test('a platform starts without its cache, answers 503 with Retry-After, and recovers', {
  skip,
}, async () => {
  await using redis = (await startRedis()) as TestRedis;
  await redis.stop();
  await using instance = await startInstance('sqlite', { settings: { MAINSTAY_CACHE_URL: redis.url } });
  const get = () => instance.call('GET', '/fastcache?key=k', { as: 'application' });
  const away = await get();
  assert.equal(away.status, 503);
  assert.equal(away.headers.get('retry-after'), '1');
  assert.deepEqual(away.body, { error: 'The cache cannot be reached just now; try again shortly.' });
  await redis.start();
  await untilAnswered(async () => assert.equal((await get()).status, 404));
});

test('of a cluster, one lost node fails its own applications at once and no others', { skip }, async () => {
  await using cluster = await startRedisCluster();
  assert.ok(cluster);
  for (const node of cluster.nodes)
    await node.command('config', 'set', 'cluster-require-full-coverage', 'no');
  await using cache = await open(cluster.url);
  const apps = Array.from({ length: 30 }, () => newId());
  for (const app of apps) await cache.run(app, [set('k', 'v')]);
  await cluster.nodes[1]?.stop();
  const outcomes = await Promise.all(
    apps.map(async (app) => {
      const started = performance.now();
      const found = await Promise.resolve(cache.get(app, 'k')).catch((error: Problem) => error.kind);
      assert.ok(performance.now() - started < 10_000);
      return typeof found === 'string' ? found : 'found';
    }),
  );
  assert.deepEqual(new Set(outcomes), new Set(['found', 'unavailable']));
});

test('a full server refuses writes with 507 and still reads', { skip }, async () => {
  await using redis = (await startRedis(['--maxmemory', '3mb'])) as TestRedis;
  await using cache = await open(redis.url);
  const app = newId();
  await cache.run(app, [set('kept', 'v')]);
  const fill = async () => {
    for (let at = 0; at < 100; at++) await cache.run(newId(), [set('k', 'x'.repeat(100_000))]);
  };
  await assert.rejects(fill, (problem: Problem) => problem.kind === 'storage_full');
  assert.notEqual(await cache.get(app, 'kept'), null);
  assert.equal((await cache.usage(app)).items, 1);
});
