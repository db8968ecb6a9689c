import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskOf } from './mask.ts';

const secret = 'p&ss "wörd"/+1';

test('a secret is masked in every form that programs print it in', () => {
  const mask = maskOf([secret, 'hunter2hunter2']);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const printed = {
    plain: secret,
    json: JSON.stringify({ password: secret }),
    'JSON in JSON': JSON.stringify(JSON.stringify({ password: secret })),
    url: `postgres://u:${encodeURIComponent(secret)}@host/db`,
    'url in lower case': encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase()),
    form: new URLSearchParams({ password: secret }).toString(),
    base64: base64(secret),
    base64url: Buffer.from(secret).toString('base64url'),
    hex: Buffer.from(secret).toString('hex'),
  };
  for (const [form, text] of Object.entries(printed)) {
    const seen = mask(`before ${text} after`);
    assert.ok(seen.includes('***'), `${form}: ${seen}`);
    assert.ok(!seen.includes(text), `${form}: ${seen}`);
    assert.match(seen, /^before .* after$/);
  }
  // As `user:secret` in a header: whatever the name's length, no piece of the secret can be read back.
  for (const name of ['u', 'us', 'use', 'user']) {
    const seen = mask(`Basic ${base64(`${name}:hunter2hunter2`)}`);
    assert.ok(seen.includes('***'), seen);
    assert.ok(!Buffer.from(seen.slice(6), 'base64').toString().includes('hunter2'), seen);
  }
});

test('each line of a key is masked, its frame is not', () => {
  const mask = maskOf(['-----BEGIN KEY-----\nMIIabcdefgh\nIJKLmnopqrs\n-----END KEY-----']);
  assert.equal(mask('-----BEGIN KEY-----'), '-----BEGIN KEY-----');
  assert.equal(mask('  IJKLmnopqrs'), '  ***');
});

test('a longer secret is masked before one that it begins with, and short values are left', () => {
  const mask = maskOf(['abcdef', 'abcdefghijkl', 'true']);
  assert.equal(mask('abcdefghijkl abcdef true'), '*** *** true');
});
