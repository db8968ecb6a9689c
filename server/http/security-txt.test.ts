import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInstance } from '#testing/instance.ts';

test('the security contact of the operator is published as RFC 9116 says', async () => {
  await using instance = await startInstance('sqlite', {
    settings: { MAINSTAY_SECURITY_CONTACT: 'mailto:security@example.com' },
  });
  const { status, headers, body } = await instance.call('GET', '/.well-known/security.txt');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(body, /^Contact: mailto:security@example\.com$/m);
  assert.match(body, /^Canonical: http:\/\/mainstay\.test\/\.well-known\/security\.txt$/m);
  const [, expires = ''] = /^Expires: (.+)$/m.exec(body) ?? [];
  const days = (Date.parse(expires) - instance.platform.clock.now()) / 86_400_000;
  assert.ok(days > 30 && days < 365, expires);
});

test('without a security contact there is no such page', async () => {
  await using instance = await startInstance('sqlite');
  const { status, body } = await instance.call('GET', '/.well-known/security.txt');
  assert.equal(status, 404);
  assert.match(body.error, /no security contact/);
});
