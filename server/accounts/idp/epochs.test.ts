import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Browser, password, signedUp } from '#testing/browser.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { totpOf } from '#testing/totp.ts';

/** Whatever a person was signed in by, or could be, ends with the epoch that it was made in. */

const redirectUri = 'http://127.0.0.1:53682/callback';
const next = 'lantern-brisk-otter';

for (const engine of engines) {
  describe(`the end of everything on ${engine}`, () => {
    let instance: Instance;
    let count = 0;
    before(async () => {
      instance = await startInstance(engine, { settings: { MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000' } });
    });
    after(() => instance[Symbol.asyncDispose]());

    const user = async (browser: Browser) => (await browser.call('GET', '/idp/session')).body.user;
    const form = async (path: string, fields: Record<string, string>) => {
      const body = new URLSearchParams({ client_id: 'mainstay-cli', ...fields });
      const response = await fetch(`${instance.url}/idp/oauth2/${path}`, { method: 'POST', body });
      return (await response.json()) as Record<string, string>;
    };
    const resetToken = async (id: string) => {
      const made = await instance.call('POST', `/admin/users/${id}/password-reset`, { as: 'user' });
      return made.body.url.split('#')[1] as string;
    };
    const reset = (token: string, newPassword = next) =>
      new Browser(instance.url).call('POST', '/idp/reset-password', {
        body: { token, newPassword, keepApiKeys: true },
      });

    /** A person with one of everything that lets somebody in, none of it used yet. */
    const begin = async () => {
      const email = `everything-${++count}@example.com`;
      const browser = await signedUp(instance.url, email);
      const other = new Browser(instance.url);
      await other.signIn(email, password);
      const { id } = await user(browser);
      const scope = 'openid offline_access platform:organizations:read';
      const approveCode = async () => {
        const verifier = randomBytes(32).toString('base64url');
        const request = new URLSearchParams({
          client_id: 'mainstay-cli',
          redirect_uri: redirectUri,
          response_type: 'code',
          scope,
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          code_challenge_method: 'S256',
        });
        const body = { request: `${request}`, approve: true };
        const { body: answer } = await browser.call('POST', '/idp/oauth2/consent', { body });
        const code = new URL(answer.redirectTo).searchParams.get('code') ?? '';
        const grant_type = 'authorization_code';
        return () => form('token', { grant_type, redirect_uri: redirectUri, code, code_verifier: verifier });
      };
      const granted = await (await approveCode())();
      const redeemCode = await approveCode();
      const device = await form('device_authorization', { scope });
      const decision = { userCode: device['user_code'], approve: true };
      assert.equal((await browser.call('POST', '/idp/oauth2/device', { body: decision })).status, 200);
      const links = [await resetToken(id), await resetToken(id)] as const;
      const { body: key } = await browser.call('POST', '/api-keys', { body: { name: 'kept' } });
      return {
        id,
        email,
        browser,
        other,
        granted,
        redeemCode,
        device: device['device_code'] ?? '',
        links,
        key,
      };
    };
    type Begun = Awaited<ReturnType<typeof begin>>;

    const assertOver = async ({ other, granted, redeemCode, device, key }: Begun) => {
      assert.equal(await user(other), null);
      assert.equal((await other.call('GET', '/organizations')).status, 401);
      const token = granted['access_token'] ?? '';
      assert.equal((await instance.call('GET', '/organizations', { as: { token } })).status, 401);
      const refresh_token = granted['refresh_token'] ?? '';
      const refreshed = await form('token', { grant_type: 'refresh_token', refresh_token });
      assert.equal(refreshed['error'], 'invalid_grant');
      assert.equal((await redeemCode())['error'], 'invalid_grant');
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
      assert.equal((await form('token', { grant_type, device_code: device }))['error'], 'access_denied');
      // A key is no sign-in: it stays until somebody ends it.
      await fetchToken(instance.url, key);
    };

    test('a password reset ends sessions, OAuth apps, codes, devices and the other links', async () => {
      const begun = await begin();
      assert.equal((await reset(begun.links[0])).status, 200);
      assert.equal(await user(begun.browser), null);
      await assertOver(begun);
      assert.equal((await reset(begun.links[1], 'another-brisk-lantern')).status, 400);
      assert.equal((await new Browser(instance.url).signIn(begun.email, next)).status, 200);
    });

    test('of two links that are used at once one chooses the password', async () => {
      const begun = await begin();
      const answers = await Promise.all([
        reset(begun.links[0], 'lantern-brisk-otter'),
        reset(begun.links[1], 'another-brisk-lantern'),
      ]);
      assert.deepEqual(answers.filter(({ status }) => status === 200).length, 1);
    });

    test('a changed password ends all of it, and the browser that changed it continues', async () => {
      const begun = await begin();
      const body = { currentPassword: password, newPassword: next };
      assert.equal((await begun.browser.call('POST', '/idp/change-password', { body })).status, 200);
      assert.equal((await user(begun.browser)).email, begun.email);
      await assertOver(begun);
      assert.equal((await reset(begun.links[0])).status, 400);
    });

    test('signing out everywhere ends all of it, and gives this browser another cookie', async () => {
      const begun = await begin();
      const stolen = new Browser(instance.url);
      for (const [name, value] of begun.browser.cookies) stolen.cookies.set(name, value);
      const { body, headers } = await begun.browser.call('POST', '/idp/sessions/end-others');
      assert.equal(body.ended, 1);
      assert.match(headers.getSetCookie().join(), /^mainstay\.session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly/);
      assert.equal((await user(begun.browser)).email, begun.email);
      assert.equal((await begun.browser.call('GET', '/organizations')).status, 200);
      // better-auth accepts the cookie too.
      const change = { currentPassword: password, newPassword: next };
      assert.equal(await user(stolen), null);
      await assertOver(begun);
      assert.equal((await reset(begun.links[0])).status, 400);
      assert.equal((await begun.browser.call('POST', '/idp/change-password', { body: change })).status, 200);
    });

    test('what was begun before a suspension is over when it is lifted', async () => {
      const begun = await begin();
      const suspend = (suspended: boolean) =>
        instance.call('PATCH', `/admin/users/${begun.id}`, { as: 'user', body: { suspended } });
      await suspend(true);
      await suspend(false);
      assert.equal(await user(begun.browser), null);
      await assertOver(begun);
      assert.equal((await reset(begun.links[0])).status, 400);
      assert.equal((await new Browser(instance.url).signIn(begun.email, password)).status, 200);
    });

    test('half a sign-in by the old password is not finished after the new one', async () => {
      const { id, email, browser } = await begin();
      const { body } = await browser.call('POST', '/idp/two-factor/enable', { body: { password } });
      const enabled = await browser.call('POST', '/idp/two-factor/verify-totp', {
        body: { code: totpOf(body.totpURI) },
      });
      assert.equal(enabled.status, 200, JSON.stringify(enabled.body));
      const half = new Browser(instance.url);
      assert.equal((await half.signIn(email, password)).body.twoFactorRedirect, true);
      assert.equal((await reset(await resetToken(id))).status, 200);
      const code = totpOf(body.totpURI, Date.now() + 30_000);
      const finished = await half.call('POST', '/idp/two-factor/verify-totp', { body: { code } });
      assert.equal(finished.status, 401);
      assert.equal(await user(half), null);
    });

    test('a password that was found right before a reset opens no session after it', async () => {
      const { id, email } = await begin();
      const { db } = instance.platform;
      const late = new Browser(instance.url);
      const signingIn = late.signIn(email, password);
      // Whenever the reset falls in between, the session must not outlive it.
      const token = await resetToken(id);
      const [entered] = await Promise.all([signingIn, reset(token)]);
      assert.ok(entered.status === 200 || entered.status === 401);
      assert.equal(await user(late), null);
      const { epoch } = await db
        .selectFrom('users')
        .select('epoch')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const { sweepPeople } = await import('./service.ts');
      await sweepPeople(db, Date.now(), { idleSeconds: 3600 });
      const rows = await db.selectFrom('sessions').select('epoch').where('user_id', '=', id).execute();
      assert.ok(rows.every((row) => row.epoch === epoch));
    });
  });
}
