import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamError } from './upstream-error.ts';
import { Upstreams } from './upstreams.ts';

function upstreamsAt(limits: { concurrency?: number; perMinute?: number; queueSeconds?: number } = {}) {
  const clock = { time: 1_000_000, now: () => clock.time };
  const seen: [string, string | undefined][] = [];
  const upstreams = new Upstreams({
    limits: { concurrency: 2, perMinute: 600, queueSeconds: 0.05, ...limits },
    clock,
    observe: (name, _seconds, failure) => seen.push([name, failure]),
  });
  return { upstreams, clock, seen };
}

const fails = (retryAfterSeconds?: number) => async () => {
  throw new UpstreamError('throttled', 'a', 'enough', { retryAfterSeconds });
};

test('no more connections at a time than allowed, each upstream for itself', async () => {
  const { upstreams } = upstreamsAt({ queueSeconds: 5 });
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  };
  await Promise.all(Array.from({ length: 10 }, () => upstreams.run('a', work)));
  assert.equal(most, 2);
  await Promise.all(
    ['a', 'b', 'c'].flatMap((name) => [upstreams.run(name, work), upstreams.run(name, work)]),
  );
  assert.equal(most, 6);
});

test('no more queries a minute than allowed: who waits too long is asked to come again', async () => {
  const { upstreams, clock } = upstreamsAt({ perMinute: 6 });
  await upstreams.run('a', async () => {});
  await upstreams.run('a', async () => {});
  const error = await upstreams.run('a', async () => {}).catch((thrown: unknown) => thrown);
  assert.ok(
    error instanceof UpstreamError && error.failure === 'throttled' && error.retryAfterSeconds === 10,
  );
  clock.time += 10_000;
  await upstreams.run('a', async () => {});
});

test('an upstream that gives no time is left alone twice as long each time', async () => {
  const { upstreams, clock } = upstreamsAt();
  const waits: (number | undefined)[] = [];
  for (let round = 0; round < 3; round++) {
    await assert.rejects(upstreams.run('a', fails()));
    const error = await upstreams.run('a', async () => {}).catch((thrown: UpstreamError) => thrown);
    waits.push((error as UpstreamError).retryAfterSeconds);
    clock.time += 10_000_000;
  }
  assert.deepEqual(waits, [30, 60, 120]);
  await upstreams.run('a', async () => {});
  await assert.rejects(upstreams.run('a', fails()));
  const error = await upstreams.run('a', async () => {}).catch((thrown: UpstreamError) => thrown);
  assert.equal((error as UpstreamError).retryAfterSeconds, 30);
});

test('a pause that is asked for is bounded', async () => {
  const { upstreams } = upstreamsAt();
  await assert.rejects(upstreams.run('a', fails(10_000_000)));
  const error = await upstreams.run('a', async () => {}).catch((thrown: UpstreamError) => thrown);
  assert.equal((error as UpstreamError).retryAfterSeconds, 3_600);
});

test('each query is recorded, failed ones with the kind of their failure', async () => {
  const { upstreams, seen } = upstreamsAt();
  await upstreams.run('a', async () => {});
  await assert.rejects(
    upstreams.run('b', async () => {
      throw new UpstreamError('silent', 'b', '');
    }),
  );
  assert.deepEqual(seen, [
    ['a', undefined],
    ['b', 'silent'],
  ]);
});
