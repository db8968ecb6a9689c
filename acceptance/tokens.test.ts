import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { openTarget, type Target, targetNames } from './instance.ts';

/** Strict clients that nobody here wrote. */

for (const name of targetNames) {
  describe(`tokens by other people’s clients: ${name}`, () => {
    let target: Target & AsyncDisposable;
    let server: oauth.AuthorizationServer;
    const insecure = { [oauth.allowInsecureRequests]: true };

    before(async () => {
      target = await openTarget(name);
      const issuer = new URL(target.url);
      const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
      server = await oauth.processDiscoveryResponse(issuer, response);
    });
    after(() => target[Symbol.asyncDispose]());

    const client = () => ({ client_id: target.keys.application.id });

    test('oauth4webapi: client credentials by Basic and by body', async () => {
      const { secret } = target.keys.application;
      for (const authentication of [oauth.ClientSecretBasic(secret), oauth.ClientSecretPost(secret)]) {
        const response = await oauth.clientCredentialsGrantRequest(
          server,
          client(),
          authentication,
          {},
          insecure,
        );
        const result = await oauth.processClientCredentialsResponse(server, client(), response);
        assert.equal(result.token_type, 'bearer');
        assert.equal(result.expires_in, 300);
        assert.ok(result.scope?.includes('fastcache:read'));
      }
    });

    test('oauth4webapi: a wrong secret is an invalid_client with a challenge', async () => {
      const authentication = oauth.ClientSecretBasic('wrong');
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client(),
        authentication,
        {},
        insecure,
      );
      await assert.rejects(oauth.processClientCredentialsResponse(server, client(), response), (error) => {
        assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
        return true;
      });
    });

    test('oauth4webapi: a resource server validates the token by RFC 9068', async () => {
      const authentication = oauth.ClientSecretBasic(target.keys.application.secret);
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client(),
        authentication,
        {},
        insecure,
      );
      const { access_token } = await oauth.processClientCredentialsResponse(server, client(), response);
      const request = new Request('https://api.example.com/', {
        headers: { authorization: `Bearer ${access_token}` },
      });
      const claims = await oauth.validateJwtAccessToken(server, request, target.url, insecure);
      assert.equal(claims.client_id, client().client_id);
      assert.equal(claims['application_id'], target.applicationId);
    });

    test('oauth4webapi: introspection and revocation', async () => {
      const authentication = oauth.ClientSecretBasic(target.keys.application.secret);
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client(),
        authentication,
        {},
        insecure,
      );
      const { access_token } = await oauth.processClientCredentialsResponse(server, client(), response);
      const introspect = async () => {
        const answer = await oauth.introspectionRequest(
          server,
          client(),
          authentication,
          access_token,
          insecure,
        );
        return oauth.processIntrospectionResponse(server, client(), answer);
      };
      assert.equal((await introspect()).active, true);
      const revocation = await oauth.revocationRequest(
        server,
        client(),
        authentication,
        access_token,
        insecure,
      );
      assert.equal(await oauth.processRevocationResponse(revocation), undefined);
      assert.equal((await introspect()).active, false);
    });

    test('openid-client: discovery of OpenID and the client credentials grant', async () => {
      const { id, secret } = target.keys.organization;
      const options = { execute: [openid.allowInsecureRequests] };
      const config = await openid.discovery(new URL(target.url), id, secret, undefined, options);
      const tokens = await openid.clientCredentialsGrant(config);
      assert.equal(tokens.expires_in, 300);
      const about = await openid.tokenIntrospection(config, tokens.access_token);
      assert.equal(about.active, true);
      assert.equal(about['actor_type'], 'organization');
      await openid.tokenRevocation(config, tokens.access_token);
      assert.equal((await openid.tokenIntrospection(config, tokens.access_token)).active, false);
    });

    test('jose: the published key set verifies the token', async () => {
      const authentication = oauth.ClientSecretBasic(target.keys.application.secret);
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client(),
        authentication,
        {},
        insecure,
      );
      const { access_token } = await oauth.processClientCredentialsResponse(server, client(), response);
      const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''));
      const { payload, protectedHeader } = await jwtVerify(access_token, keys, {
        typ: 'at+jwt',
        issuer: target.url,
        audience: target.url,
        algorithms: ['ES256'],
      });
      assert.ok(protectedHeader.kid);
      assert.equal(payload['actor_type'], 'application');
    });
  });
}
