import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachOf } from './each-of.ts';

test('work is done for each item once, so many at once', async () => {
  let underWay = 0;
  let most = 0;
  const done: number[] = [];
  await eachOf([...Array(20).keys()], 3, async (item, index) => {
    assert.equal(item, index);
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    done.push(item);
  });
  assert.equal(most, 3);
  assert.deepEqual(
    done.toSorted((a, b) => a - b),
    [...Array(20).keys()],
  );
});

test('a failure is thrown when all that was begun has ended, and nothing is begun after it', async () => {
  const begun: number[] = [];
  let ended = 0;
  const working = eachOf([...Array(20).keys()], 2, async (item) => {
    begun.push(item);
    await new Promise((resolve) => setImmediate(resolve));
    ended += 1;
    if (item === 0) throw new Error('no');
  });
  await assert.rejects(working, /no/);
  assert.equal(ended, begun.length);
  assert.ok(begun.length < 5);
});
