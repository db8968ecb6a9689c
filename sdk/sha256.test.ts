import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { PlainSha256, sha256 } from './sha256.ts';

test('SHA-256 in parts is that of the whole, at every length around a block', () => {
  for (const length of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 100_003]) {
    const bytes = randomBytes(length);
    const expected = createHash('sha256').update(bytes).digest('hex');
    for (const digest of [new PlainSha256(), sha256()]) {
      const cut = Math.floor(length / 3);
      digest.update(bytes.subarray(0, cut));
      digest.update(bytes.subarray(cut));
      assert.equal(digest.hex(), expected, String(length));
    }
  }
});
