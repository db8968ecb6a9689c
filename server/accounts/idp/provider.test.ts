import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Browser, password, signedUp } from '#testing/browser.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { type OpenIdProvider, startOpenIdProvider } from '#testing/openid-provider.ts';

/** Signing in at somebody else's OpenID Connect provider. */

for (const engine of engines) {
  describe(`an outside provider on ${engine}`, () => {
    let instance: Instance;
    let provider: OpenIdProvider;
    const settingsOf = ({ issuer }: OpenIdProvider) => ({
      MAINSTAY_OIDC_ISSUER: issuer,
      MAINSTAY_OIDC_CLIENT_ID: 'mainstay',
      MAINSTAY_OIDC_CLIENT_SECRET: 'shared',
      MAINSTAY_OIDC_NAME: 'Elsewhere',
    });
    before(async () => {
      provider = await startOpenIdProvider('mainstay');
      instance = await startInstance(engine, { settings: settingsOf(provider) });
    });
    after(async () => {
      await instance[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    });

    const begin = async (browser: Browser, path = '/idp/sign-in/provider') => {
      const body = { callbackURL: '/organizations', errorCallbackURL: '/sign-in' };
      const { status, body: answer } = await browser.call('POST', path, { body });
      assert.equal(status, 200, JSON.stringify(answer));
      return answer.url as string;
    };
    /** Agrees at the provider and opens the address that it sends the browser to. */
    const finish = async (browser: Browser, url: string) => {
      const back = provider.agree(url);
      const { status, headers } = await browser.open(`${instance.url}${back.pathname}${back.search}`);
      assert.equal(status, 302);
      return new URL(headers.get('location') ?? '');
    };
    const user = async (browser: Browser) => (await browser.call('GET', '/idp/session')).body.user;

    test('brings a person who was not known, with PKCE and a state of this browser', async () => {
      const browser = new Browser(instance.url);
      assert.equal((await browser.call('GET', '/idp/options')).body.provider.name, 'Elsewhere');
      const url = await begin(browser);
      const { searchParams } = new URL(url);
      assert.equal(searchParams.get('code_challenge_method'), 'S256');
      assert.equal(searchParams.get('redirect_uri'), 'http://mainstay.test/idp/callback/oidc');
      assert.equal((await finish(browser, url)).href, 'http://mainstay.test/organizations');
      const person = await user(browser);
      assert.equal(person.email, 'remote@example.com');
      assert.equal(person.hasPassword, false);
      assert.equal(person.hasProvider, true);
    });

    test('an answer that another browser began is refused: nobody is signed in to an attacker’s account', async () => {
      const attacker = new Browser(instance.url);
      const url = await begin(attacker);
      const victim = new Browser(instance.url);
      const { pathname, searchParams } = await finish(victim, url);
      assert.equal(pathname, '/sign-in');
      assert.ok(searchParams.get('error'));
      assert.equal(await user(victim), null);
    });

    test('an address that the provider has not confirmed takes over nobody’s account', async () => {
      await signedUp(instance.url, 'local@example.com');
      provider.person = {
        sub: 'remote-2',
        email: 'local@example.com',
        email_verified: false,
        name: 'Impostor',
      };
      const browser = new Browser(instance.url);
      const { searchParams } = await finish(browser, await begin(browser));
      assert.ok(searchParams.get('error'));
      assert.equal(await user(browser), null);
      provider.person = { ...provider.person, email_verified: true };
      const again = new Browser(instance.url);
      await finish(again, await begin(again));
      // Our own address was never confirmed either: whoever signed up with it may not be its owner.
      assert.equal(await user(again), null);
    });

    test('is linked and unlinked by who is signed in, never as the last way in', async () => {
      const browser = await signedUp(instance.url, 'linker@example.com');
      provider.person = {
        sub: 'remote-3',
        email: 'linker@example.com',
        email_verified: true,
        name: 'Linker',
      };
      await finish(browser, await begin(browser, '/idp/link-provider'));
      assert.equal((await user(browser)).hasProvider, true);
      const other = new Browser(instance.url);
      await finish(other, await begin(other));
      assert.equal((await user(other)).email, 'linker@example.com');
      assert.equal((await browser.call('POST', '/idp/unlink-provider')).status, 200);
      assert.equal((await user(browser)).hasProvider, false);

      provider.person = { sub: 'remote-4', email: 'only@example.com', email_verified: true, name: 'Only' };
      const only = new Browser(instance.url);
      await finish(only, await begin(only));
      assert.equal((await only.call('POST', '/idp/unlink-provider')).status, 400);
    });

    test('is not linked by what began before everything of the account ended', async () => {
      const browser = await signedUp(instance.url, 'hijacked@example.com');
      provider.person = {
        sub: 'remote-6',
        email: 'hijacked@example.com',
        email_verified: true,
        name: 'Thief',
      };
      const url = await begin(browser, '/idp/link-provider');
      assert.equal((await browser.call('POST', '/idp/sessions/end-others')).status, 200);
      await finish(browser, url);
      assert.equal((await user(browser)).hasProvider, false);
    });

    test('brings nobody new where that is off', async () => {
      const settings = { ...settingsOf(provider), MAINSTAY_OIDC_SIGN_UP: 'false' };
      await using closed = await startInstance(engine, { settings });
      provider.person = {
        sub: 'remote-5',
        email: 'unwanted@example.com',
        email_verified: true,
        name: 'Unwanted',
      };
      const browser = new Browser(closed.url);
      const back = provider.agree(await begin(browser));
      await browser.open(`${closed.url}${back.pathname}${back.search}`);
      assert.equal(await user(browser), null);
      assert.equal((await new Browser(closed.url).signIn('unwanted@example.com', password)).status, 401);
    });
  });
}
