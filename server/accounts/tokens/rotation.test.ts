import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { TestClock } from '#testing/clock.ts';
import { engines, testHome } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { keyTimes, turnKeys } from './service.ts';

const kidOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
const publishedKids = async (instance: Instance) =>
  (await instance.call('GET', '/.well-known/jwks.json')).body.keys.map(
    (key: { kid: string }) => key.kid,
  ) as string[];

/** Nodes hear of new keys within a second, long before the keys sign; only this clock is faster. */
async function soon<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const value = await ask();
    if (isRight(value)) return value;
    assert.ok(Date.now() < deadline, 'nothing changed within ten times the second that is promised');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

for (const engine of engines) {
  describe(`signing keys on ${engine}`, () => {
    test('the next key is published before it signs, and the last until its tokens have expired', async () => {
      const clock = new TestClock();
      await using instance = await startInstance(engine, {
        clock,
        settings: { MAINSTAY_SIGNING_KEY_LEAD: '10m' },
      });
      const { db, vault, config } = instance.platform;
      const turn = (demanded = false) =>
        turnKeys({ db, vault, clock, times: keyTimes(config) }, { demanded });
      const issue = () => fetchToken(instance.url, instance.bootstrapped.keys.organization);
      const use = async (token: string) =>
        (await instance.call('GET', '/api-keys', { as: { token } })).status;

      const before = await publishedKids(instance);
      assert.equal(before.length, 2);
      const first = await issue();
      const signsFrom = (await turn(true)) ?? 0;
      // The waiting key was published this moment, so its lead has to pass first.
      assert.ok(signsFrom - clock.now() > 590_000);
      assert.equal(kidOf(await issue()), kidOf(first));
      clock.advance(601);
      const second = await soon(issue, (token) => kidOf(token) !== kidOf(first));
      assert.ok(before.includes(kidOf(second)), 'published all along');
      assert.equal(await use(second), 200);
      assert.ok((await publishedKids(instance)).includes(kidOf(first)), 'the old one is still there');
      clock.advance(4000);
      await turn();
      const after = await soon(
        () => publishedKids(instance),
        (kids) => !kids.includes(kidOf(first)),
      );
      assert.equal(after.length, 2);
    });

    test('keys rotate on schedule', async () => {
      const clock = new TestClock();
      await using instance = await startInstance(engine, {
        clock,
        settings: { MAINSTAY_SIGNING_KEY_ROTATION: '30d' },
      });
      const { db, vault, config } = instance.platform;
      const turn = () => turnKeys({ db, vault, clock, times: keyTimes(config) });
      const issue = () => fetchToken(instance.url, instance.bootstrapped.keys.organization);
      const first = kidOf(await issue());
      clock.advance(29 * 86_400);
      assert.equal(await turn(), undefined);
      clock.advance(86_401);
      assert.ok(await turn());
      clock.advance(10);
      await soon(issue, (token) => kidOf(token) !== first);
    });

    test('ten nodes that turn the keys at once turn them once', async () => {
      const clock = new TestClock();
      await using instance = await startInstance(engine, { clock });
      const { db, vault, config } = instance.platform;
      clock.advance(31 * 86_400);
      const turns = Array.from({ length: 10 }, () => turnKeys({ db, vault, clock, times: keyTimes(config) }));
      assert.equal((await Promise.all(turns)).filter((signsFrom) => signsFrom !== undefined).length, 1);
    });

    test('no request fails while keys rotate under load, for a client with a remote key set', async () => {
      await using home = await testHome(engine);
      const settings = { MAINSTAY_SIGNING_KEY_LEAD: '0s' };
      await using one = await startInstance(engine, { home, settings });
      await using two = await startInstance(engine, { home, settings });
      const { db, vault, config, clock } = one.platform;
      const remote = createRemoteJWKSet(new URL(`${two.url}/.well-known/jwks.json`));
      const kids = new Set<string>();
      let isOver = false;
      const counts = [0, 0];
      const load = async (issuer: Instance, other: Instance, at: number) => {
        for (; !isOver || (counts[at] ?? 0) <= 20; counts[at] = (counts[at] ?? 0) + 1) {
          const token = await fetchToken(issuer.url, issuer.bootstrapped.keys.organization);
          kids.add(kidOf(token));
          const { payload } = await jwtVerify(token, remote, {
            typ: 'at+jwt',
            issuer: config.baseUrl,
            audience: config.baseUrl,
          });
          assert.equal(payload['actor_type'], 'organization');
          assert.equal((await other.call('GET', '/api-keys', { as: { token } })).status, 200);
        }
      };
      const loads = Promise.all([load(one, two, 0), load(two, one, 1)]);
      const signsFrom =
        (await turnKeys({ db, vault, clock, times: keyTimes(config) }, { demanded: true })) ?? 0;
      while (clock.now() < signsFrom + 500) await new Promise((resolve) => setTimeout(resolve, 50));
      isOver = true;
      await loads;
      assert.equal(kids.size, 2);
    });
  });
}
