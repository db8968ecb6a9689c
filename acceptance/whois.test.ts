import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { plainFetch } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** What can be seen of this area without asking a registry; scripts/whois-smoke.ts asks some. */
for (const name of targetNames) {
  describe(`whois on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let call: typeof fetch;
    before(async () => {
      target = await openTarget(name);
      call = await plainFetch(target, 'application');
    });
    after(() => target[Symbol.asyncDispose]());

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
