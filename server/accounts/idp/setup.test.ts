import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Browser, password } from '#testing/browser.ts';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { setupLink } from './people/setup.ts';

/** The link of the first start. */

for (const engine of engines) {
  describe(`the link of the first start on ${engine}`, () => {
    /** As a fresh instance is: nobody runs it. */
    const unmanned = async (clock: TestClock) => {
      const instance = await startInstance(engine, { clock });
      await instance.platform.db.write(async (tx) => {
        await tx.updateTable('users').set({ is_operator: 0 }).execute();
      });
      return instance;
    };
    const linkOf = async ({ platform }: Instance) => {
      const link = await setupLink(platform, { baseUrl: 'http://mainstay.test', lifetimeSeconds: 3600 });
      return link === null ? null : (new URL(link).searchParams.get('token') ?? '');
    };
    const person = (email: string) => ({ email, password, name: 'First' });

    test('makes one operator, signs them in, and is void afterwards', async () => {
      await using instance = await unmanned(new TestClock());
      const token = await linkOf(instance);
      const browser = new Browser(instance.url);
      assert.equal((await browser.call('GET', '/idp/options')).body.setup, true);
      assert.deepEqual((await browser.call('GET', `/idp/setup?token=${token}`)).body, { usable: true });
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((name) =>
          new Browser(instance.url).call('POST', '/idp/setup', {
            body: { token, ...person(`${name}@example.com`) },
          }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403]);
      const winner = answers.find(({ status }) => status === 200);
      const [cookie = ''] = winner?.headers.getSetCookie() ?? [];
      const { body } = await browser.call('GET', '/idp/session', {
        headers: { cookie: cookie.split(';')[0] ?? '' },
      });
      assert.equal(body.user.operator, true);
      assert.ok(body.scopes.includes('platform:admin:write'));
      assert.deepEqual((await browser.call('GET', `/idp/setup?token=${token}`)).body, { usable: false });
      assert.equal(await linkOf(instance), null);
      assert.equal((await browser.call('GET', '/idp/options')).body.setup, false);
    });

    test('is refused when it has expired or was made up', async () => {
      const clock = new TestClock();
      await using instance = await unmanned(clock);
      const token = (await linkOf(instance)) ?? '';
      const browser = new Browser(instance.url);
      const later = `${(Date.now() + 9_000_000).toString(36)}.${token.split('.')[1]}`;
      for (const bad of ['', 'x.y', `${token}x`, later]) {
        const { status, body } = await browser.call('POST', '/idp/setup', {
          body: { token: bad, ...person('bad@example.com') },
        });
        assert.equal(status, 403, bad);
        assert.equal(body.code, 'SETUP_LINK_VOID');
      }
      clock.advance(3601);
      const late = await browser.call('POST', '/idp/setup', {
        body: { token, ...person('late@example.com') },
      });
      assert.equal(late.status, 403);
    });
  });
}
