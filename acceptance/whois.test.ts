import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTarget, type Target, targetNames } from './instance.ts';

/** What can be seen of this area without asking a registry; scripts/whois-smoke.ts asks some. */
for (const name of targetNames) {
  describe(`whois on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let token = '';
    before(async () => {
      target = await openTarget(name);
      const { id, secret } = target.keys.application;
      const response = await fetch(`${target.url}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      token = ((await response.json()) as { access_token: string }).access_token;
    });
    after(() => target[Symbol.asyncDispose]());

    const call = (path: string) =>
      fetch(`${target.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

    test('what is no domain is refused with a sentence', async () => {
      for (const path of [
        '/whois/domain',
        '/whois/domain?domain=co.uk',
        '/whois/domain?domain=192.0.2.1',
        '/whois/domain?domain=https%3A%2F%2Fexample.com',
        '/whois/domain?domain=example.com&raw=maybe',
        '/whois/availability',
        '/whois/availability?domain=not%20one',
      ]) {
        const response = await call(path);
        assert.equal(response.status, 400, path);
        assert.deepEqual(Object.keys((await response.json()) as object), ['error']);
      }
    });

    test('a token is needed', async () => {
      assert.equal((await fetch(`${target.url}/whois/domain?domain=example.com`)).status, 401);
    });
  });
}
