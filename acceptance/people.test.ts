import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { Browser } from '../server/testing/browser.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** What programs get from people, driven by strict clients that nobody here wrote, and by a browser without a screen. */

const clientId = process.env['MAINSTAY_ACCEPTANCE_CLI_CLIENT_ID'] ?? 'mainstay-cli';
const redirectUri = 'http://127.0.0.1:53682/callback';
const scope =
  'openid profile email offline_access platform:organizations:read network:env_vars:read platform:api_keys:read';
const insecure = { [oauth.allowInsecureRequests]: true };
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

for (const name of targetNames) {
  describe(`people by other people’s clients: ${name}`, () => {
    let target: Target & AsyncDisposable;
    let server: oauth.AuthorizationServer;
    let browser: Browser;
    const email = `person-${randomBytes(6).toString('hex')}@example.com`;
    const client: oauth.Client = { client_id: clientId };

    before(async () => {
      target = await openTarget(name);
      const issuer = new URL(`${target.url}/idp`);
      const response = await oauth.discoveryRequest(issuer, insecure);
      server = await oauth.processDiscoveryResponse(issuer, response);
      browser = new Browser(target.url);
      const password = randomBytes(12).toString('base64url');
      const signedUp = await browser.call('POST', '/idp/sign-up/email', {
        body: { email, password, name: 'Acceptance Person' },
      });
      assert.equal(signedUp.status, 200, JSON.stringify(signedUp.body));
      assert.equal(
        signedUp.body.verification,
        'none',
        'These tests need an instance that sends no e-mail: they could not read them.',
      );
      assert.equal((await browser.signIn(email, password)).status, 200);
    });
    after(() => target[Symbol.asyncDispose]());

    /** Opens the address as the person's browser would, and approves on the page that it leads to. */
    const approve = async (authorizeUrl: string): Promise<URL> => {
      const opened = await browser.open(authorizeUrl);
      assert.equal(opened.status, 302, JSON.stringify(opened.body));
      const page = new URL(opened.headers.get('location') ?? '');
      assert.equal(page.pathname, '/authorize');
      const shown = await browser.call('GET', `/idp/oauth2/consent${page.search}`);
      assert.equal(shown.status, 200);
      assert.equal(shown.body.account.email, email);
      assert.equal(shown.body.signInNeeded, false);
      const decided = await browser.call('POST', '/idp/oauth2/consent', {
        body: { request: page.search, approve: true },
      });
      assert.equal(decided.status, 200, JSON.stringify(decided.body));
      return new URL(decided.body.redirectTo);
    };

    const authorizeUrl = (parameters: Record<string, string>) =>
      `${server.authorization_endpoint}?${new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope, ...parameters })}`;

    /** A whole authorization code grant with oauth4webapi. */
    const codeGrant = async () => {
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const nonce = oauth.generateRandomNonce();
      const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
      const callback = await approve(
        authorizeUrl({ state, nonce, code_challenge, code_challenge_method: 'S256' }),
      );
      const parameters = oauth.validateAuthResponse(server, client, callback, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        insecure,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
        maxAge: 3600,
      });
    };

    const refresh = async (token: string) => {
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, insecure);
      return oauth.processRefreshTokenResponse(server, client, response);
    };

    const callApi = (token: string, path = '/organizations') =>
      fetch(`${target.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

    test('discovery by OAuth’s own rule finds the same server', async () => {
      const issuer = new URL(`${target.url}/idp`);
      const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
      assert.deepEqual(await oauth.processDiscoveryResponse(issuer, response), server);
      for (const endpoint of [
        server.authorization_endpoint,
        server.token_endpoint,
        server.userinfo_endpoint,
        server.device_authorization_endpoint,
      ]) {
        assert.ok(endpoint?.startsWith(`${target.url}/idp/`), `${endpoint}`);
      }
    });

    test('oauth4webapi: authorization code with PKCE, ID token, userinfo', async () => {
      const result = await codeGrant();
      assert.equal(result.token_type, 'bearer');
      assert.ok(result.refresh_token);
      const claims = oauth.getValidatedIdTokenClaims(result);
      assert.equal(claims?.['email'], email);
      const response = await oauth.userInfoRequest(server, client, result.access_token, insecure);
      const user = await oauth.processUserInfoResponse(server, client, claims?.sub ?? '', response);
      assert.equal(user.name, 'Acceptance Person');
      assert.equal(user.email, email);
    });

    test('the ID token and the access token are signed by the published keys, and are not one another', async () => {
      const { access_token, id_token } = await codeGrant();
      const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''));
      const issuer = `${target.url}/idp`;
      const access = await jwtVerify(access_token, keys, { issuer, audience: target.url, typ: 'at+jwt' });
      assert.equal(access.payload['client_id'], clientId);
      const id = await jwtVerify(id_token ?? '', keys, { issuer, audience: clientId });
      assert.equal(id.protectedHeader.typ, 'JWT');
      assert.equal((await callApi(access_token)).status, 200);
      assert.equal((await callApi(id_token ?? '')).status, 401);
    });

    test('oauth4webapi: refresh tokens rotate, and a used one ends the family', async () => {
      const first = await codeGrant();
      const second = await refresh(first.refresh_token ?? '');
      assert.notEqual(second.refresh_token, first.refresh_token);
      assert.equal((await callApi(second.access_token)).status, 200);
      // Processes of one command line refresh at once: the token that was just replaced gives the same successor.
      const again = await refresh(first.refresh_token ?? '');
      assert.equal(again.refresh_token, second.refresh_token);
      const third = await refresh(second.refresh_token ?? '');
      await assert.rejects(refresh(first.refresh_token ?? ''), { error: 'invalid_grant' });
      await assert.rejects(refresh(third.refresh_token ?? ''), { error: 'invalid_grant' });
      assert.equal((await callApi(third.access_token)).status, 401);
    });

    test('oauth4webapi: the device grant, while it waits and when it is approved', async () => {
      const request = await oauth.deviceAuthorizationRequest(
        server,
        client,
        oauth.None(),
        { scope },
        insecure,
      );
      const device = await oauth.processDeviceAuthorizationResponse(server, client, request);
      const poll = async () => {
        const response = await oauth.deviceCodeGrantRequest(
          server,
          client,
          oauth.None(),
          device.device_code,
          insecure,
        );
        return oauth.processDeviceCodeResponse(server, client, response);
      };
      await assert.rejects(poll(), { error: 'authorization_pending' });
      await assert.rejects(poll(), { error: 'slow_down' });
      const shown = await browser.call('GET', `/idp/oauth2/device?user_code=${device.user_code}`);
      assert.equal(shown.status, 200);
      assert.equal(shown.body.client.firstParty, true);
      const typed = device.user_code.toLowerCase().replace('-', ' ');
      const body = { userCode: typed, approve: true };
      assert.equal((await browser.call('POST', '/idp/oauth2/device', { body })).body.status, 'approved');
      const result = await poll();
      assert.ok(result.refresh_token);
      assert.equal((await callApi(result.access_token)).status, 200);
      await assert.rejects(poll(), { error: 'expired_token' });
    });

    test('oauth4webapi: a device that was refused gets access_denied', async () => {
      const request = await oauth.deviceAuthorizationRequest(
        server,
        client,
        oauth.None(),
        { scope },
        insecure,
      );
      const device = await oauth.processDeviceAuthorizationResponse(server, client, request);
      const body = { userCode: device.user_code, approve: false };
      await browser.call('POST', '/idp/oauth2/device', { body });
      const parameters = { device_code: device.device_code };
      const response = await oauth.genericTokenEndpointRequest(
        server,
        client,
        oauth.None(),
        deviceGrant,
        parameters,
        insecure,
      );
      await assert.rejects(oauth.processGenericTokenEndpointResponse(server, client, response), {
        error: 'access_denied',
      });
    });

    test('oauth4webapi: revocation of a refresh token ends what it was used for', async () => {
      const granted = await codeGrant();
      const response = await oauth.revocationRequest(
        server,
        client,
        oauth.None(),
        granted.refresh_token ?? '',
        insecure,
      );
      await oauth.processRevocationResponse(response);
      await assert.rejects(refresh(granted.refresh_token ?? ''), { error: 'invalid_grant' });
      assert.equal((await callApi(granted.access_token)).status, 401);
    });

    test('a person who refuses sends the client back with access_denied', async () => {
      const state = oauth.generateRandomState();
      const code_challenge = await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier());
      const url = new URL(authorizeUrl({ state, code_challenge, code_challenge_method: 'S256' }));
      const body = { request: url.search, approve: false };
      const { redirectTo } = (await browser.call('POST', '/idp/oauth2/consent', { body })).body;
      assert.throws(() => oauth.validateAuthResponse(server, client, new URL(redirectTo), state), {
        error: 'access_denied',
      });
    });

    test('openid-client: code, refresh, userinfo and the device grant', async () => {
      const config = await openid.discovery(
        new URL(`${target.url}/idp`),
        clientId,
        undefined,
        openid.None(),
        { execute: [openid.allowInsecureRequests] },
      );
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const code_challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier);
      const expectedState = openid.randomState();
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        code_challenge,
        code_challenge_method: 'S256',
        state: expectedState,
      });
      const callback = await approve(url.href);
      const tokens = await openid.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier,
        expectedState,
      });
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      const subject = tokens.claims()?.sub ?? '';
      const user = await openid.fetchUserInfo(config, refreshed.access_token, subject);
      assert.equal(user.email, email);

      const device = await openid.initiateDeviceAuthorization(config, { scope });
      const body = { userCode: device.user_code, approve: true };
      assert.equal((await browser.call('POST', '/idp/oauth2/device', { body })).status, 200);
      const polled = await openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 });
      assert.equal((await callApi(polled.access_token)).status, 200);
    });
  });
}
