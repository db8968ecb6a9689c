import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bloom } from '#adapters/sqlite-logs/bloom.ts';

test('a Bloom filter never denies what was added, and rarely grants what was not', () => {
  const bloom = new Bloom(5000);
  for (let at = 0; at < 5000; at++) bloom.add(`added ${at}`);
  let wrong = 0;
  for (let at = 0; at < 5000; at++) {
    assert.ok(Bloom.of(bloom.bytes).has(`added ${at}`), `added ${at}`);
    if (bloom.has(`other ${at}`)) wrong++;
  }
  assert.ok(wrong < 150, `${wrong} of 5000`);
});
