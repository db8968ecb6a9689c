import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { Browser, password, signedUp } from '#testing/browser.ts';
import { TestClock } from '#testing/clock.ts';
import { engines, testHome } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { setRole } from '#testing/people.ts';

/** What the session of a browser can do: the account itself, and the API. */

const settings = { MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000' };

for (const engine of engines) {
  describe(`sessions and accounts on ${engine}`, () => {
    let instance: Instance;
    const clock = new TestClock();
    before(async () => {
      instance = await startInstance(engine, { settings, clock });
    });
    after(() => instance[Symbol.asyncDispose]());

    const user = async (browser: Browser) => (await browser.call('GET', '/idp/session')).body.user;
    const again = async (email: string) => {
      const browser = new Browser(instance.url);
      assert.equal((await browser.signIn(email, password)).status, 200);
      return browser;
    };

    test('sessions are listed with where they came from, and ended one by one or all but this', async () => {
      const here = await signedUp(instance.url, 'sessions@example.com');
      const phone = await again('sessions@example.com');
      const laptop = await again('sessions@example.com');
      const { body } = await here.call('GET', '/idp/sessions');
      assert.equal(body.total, 3);
      assert.equal(body.items.filter((session: { current: boolean }) => session.current).length, 1);
      assert.equal(body.items[0].address, '127.0.0.1');
      const { id } = (await phone.call('GET', '/idp/session')).body.session;
      assert.equal((await here.call('DELETE', `/idp/sessions/${id}`)).status, 204);
      assert.equal(await user(phone), null);
      assert.equal((await phone.call('GET', '/organizations')).status, 401);
      assert.equal((await here.call('POST', '/idp/sessions/end-others')).body.ended, 1);
      assert.equal(await user(laptop), null);
      assert.equal((await user(here)).email, 'sessions@example.com');
    });

    test('nobody ends the session of somebody else', async () => {
      const mine = await signedUp(instance.url, 'mine@example.com');
      const other = await signedUp(instance.url, 'theirs@example.com');
      const { id } = (await mine.call('GET', '/idp/session')).body.session;
      assert.equal((await other.call('DELETE', `/idp/sessions/${id}`)).status, 404);
      assert.equal((await user(mine)).email, 'mine@example.com');
    });

    test('signing out ends the session, not only the cookie', async () => {
      const browser = await signedUp(instance.url, 'out@example.com');
      const kept = new Browser(instance.url);
      for (const [name, value] of browser.cookies) kept.cookies.set(name, value);
      const { headers } = await browser.call('POST', '/idp/sign-out');
      assert.match(headers.getSetCookie().join(), /mainstay\.session=; Max-Age=0/);
      assert.equal(await user(kept), null);
    });

    test('another password ends the other sessions, and needs the old one', async () => {
      const browser = await signedUp(instance.url, 'newpass@example.com');
      const other = await again('newpass@example.com');
      const next = 'brisk-otter-lantern';
      const change = (currentPassword: string) =>
        browser.call('POST', '/idp/change-password', {
          body: { currentPassword, newPassword: next },
        });
      assert.equal((await change('wrong password')).status, 400);
      assert.equal((await change(password)).status, 200);
      assert.equal(await user(other), null);
      assert.equal((await user(browser)).email, 'newpass@example.com');
      assert.equal((await new Browser(instance.url).signIn('newpass@example.com', password)).status, 401);
    });

    test('a suspended person is out at once, and cannot sign in again', async () => {
      const browser = await signedUp(instance.url, 'suspended@example.com');
      const { id } = await user(browser);
      const patch = (suspended: boolean) =>
        instance.call('PATCH', `/admin/users/${id}`, { as: 'user', body: { suspended } });
      assert.equal((await patch(true)).status, 200);
      assert.equal((await browser.call('GET', '/organizations')).status, 401);
      const back = await new Browser(instance.url).signIn('suspended@example.com', password);
      assert.equal(back.body.code, 'ACCOUNT_SUSPENDED');
      assert.equal((await new Browser(instance.url).signIn('suspended@example.com', 'wrong')).status, 401);
      await patch(false);
      await again('suspended@example.com');
    });

    test('a picture is drawn again, shown to anybody who has its address, and removed', async () => {
      const browser = await signedUp(instance.url, 'picture@example.com');
      const image = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
      const put = (body: Uint8Array, headers: Record<string, string>) =>
        fetch(`${instance.url}/idp/profile/image`, {
          method: 'PUT',
          headers: { cookie: browser.cookieHeader(), 'x-mainstay-session': '1', ...headers },
          body,
        });
      const { imageUrl } = (await (await put(image, { 'content-type': 'image/png' })).json()) as {
        imageUrl: string;
      };
      const shown = await fetch(`${instance.url}${new URL(imageUrl).pathname}`);
      assert.equal(shown.headers.get('content-type'), 'image/webp');
      const { width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
      assert.deepEqual({ width, height }, { width: 256, height: 256 });
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
      assert.equal((await put(svg, { 'content-type': 'image/svg+xml' })).status, 400);
      assert.equal((await put(image, { 'content-type': 'text/html' })).status, 415);
      const nobody = await put(image, { 'content-type': 'image/png', cookie: 'none=1' });
      assert.equal(nobody.status, 401);
      assert.equal((await browser.call('DELETE', '/idp/profile/image')).body.imageUrl, null);
      assert.equal((await fetch(`${instance.url}${new URL(imageUrl).pathname}`)).status, 404);
    });

    test('the account’s history tells of its own events only, and filters like the audit log', async () => {
      const browser = await signedUp(instance.url, 'history@example.com');
      await browser.call('PATCH', '/idp/profile', { body: { name: 'Another Name' } });
      const { body } = await browser.call('GET', '/idp/audit-log');
      const actions = body.items.map((record: { action: string }) => record.action);
      assert.deepEqual(actions, ['user.profile_updated', 'session.created', 'user.created']);
      const filtered = await browser.call('GET', '/idp/audit-log?action=session.created');
      assert.equal(filtered.body.total, 1);
      const { id } = await user(browser);
      const whole = await instance.call('GET', `/admin/audit-log?actorId=${id}`, { as: 'user' });
      assert.equal(whole.body.total, 3);
      assert.equal((await browser.call('GET', '/admin/audit-log')).status, 403);
    });

    test('with a session alone a person makes an organization, a key for it, and the key a token', async () => {
      const browser = await signedUp(instance.url, 'maker@example.com');
      const { body: organization } = await browser.call('POST', '/organizations', {
        body: { name: 'Made here' },
      });
      const body = { name: 'First', organizationId: organization.id };
      const { body: key } = await browser.call('POST', '/api-keys', { body });
      const token = await fetchToken(instance.url, key);
      const call = () => instance.call('GET', '/organizations', { as: { token } });
      assert.equal((await call()).status, 200);
      assert.equal((await browser.call('DELETE', `/api-keys/${key.id}`)).status, 204);
      assert.equal((await call()).status, 401);
      const { body: log } = await browser.call(
        'GET',
        `/organizations/${organization.id}/audit-log?action=api_key.created`,
      );
      assert.equal(log.items[0].actor.id, (await user(browser)).id);
    });

    test('roles are kept by the API: members read, admins change, owners manage keys', async () => {
      const browser = await signedUp(instance.url, 'role@example.com');
      const person = await user(browser);
      const { id } = instance.bootstrapped.organization;
      const status = async (method: string, path: string, body?: object) =>
        (await browser.call(method, path, body ? { body } : {})).status;
      const own = `/organizations/${id}`;
      const key = { name: 'K', organizationId: id };
      assert.equal(await status('GET', own), 404);
      await setRole(instance, person, 'MEMBER');
      assert.equal(await status('GET', own), 200);
      assert.equal(await status('POST', `${own}/env-vars/import`, { content: 'A=1' }), 403);
      assert.equal(await status('GET', `${own}/audit-log`), 403);
      await setRole(instance, person, 'ADMIN');
      assert.equal(await status('POST', `${own}/env-vars/import`, { content: 'A=1' }), 200);
      assert.equal(await status('POST', '/api-keys', key), 403);
      assert.equal(await status('DELETE', own), 403);
      await setRole(instance, person, 'OWNER');
      assert.equal(await status('POST', '/api-keys', key), 200);
    });

    test('an account is deleted with its password, its keys and sessions end, its address is free', async () => {
      const browser = await signedUp(instance.url, 'leaving@example.com');
      const { body: key } = await browser.call('POST', '/api-keys', { body: { name: 'Mine' } });
      const token = await fetchToken(instance.url, key);
      const drop = (body: object) => browser.call('POST', '/idp/delete-account', { body });
      assert.equal((await drop({})).status, 400);
      assert.equal((await drop({ password: 'wrong' })).body.code, 'INVALID_PASSWORD');
      assert.equal((await drop({ password })).status, 204);
      assert.equal(await user(browser), null);
      assert.equal((await instance.call('GET', '/organizations', { as: { token } })).status, 401);
      assert.equal((await new Browser(instance.url).signIn('leaving@example.com', password)).status, 401);
      await signedUp(instance.url, 'leaving@example.com');
    });

    test('the only owner of an organization, or operator of the instance, hands it over first', async () => {
      const browser = await signedUp(instance.url, 'sole@example.com');
      const { body: organization } = await browser.call('POST', '/organizations', { body: { name: 'Sole' } });
      const refused = await browser.call('POST', '/idp/delete-account', { body: { password } });
      assert.equal(refused.status, 409);
      assert.equal(refused.body.code, 'LAST_OWNER');
      assert.deepEqual(refused.body.organizations, ['Sole']);
      await browser.call('DELETE', `/organizations/${organization.id}`);
      assert.equal((await browser.call('POST', '/idp/delete-account', { body: { password } })).status, 204);

      const operator = new Browser(instance.url);
      await operator.signIn('owner@example.com', 'correct horse battery');
      const last = await operator.call('POST', '/idp/delete-account', {
        body: { password: 'correct horse battery' },
      });
      assert.equal(last.body.code, 'LAST_OPERATOR');
    });

    test('a reset link from an operator works once and ends the sessions', async () => {
      const browser = await signedUp(instance.url, 'locked@example.com');
      const { id } = await user(browser);
      const { body } = await instance.call('POST', `/admin/users/${id}/password-reset`, { as: 'user' });
      const token = body.url.split('#')[1];
      const next = 'lantern-brisk-otter';
      const reset = (newPassword: string) =>
        new Browser(instance.url).call('POST', '/idp/reset-password', { body: { token, newPassword } });
      assert.equal((await reset('password1')).body.code, 'PASSWORD_TOO_WEAK');
      assert.equal((await reset(next)).status, 200);
      assert.equal((await reset('another-brisk-lantern')).status, 400);
      assert.equal(await user(browser), null);
      assert.equal((await new Browser(instance.url).signIn('locked@example.com', next)).status, 200);
    });

    test('a session ends when it is not used, and in the end in any case', async () => {
      const idle = await signedUp(instance.url, 'idle@example.com');
      clock.advance(23 * 3600);
      assert.equal((await user(idle)).email, 'idle@example.com');
      clock.advance(25 * 3600);
      assert.equal(await user(idle), null);
      const busy = await again('idle@example.com');
      for (let day = 0; day < 13; day++) {
        clock.advance(23 * 3600);
        await busy.call('GET', '/idp/session');
      }
      clock.advance(14 * 86_400);
      assert.equal(await user(busy), null);
    });
  });

  describe(`sessions on two nodes on ${engine}`, () => {
    test('a session of one node is known on the other, and its end within a second', async () => {
      await using home = await testHome(engine);
      await using one = await startInstance(engine, { home });
      await using two = await startInstance(engine, { home });
      const browser = await signedUp(one.url, 'nodes@example.com');
      const there = new Browser(two.url);
      for (const [name, value] of browser.cookies) there.cookies.set(name, value);
      assert.equal((await there.call('GET', '/organizations')).status, 200);
      await browser.call('POST', '/idp/sign-out');
      const deadline = Date.now() + 1000;
      let status = 200;
      while (status === 200 && Date.now() < deadline)
        status = (await there.call('GET', '/organizations')).status;
      assert.equal(status, 401);
    });
  });
}
