import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerSanitiser } from '#core/logs/headers.ts';

test('the same text is masked by the name that it stands under, however often it came', () => {
  const sanitise = headerSanitiser('truncated');
  const headers = {
    authorization: 'hunter-two',
    'x-note': 'hunter-two',
    'x-forwarded-for': '203.0.113.77, 2001:db8:1:2::3',
    location: 'https://user:pass@example.com/a?token=abc&page=2',
  };
  const expected = {
    authorization: '[redacted]',
    'x-note': 'hunter-two',
    'x-forwarded-for': '203.0.113.0, 2001:db8:1::',
    location: 'https://[redacted]@example.com/a?token=[redacted]&page=2',
  };
  for (let round = 0; round < 3; round++) assert.deepEqual(JSON.parse(sanitise(headers).json), expected);
});

test('more names and values than are remembered are sanitised all the same', () => {
  const sanitise = headerSanitiser('full');
  for (let number = 0; number < 1000; number++) {
    const headers = {
      etag: `"${number}"`,
      [`x-name-${number}`]: 'Bearer 0123456789',
      'x-api-key': `${number}`,
    };
    assert.deepEqual(JSON.parse(sanitise(headers).json), {
      etag: `"${number}"`,
      [`x-name-${number}`]: '[redacted]',
      'x-api-key': '[redacted]',
    });
  }
});

test('headers beyond 64 and values beyond 2048 characters are left out, and that is said', () => {
  const sanitise = headerSanitiser('full');
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`x-${at}`, 'a']));
  const cutNames = sanitise(many);
  assert.equal(Object.keys(JSON.parse(cutNames.json)).length, 64);
  assert.equal(cutNames.isCut, true);
  const long = sanitise({ 'x-long': 'a'.repeat(3000), 'x-many': ['a', 'b'], 'x-none': undefined });
  assert.deepEqual(JSON.parse(long.json), { 'x-long': `${'a'.repeat(2047)}…`, 'x-many': 'a, b' });
  assert.equal(long.isCut, true);
});
