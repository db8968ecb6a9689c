import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Authenticator } from '#testing/authenticator.ts';
import { Browser, password, signedUp } from '#testing/browser.ts';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { totpOf } from '#testing/totp.ts';

/** Authenticator apps, recovery codes and passkeys. */

const origin = 'http://mainstay.test';
const settings = { MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000' };

for (const engine of engines) {
  describe(`second factors and passkeys on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    before(async () => {
      instance = await startInstance(engine, { settings, clock });
    });
    after(() => instance[Symbol.asyncDispose]());

    const user = async (browser: Browser) => (await browser.call('GET', '/idp/session')).body.user;

    /** Turns the authenticator app on. */
    const enable = async (browser: Browser) => {
      const begun = await browser.call('POST', '/idp/two-factor/enable', { body: { password } });
      assert.equal(begun.status, 200, JSON.stringify(begun.body));
      const { totpURI, backupCodes } = begun.body as { totpURI: string; backupCodes: string[] };
      assert.equal((await user(browser)).twoFactorEnabled, false);
      const code = totpOf(totpURI);
      const confirmed = await browser.call('POST', '/idp/two-factor/verify-totp', { body: { code } });
      assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
      assert.equal((await user(browser)).twoFactorEnabled, true);
      return { totpURI, backupCodes };
    };

    test('with an authenticator app the password alone opens nothing', async () => {
      const { totpURI } = await enable(await signedUp(instance.url, 'totp@example.com'));
      const browser = new Browser(instance.url);
      const half = await browser.signIn('totp@example.com', password);
      assert.equal(half.body.twoFactorRedirect, true);
      assert.equal(await user(browser), null);
      assert.equal((await browser.call('GET', '/organizations')).status, 401);
      const wrong = await browser.call('POST', '/idp/two-factor/verify-totp', { body: { code: '000000' } });
      assert.equal(wrong.status, 401);
      const code = totpOf(totpURI, Date.now() + 30_000);
      assert.equal(
        (await browser.call('POST', '/idp/two-factor/verify-totp', { body: { code } })).status,
        200,
      );
      assert.equal((await user(browser)).email, 'totp@example.com');
      const stranger = new Browser(instance.url);
      const unasked = await stranger.call('POST', '/idp/two-factor/verify-totp', { body: { code } });
      assert.equal(unasked.status, 401);
    });

    test('a code that was used is refused', async () => {
      const { totpURI } = await enable(await signedUp(instance.url, 'replayed@example.com'));
      const code = totpOf(totpURI, Date.now() + 30_000);
      const enter = async () => {
        const browser = new Browser(instance.url);
        await browser.signIn('replayed@example.com', password);
        const { status } = await browser.call('POST', '/idp/two-factor/verify-totp', { body: { code } });
        return { status, user: await user(browser) };
      };
      assert.equal((await enter()).status, 200);
      assert.deepEqual(await enter(), { status: 401, user: null });
    });

    test('the secret and the recovery codes are sealed in the database', async () => {
      const { totpURI, backupCodes } = await enable(await signedUp(instance.url, 'sealed@example.com'));
      const rows = await instance.platform.db.selectFrom('two_factors').selectAll().execute();
      const stored = rows.map(({ secret, recovery_codes }) =>
        Buffer.concat([secret, recovery_codes]).toString('latin1'),
      );
      for (const plain of [new URL(totpURI).searchParams.get('secret') ?? 'none', ...backupCodes])
        assert.equal(stored.join().includes(plain), false);
    });

    test('a recovery code works once, and new ones void the old', async () => {
      const first = await signedUp(instance.url, 'recovery@example.com');
      const { backupCodes } = await enable(first);
      const [code = '', other = ''] = backupCodes;
      const enter = async (with_: string) => {
        const browser = new Browser(instance.url);
        await browser.signIn('recovery@example.com', password);
        const body = { code: with_ };
        return (await browser.call('POST', '/idp/two-factor/verify-backup-code', { body })).status;
      };
      assert.equal(await enter(code), 200);
      assert.equal(await enter(code), 401);
      const renewed = await first.call('POST', '/idp/two-factor/generate-backup-codes', {
        body: { password },
      });
      assert.equal(renewed.body.backupCodes.length, backupCodes.length);
      assert.equal(await enter(other), 401);
      assert.equal(await enter(renewed.body.backupCodes[0]), 200);
    });

    test('guessing at codes is refused before it can succeed', async () => {
      await enable(await signedUp(instance.url, 'guessed@example.com'));
      const browser = new Browser(instance.url);
      await browser.signIn('guessed@example.com', password);
      const statuses = new Set<number>();
      for (let guess = 0; guess < 12; guess++) {
        const body = { code: String(guess).padStart(6, '0') };
        statuses.add((await browser.call('POST', '/idp/two-factor/verify-totp', { body })).status);
      }
      assert.ok(!statuses.has(200));
      assert.ok(
        [...statuses].some((status) => status === 429 || status === 403 || status === 400),
        [...statuses].join(),
      );
    });

    test('turning it off needs the password', async () => {
      const browser = await signedUp(instance.url, 'off@example.com');
      await enable(browser);
      const wrong = await browser.call('POST', '/idp/two-factor/disable', { body: { password: 'wrong' } });
      assert.equal(wrong.status, 400);
      assert.equal((await browser.call('POST', '/idp/two-factor/disable', { body: {} })).status, 400);
      assert.equal(
        (await browser.call('POST', '/idp/two-factor/disable', { body: { password } })).status,
        200,
      );
      assert.equal((await user(browser)).twoFactorEnabled, false);
      assert.equal(
        (await new Browser(instance.url).signIn('off@example.com', password)).body.twoFactorRedirect,
        undefined,
      );
    });

    const register = async (browser: Browser, authenticator: Authenticator, name = 'Laptop') => {
      const options = await browser.call('GET', '/idp/passkey/generate-register-options');
      assert.equal(options.status, 200, JSON.stringify(options.body));
      const body = { response: authenticator.create(options.body), name };
      return browser.call('POST', '/idp/passkey/verify-registration', { body });
    };
    const enter = async (browser: Browser, authenticator: Authenticator) => {
      const options = await browser.call('GET', '/idp/passkey/generate-authenticate-options');
      const body = { response: authenticator.get(options.body) };
      return browser.call('POST', '/idp/passkey/verify-authentication', { body });
    };

    test('a passkey signs in by itself, is listed, renamed and deleted', async () => {
      const browser = await signedUp(instance.url, 'passkey@example.com');
      const authenticator = new Authenticator({ origin });
      const added = await register(browser, authenticator);
      assert.equal(added.status, 200, JSON.stringify(added.body));
      const other = new Browser(instance.url);
      assert.equal((await enter(other, authenticator)).status, 200);
      assert.equal((await user(other)).email, 'passkey@example.com');
      const { body: list } = await browser.call('GET', '/idp/passkey/list-user-passkeys');
      assert.equal(list.length, 1);
      assert.equal(list[0].name, 'Laptop');
      assert.equal(JSON.stringify(list).includes('publicKey'), false);
      const [{ id }] = list;
      const renamed = await browser.call('POST', '/idp/passkey/update-passkey', {
        body: { id, name: 'Phone' },
      });
      assert.equal(renamed.body.passkey.name, 'Phone');
      assert.equal((await browser.call('POST', '/idp/passkey/delete-passkey', { body: { id } })).status, 200);
      assert.equal((await enter(new Browser(instance.url), authenticator)).status, 401);
    });

    test('an answer to another challenge, of another site or without a PIN is no sign-in', async () => {
      const browser = await signedUp(instance.url, 'forged@example.com');
      const authenticator = new Authenticator({ origin });
      await register(browser, authenticator);
      const one = new Browser(instance.url);
      const options = await one.call('GET', '/idp/passkey/generate-authenticate-options');
      const stale = authenticator.get(options.body);
      const other = new Browser(instance.url);
      await other.call('GET', '/idp/passkey/generate-authenticate-options');
      const replayed = await other.call('POST', '/idp/passkey/verify-authentication', {
        body: { response: stale },
      });
      assert.ok([400, 401].includes(replayed.status), String(replayed.status));
      assert.equal(await user(other), null);

      const elsewhere = new Authenticator({ origin: 'https://evil.test' });
      assert.ok((await register(browser, elsewhere)).status >= 400);
      const careless = new Authenticator({ origin, verifiesUser: false });
      assert.ok((await register(browser, careless)).status >= 400);
    });

    test('one person’s passkey cannot be renamed or deleted by another', async () => {
      const owner = await signedUp(instance.url, 'owner-of-key@example.com');
      await register(owner, new Authenticator({ origin }));
      const [{ id }] = (await owner.call('GET', '/idp/passkey/list-user-passkeys')).body;
      const other = await signedUp(instance.url, 'other@example.com');
      for (const [path, body] of [
        ['/idp/passkey/update-passkey', { id, name: 'Mine' }],
        ['/idp/passkey/delete-passkey', { id }],
      ] as const)
        assert.ok([401, 403, 404].includes((await other.call('POST', path, { body })).status), path);
      const [kept] = (await owner.call('GET', '/idp/passkey/list-user-passkeys')).body;
      assert.equal(kept.name, 'Laptop');
    });

    test('a session that is not fresh adds no passkey, though it may do all else', async () => {
      const late = new TestClock();
      await using slow = await startInstance(engine, {
        settings: { MAINSTAY_SESSION_FRESH: '60s' },
        clock: late,
      });
      const browser = await signedUp(slow.url, 'stale@example.com');
      await slow.platform.db.write(async (tx) => {
        await tx
          .updateTable('sessions')
          .set((eb) => ({ created_at: eb('created_at', '-', 120_000) }))
          .execute();
      });
      const { status } = await browser.call('GET', '/idp/passkey/generate-register-options');
      assert.equal(status, 403);
      const moved = await browser.call('POST', '/idp/change-email', { body: { newEmail: 'x@example.com' } });
      assert.equal(moved.body.code, 'SESSION_NOT_FRESH');
      assert.equal((await browser.call('GET', '/organizations')).status, 200);
      assert.equal((await browser.call('GET', '/idp/session')).body.session.fresh, false);
      // Without a password a fresh session is the only proof there is.
      await slow.platform.db.write(async (tx) => {
        await tx.deleteFrom('accounts').execute();
      });
      for (const path of ['/idp/two-factor/enable', '/idp/two-factor/disable', '/idp/delete-account']) {
        const refused = await browser.call('POST', path, { body: {} });
        assert.equal(refused.body.code, 'SESSION_NOT_FRESH', path);
      }
    });
  });
}
