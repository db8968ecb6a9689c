import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#core/problem.ts';
import { NamedMutexes, Semaphore } from '#core/semaphore.ts';
import { noteCommit, noteStart, runShared, runWithin, Waits } from '#core/waits.ts';

const waits = (seconds: number, isAbandoned = () => false) => new Waits({ seconds, isAbandoned });
const refused = (problem: Problem) => problem.kind === 'unavailable';
const gone = (problem: Problem) => problem.kind === 'client_gone';

test('places are given in order of arrival, and no more than there are', async () => {
  const semaphore = new Semaphore({ width: 2, maxWaiting: 10 });
  const order: number[] = [];
  let inside = 0;
  const work = (at: number) =>
    semaphore.run(async () => {
      order.push(at);
      assert.ok(++inside <= 2);
      await Promise.resolve();
      inside--;
    });
  await Promise.all([0, 1, 2, 3, 4, 5].map(work));
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
  assert.ok(semaphore.isIdle);
});

test('the queue has an end, and time in it too', async () => {
  const semaphore = new Semaphore({ width: 1, maxWaiting: 1 });
  const release = await semaphore.acquire();
  const waiting = assert.rejects(
    runWithin(waits(0.02), () => semaphore.acquire()),
    refused,
  );
  await assert.rejects(semaphore.acquire(), refused);
  await waiting;
  release();
  (await semaphore.acquire())();
});

test('all waits of a request count together, until it has committed something', async () => {
  const semaphore = new Semaphore({ width: 1, maxWaiting: 1 });
  const one = waits(0.02);
  const release = await semaphore.acquire();
  await assert.rejects(
    runWithin(one, () => semaphore.acquire()),
    refused,
  );
  assert.ok(one.remainingMilliseconds < 2);
  runWithin(one, noteCommit);
  const next = runWithin(one, () => semaphore.acquire());
  release();
  (await next)();
});

test('those who have gone are passed over, before and while they wait', async () => {
  const semaphore = new Semaphore({ width: 1, maxWaiting: 10 });
  let isGone = false;
  const leaving = waits(5, () => isGone);
  const release = await semaphore.acquire();
  const passedOver = assert.rejects(
    runWithin(leaving, () => semaphore.acquire()),
    gone,
  );
  const next = semaphore.acquire();
  isGone = true;
  release();
  await passedOver;
  (await next)();
  await assert.rejects(
    runWithin(leaving, () => semaphore.acquire()),
    gone,
  );
  runWithin(leaving, noteCommit);
  (await runWithin(leaving, () => semaphore.acquire()))();
});

test('what has begun is carried through when its client goes', async () => {
  const semaphore = new Semaphore({ width: 1, maxWaiting: 1 });
  const one = waits(5, () => true);
  await assert.rejects(
    runWithin(one, () => semaphore.acquire()),
    gone,
  );
  runWithin(one, noteStart);
  (await runWithin(one, () => semaphore.acquire()))();
  const shared = waits(5, () => true);
  (await runWithin(shared, () => runShared(() => semaphore.acquire())))();
});

test('a mutex of one name waits for no other name', async () => {
  const mutexes = new NamedMutexes({ maxWaiting: 10 });
  await mutexes.run('a', () => mutexes.run('b', async () => undefined));
});
