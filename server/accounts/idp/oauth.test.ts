import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Browser, signedUp } from '#testing/browser.ts';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { setRole } from '#testing/people.ts';

/** What other programs get from people, and what they do not get. Strict clients drive the grants in acceptance/. */

const settings = { MAINSTAY_CLI_CLIENT_ID: 'our-cli', MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000' };
const redirectUri = 'http://127.0.0.1:53682/callback';
const everything = [
  'openid profile email offline_access platform:organizations:read network:applications:read',
  'network:applications:write network:env_vars:read network:env_vars:write network:env_vars:delete',
  'network:deployments:read network:deployments:write network:deployments:trigger network:ai_gateway:chat',
  'network:ai_gateway:models platform:api_keys:read platform:api_keys:write platform:api_keys:delete',
].join(' ');

for (const engine of engines) {
  describe(`OAuth for apps on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    let browser: Browser;
    let person: { id: string };
    before(async () => {
      instance = await startInstance(engine, { settings, clock });
      browser = await signedUp(instance.url, 'granter@example.com');
      person = (await browser.call('GET', '/idp/session')).body.user;
      await setRole(instance, person, 'MEMBER');
    });
    after(() => instance[Symbol.asyncDispose]());

    const form = async (path: string, fields: Record<string, string>) => {
      const response = await fetch(`${instance.url}/idp/oauth2/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'our-cli', ...fields }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
      return { status: response.status, body: (await response.json().catch(() => null)) as any };
    };

    const query = (parameters: Record<string, string> = {}) => {
      const verifier = randomBytes(32).toString('base64url');
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const search = new URLSearchParams({
        client_id: 'our-cli',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: everything,
        state: 'kept',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...parameters,
      });
      return { search: `${search}`, verifier };
    };
    const approve = async (parameters?: Record<string, string>) => {
      const { search, verifier } = query(parameters);
      const body = { request: search, approve: true };
      const { status, body: answer } = await browser.call('POST', '/idp/oauth2/consent', { body });
      assert.equal(status, 200, JSON.stringify(answer));
      return { code: new URL(answer.redirectTo).searchParams.get('code') ?? '', verifier };
    };
    const redeem = (
      { code, verifier }: { code: string; verifier: string },
      fields: Record<string, string> = {},
    ) =>
      form('token', {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
        ...fields,
      });
    const grant = async (parameters?: Record<string, string>) =>
      (await redeem(await approve(parameters))).body;
    const refresh = (token: string, fields: Record<string, string> = {}) =>
      form('token', { grant_type: 'refresh_token', refresh_token: token, ...fields });
    const call = (token: string, method = 'GET', path = '/organizations', body?: object) =>
      instance.call(method, path, { as: { token }, ...(body ? { body } : {}) });

    test('the command line has its id from the settings, and every scope that is meant for it', async () => {
      const granted = await grant();
      assert.deepEqual(granted.scope.split(' ').sort(), everything.split(' ').sort());
      assert.equal((await call(granted.access_token)).status, 200);
      const unknown = await form('token', {
        grant_type: 'refresh_token',
        client_id: 'mainstay-cli',
        refresh_token: 'x',
      });
      assert.equal(unknown.body.error, 'invalid_client');
    });

    test('a scope that the role does not allow in an organization does not act there', async () => {
      const { access_token: token } = await grant();
      const own = `/organizations/${instance.bootstrapped.organization.id}`;
      const key = { name: 'By program', organizationId: instance.bootstrapped.organization.id };
      assert.equal((await call(token, 'GET', own)).status, 200);
      assert.equal((await call(token, 'POST', `${own}/env-vars/import`, { content: 'A=1' })).status, 403);
      assert.equal((await call(token, 'POST', '/api-keys', key)).status, 403);
      await setRole(instance, person, 'ADMIN');
      assert.equal((await call(token, 'POST', `${own}/env-vars/import`, { content: 'A=1' })).status, 200);
      await setRole(instance, person, 'MEMBER');
      assert.equal((await call(token, 'POST', `${own}/env-vars/import`, { content: 'A=1' })).status, 403);
    });

    test('a scope that was not granted does not act, whatever the role', async () => {
      await setRole(instance, person, 'OWNER');
      const { access_token: token } = await grant({ scope: 'platform:organizations:read' });
      const own = `/organizations/${instance.bootstrapped.organization.id}`;
      const { status, headers } = await call(token, 'POST', `${own}/env-vars/import`, { content: 'A=1' });
      assert.equal(status, 403);
      assert.match(headers.get('www-authenticate') ?? '', /insufficient_scope/);
      await setRole(instance, person, 'MEMBER');
    });

    test('what operators may do is never granted', async () => {
      const { search } = query({ scope: 'openid platform:admin:read' });
      const { body } = await browser.call('POST', '/idp/oauth2/consent', {
        body: { request: search, approve: true },
      });
      assert.equal(body.code, 'INVALID_SCOPE');
      const { headers } = await browser.open(`/idp/oauth2/authorize?${search}`);
      const back = new URL(headers.get('location') ?? '');
      assert.equal(back.searchParams.get('error'), 'invalid_scope');
      assert.equal(back.searchParams.get('state'), 'kept');
    });

    test('a request that names a wrong client or address goes nowhere', async () => {
      for (const wrong of [
        { redirect_uri: 'https://evil.test/callback' },
        { redirect_uri: 'http://127.0.0.1.evil.test/callback' },
        { redirect_uri: 'http://user@127.0.0.1:53682/callback' },
        { redirect_uri: 'javascript:alert(1)' },
        { redirect_uri: `${redirectUri}#fragment` },
        { client_id: 'somebody-else' },
      ]) {
        const { search } = query(wrong);
        const { status, headers } = await browser.open(`/idp/oauth2/authorize?${search}`);
        assert.ok(status === 400 || status === 401, `${JSON.stringify(wrong)}: ${status}`);
        assert.equal(headers.get('location'), null);
      }
    });

    test('PKCE cannot be left out, weakened or guessed', async () => {
      for (const [parameters, error] of [
        [{ code_challenge: '' }, 'invalid_request'],
        [{ code_challenge_method: 'plain' }, 'invalid_request'],
        [{ response_type: 'token' }, 'unsupported_response_type'],
      ] as const) {
        const { headers } = await browser.open(`/idp/oauth2/authorize?${query(parameters).search}`);
        assert.equal(new URL(headers.get('location') ?? '').searchParams.get('error'), error);
      }
      const { code, verifier } = await approve();
      const wrong = randomBytes(32).toString('base64url');
      assert.equal((await redeem({ code, verifier: wrong })).body.error, 'invalid_grant');
      const elsewhere = await redeem({ code, verifier }, { redirect_uri: 'http://127.0.0.1:1/callback' });
      assert.equal(elsewhere.body.error, 'invalid_grant');
      assert.equal((await redeem({ code, verifier })).status, 200);
    });

    test('a code that is used twice revokes what it was exchanged for', async () => {
      const approved = await approve();
      const { body: granted } = await redeem(approved);
      assert.equal((await call(granted.access_token)).status, 200);
      assert.equal((await redeem(approved)).body.error, 'invalid_grant');
      assert.equal((await call(granted.access_token)).status, 401);
      assert.equal((await refresh(granted.refresh_token)).body.error, 'invalid_grant');
    });

    test('a code expires', async () => {
      const approved = await approve();
      clock.advance(601);
      assert.equal((await redeem(approved)).body.error, 'invalid_grant');
    });

    test('a crowd that presents one refresh token gets one successor; an older one ends the family', async () => {
      const granted = await grant();
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(granted.refresh_token)));
      assert.ok(answers.every(({ status }) => status === 200));
      const [successor, ...others] = new Set(answers.map(({ body }) => body.refresh_token));
      assert.equal(others.length, 0);
      assert.ok(answers.every(({ body }) => body.access_token));
      clock.advance(15);
      assert.equal((await refresh(granted.refresh_token)).body.refresh_token, successor);
      assert.equal((await refresh(granted.refresh_token, { client_id: 'mainstay-cli' })).status, 401);
      clock.advance(16);
      assert.equal((await refresh(granted.refresh_token)).body.error, 'invalid_grant');
      assert.equal((await refresh(successor)).body.error, 'invalid_grant');
      assert.equal((await call(granted.access_token)).status, 401);
    });

    test('a refresh token that was replaced twice is an old one, however soon', async () => {
      const granted = await grant();
      const second = await refresh(granted.refresh_token);
      const third = await refresh(second.body.refresh_token);
      assert.equal((await refresh(granted.refresh_token)).body.error, 'invalid_grant');
      assert.equal((await refresh(third.body.refresh_token)).body.error, 'invalid_grant');
    });

    test('command lines that know one id and no address to return to are served', async () => {
      const client_id = '0195c11c-0000-7000-8000-000000000001';
      const redirect_uri = 'urn:ietf:wg:oauth:2.0:oob';
      const { search, verifier } = query({ client_id, redirect_uri });
      const shown = await browser.call('GET', `/idp/oauth2/consent?${search}`);
      assert.equal(shown.body.redirectHost, 'mainstay.test');
      assert.equal(shown.body.client.firstParty, true);
      const decided = await browser.call('POST', '/idp/oauth2/consent', {
        body: { request: search, approve: true },
      });
      const page = new URL(decided.body.redirectTo);
      assert.equal(`${page.origin}${page.pathname}`, 'http://mainstay.test/authorize/code');
      const fields = new URLSearchParams(page.hash.slice(1));
      assert.equal(fields.get('state'), 'kept');
      const code = fields.get('code') ?? '';
      const elsewhere = await redeem({ code, verifier }, { client_id });
      assert.equal(elsewhere.body.error, 'invalid_grant');
      const granted = await redeem({ code, verifier }, { client_id, redirect_uri });
      assert.equal(granted.status, 200);
      const refreshed = await refresh(granted.body.refresh_token, { client_id });
      assert.equal((await call(refreshed.body.access_token)).status, 200);
    });

    test('a code_verifier is as long as RFC 7636 has it, or is refused', async () => {
      for (const verifier of ['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}!`]) {
        const challenge = createHash('sha256').update(verifier).digest('base64url');
        const approved = await approve({ code_challenge: challenge });
        const refused = await redeem({ code: approved.code, verifier });
        assert.equal(refused.body.error, 'invalid_request', verifier);
      }
      const verifier = 'a-Z.9_~'.repeat(10);
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const { code } = await approve({ code_challenge: challenge });
      assert.equal((await redeem({ code, verifier })).status, 200);
    });

    test('a refresh token that was changed, or is another client’s, is refused and ends nothing', async () => {
      const granted = await grant();
      const token: string = granted.refresh_token;
      const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
      assert.equal((await refresh(changed)).body.error, 'invalid_grant');
      const made = await instance.call('POST', '/admin/oauth-clients', {
        as: 'user',
        body: {
          name: 'Other',
          redirectUris: ['https://other.test/cb'],
          scopes: ['openid'],
          confidential: false,
        },
      });
      const stolen = await refresh(token, { client_id: made.body.id });
      assert.equal(stolen.body.error, 'invalid_grant');
      assert.equal((await refresh(token)).status, 200);
    });

    test('a refresh may narrow the scope and never widen it', async () => {
      const granted = await grant({ scope: 'openid offline_access platform:organizations:read' });
      const wider = await refresh(granted.refresh_token, { scope: 'openid network:env_vars:read' });
      assert.equal(wider.body.error, 'invalid_scope');
      const narrow = await refresh(granted.refresh_token, { scope: 'openid' });
      assert.equal(narrow.body.scope, 'openid');
      assert.equal((await call(narrow.body.access_token)).status, 403);
      const whole = await refresh(narrow.body.refresh_token);
      assert.match(whole.body.scope, /platform:organizations:read/);
    });

    test('users see what OAuth apps may do, and revoke it', async () => {
      const granted = await grant();
      const { body } = await browser.call('GET', '/idp/grants');
      const [newest] = body.items;
      assert.equal(newest.client.id, 'our-cli');
      assert.equal(newest.client.firstParty, true);
      assert.ok(newest.scopes.every(({ text }: { text: string }) => text.length > 3));
      const other = await signedUp(instance.url, 'no-granter@example.com');
      assert.equal((await other.call('DELETE', `/idp/grants/${newest.id}`)).status, 404);
      assert.equal((await call(granted.access_token)).status, 200);
      assert.equal((await browser.call('DELETE', `/idp/grants/${newest.id}`)).status, 204);
      assert.equal((await call(granted.access_token)).status, 401);
      assert.equal((await refresh(granted.refresh_token)).body.error, 'invalid_grant');
    });

    test('suspending the person stops their OAuth apps immediately', async () => {
      const suspended = await signedUp(instance.url, 'stopped@example.com');
      const former = browser;
      browser = suspended;
      const granted = await grant();
      browser = former;
      const { id } = (await suspended.call('GET', '/idp/session')).body.user;
      await instance.call('PATCH', `/admin/users/${id}`, { as: 'user', body: { suspended: true } });
      assert.equal((await call(granted.access_token)).status, 401);
      assert.equal((await refresh(granted.refresh_token)).body.error, 'invalid_grant');
    });

    test('a new password by a reset link ends what the old one let in', async () => {
      const former = browser;
      browser = await signedUp(instance.url, 'reset@example.com');
      const granted = await grant();
      const { id } = (await browser.call('GET', '/idp/session')).body.user;
      browser = former;
      const { body } = await instance.call('POST', `/admin/users/${id}/password-reset`, { as: 'user' });
      const reset = { token: body.url.split('#')[1], newPassword: 'lantern-brisk-otter' };
      const done = await new Browser(instance.url).call('POST', '/idp/reset-password', { body: reset });
      assert.equal(done.status, 200);
      assert.equal((await call(granted.access_token)).status, 401);
      assert.equal((await refresh(granted.refresh_token)).body.error, 'invalid_grant');
    });

    test('a confidential client proves itself, and is remembered; a public one asks every time', async () => {
      const made = await instance.call('POST', '/admin/oauth-clients', {
        as: 'user',
        body: { name: 'Site', redirectUris: ['https://site.test/cb'], scopes: ['openid', 'email'] },
      });
      const { id, secret } = made.body;
      const parameters = { client_id: id, redirect_uri: 'https://site.test/cb', scope: 'openid email' };
      const approved = await approve(parameters);
      const fields = { client_id: id, redirect_uri: 'https://site.test/cb' };
      assert.equal((await redeem(approved, fields)).body.error, 'invalid_client');
      assert.equal(
        (await redeem(approved, { ...fields, client_secret: `${secret}x` })).body.error,
        'invalid_client',
      );
      assert.equal((await redeem(approved, { ...fields, client_secret: secret })).status, 200);
      const opened = await browser.open(`/idp/oauth2/authorize?${query(parameters).search}`);
      assert.match(opened.headers.get('location') ?? '', /^https:\/\/site\.test\/cb\?code=/);
      await grant();
      const asks = await browser.open(`/idp/oauth2/authorize?${query().search}`);
      assert.match(asks.headers.get('location') ?? '', /\/authorize\?/);
      assert.equal((await instance.call('DELETE', `/admin/oauth-clients/${id}`, { as: 'user' })).status, 204);
      const gone = await browser.open(`/idp/oauth2/authorize?${query(parameters).search}`);
      assert.equal(gone.headers.get('location'), null);
    });

    test('prompt=none answers the OAuth app; prompt=login asks again who has not just signed in', async () => {
      const nobody = new Browser(instance.url);
      const silent = await nobody.open(`/idp/oauth2/authorize?${query({ prompt: 'none' }).search}`);
      assert.match(silent.headers.get('location') ?? '', /error=login_required/);
      const consent = await browser.open(`/idp/oauth2/authorize?${query({ prompt: 'none' }).search}`);
      assert.match(consent.headers.get('location') ?? '', /error=consent_required/);
      clock.advance(301);
      const body = { request: query({ prompt: 'login' }).search, approve: true };
      const { status, body: answer } = await browser.call('POST', '/idp/oauth2/consent', { body });
      assert.equal(status, 401);
      assert.equal(answer.code, 'SIGN_IN_AGAIN');
    });

    test('device codes cannot be guessed by trying many', async () => {
      const statuses = [];
      for (let guess = 0; guess < 22; guess++)
        statuses.push((await browser.call('GET', '/idp/oauth2/device?user_code=BBBB-BBBB')).status);
      assert.equal(statuses.filter((status) => status === 404).length, 20);
      assert.equal(statuses.at(-1), 429);
    });

    test('the tokens are at+jwt of a key that was published before it signed', async () => {
      const { access_token: token } = await grant();
      const header = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString());
      assert.equal(header.typ, 'at+jwt');
      assert.equal(header.alg, 'ES256');
      const { body } = await instance.call('GET', '/.well-known/jwks.json');
      assert.ok(body.keys.some(({ kid }: { kid: string }) => kid === header.kid));
      const own = await instance.token('user');
      assert.equal(JSON.parse(Buffer.from(own.split('.')[0] ?? '', 'base64url').toString()).kid, header.kid);
      // A token of a key's issuer that claims a grant, or the other way round, is no token.
      const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
      assert.equal(claims.iss, 'http://mainstay.test/idp');
      assert.equal(claims.sub, person.id);
    });

    // The last one: better-auth signs in by the real time, and sessions are over when this has moved the clock.
    test('without offline_access there is no refresh token, and an idle one expires', async () => {
      assert.equal((await grant({ scope: 'openid' })).refresh_token, undefined);
      const granted = await grant();
      clock.advance(29 * 86_400);
      const { body: renewed } = await refresh(granted.refresh_token);
      assert.ok(renewed.access_token);
      clock.advance(31 * 86_400);
      assert.equal((await refresh(renewed.refresh_token)).body.error, 'invalid_grant');
    });
  });
}
