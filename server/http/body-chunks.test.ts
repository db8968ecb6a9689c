import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeing } from './body-chunks.ts';

test('a chunk is there until the next one is asked for, and one that shares its memory for ever', async () => {
  const memory = Buffer.from(new ArrayBuffer(8)).fill('x');
  const own = Buffer.from(new ArrayBuffer(4)).fill('y');
  const chunks = freeing(
    (async function* () {
      yield own;
      yield memory.subarray(0, 4);
    })(),
  );
  assert.equal(String((await chunks.next()).value), 'yyyy');
  assert.equal(String((await chunks.next()).value), 'xxxx');
  assert.equal(own.length, 0);
  assert.equal((await chunks.next()).done, true);
  assert.equal(String(memory), 'xxxxxxxx');
});
