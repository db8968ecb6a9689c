import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import type { Db } from '#core/db.ts';
import type { LastUsed } from '#core/last-used.ts';
import { scopes } from '#core/scopes.ts';
import type { Series } from '#core/series.ts';
import { problemSender } from '#http/errors.ts';
import { oauthSkin } from '#http/oauth-errors.ts';
import { authenticateClient, type ClientDeps, readCredentials } from './client.ts';
import { type Claims, issueToken } from './issuer.ts';
import type { Keyring } from './keyring.ts';
import { revokeToken } from './revocations.ts';
import {
  AboutTokenBody,
  Discovery,
  Introspection,
  JwkSet,
  OAuthError,
  TokenAnswer,
  TokenBody,
} from './schema.ts';
import type { TokenVerifier } from './verifier.ts';

/** More than the longest token and everything beside it. */
const bodyLimit = 16 * 1024;
const tags = ['Authentication'];

export function tokenRoutes(
  deps: ClientDeps & {
    db: Db;
    keyring: Keyring;
    verifier: TokenVerifier;
    lastUsed: LastUsed;
    issuer: string;
    log: Logger;
    series: Series;
  },
): FastifyPluginAsyncTypebox {
  const { db, keyring, verifier, lastUsed, issuer, log } = deps;

  return async (app) => {
    await app.register(async (oauth: typeof app) => {
      oauth.setErrorHandler(problemSender(log, oauthSkin));

      oauth.post(
        '/oauth2/token',
        {
          bodyLimit,
          config: { public: true, forms: true },
          schema: {
            operationId: 'createToken',
            summary: 'Exchange an API key for an access token',
            tags,
            body: TokenBody,
            response: { 200: TokenAnswer, '4xx': OAuthError, '5xx': OAuthError },
          },
        },
        async (request, reply) => {
          const credentials = readCredentials(request, request.body);
          const { key, secretId } = await authenticateClient(deps, credentials, request.ip);
          lastUsed.note(key.id);
          reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
          deps.series.add(key.actor.organizationId, 'tokensIssued');
          return issueToken(deps, key, secretId);
        },
      );

      oauth.post(
        '/oauth2/introspect',
        {
          bodyLimit,
          config: { public: true, forms: true },
          schema: {
            operationId: 'introspectToken',
            summary: 'Introspect a token (RFC 7662)',
            description: 'Tokens of other accounts are reported as inactive.',
            tags,
            body: AboutTokenBody,
            response: { 200: Introspection, '4xx': OAuthError, '5xx': OAuthError },
          },
        },
        async (request, reply) => {
          const { key } = await authenticateClient(deps, readCredentials(request, request.body), request.ip);
          reply.header('cache-control', 'no-store');
          const claims = await verifier.inspect(request.body.token);
          const { actor } = key;
          const sameAccount = actor.organizationId
            ? claims?.organization_id === actor.organizationId
            : claims?.sub === actor.id;
          // Another tenant's token is as good as none.
          return claims && sameAccount ? introspected(claims) : { active: false };
        },
      );

      oauth.post(
        '/oauth2/revoke',
        {
          bodyLimit,
          config: { public: true, forms: true },
          schema: {
            operationId: 'revokeToken',
            summary: 'Revoke a token (RFC 7009)',
            tags,
            body: AboutTokenBody,
            response: {
              200: { type: 'null', description: 'The token is no longer valid, or never was.' },
              '4xx': OAuthError,
              '5xx': OAuthError,
            },
          },
        },
        async (request, reply) => {
          const { key } = await authenticateClient(deps, readCredentials(request, request.body), request.ip);
          const claims = await verifier.inspect(request.body.token);
          if (claims?.client_id === key.id) await revokeToken(db, claims.jti, claims.exp * 1000);
          return reply
            .header('cache-control', 'no-store')
            .code(200)
            .send(undefined as never);
        },
      );
    });

    const discovery = discoveryDocument(issuer);
    for (const path of ['openid-configuration', 'oauth-authorization-server']) {
      app.get(
        `/.well-known/${path}`,
        {
          config: { public: true },
          schema: {
            operationId:
              path === 'openid-configuration' ? 'getOpenIdConfiguration' : 'getAuthorizationServer',
            summary: 'Get the metadata of the authorization server (RFC 8414)',
            tags,
            response: { 200: Discovery },
          },
        },
        async (_request, reply) => {
          reply.header('cache-control', 'public, max-age=300');
          return discovery;
        },
      );
    }

    app.get(
      '/.well-known/jwks.json',
      {
        config: { public: true },
        schema: {
          operationId: 'getSigningKeys',
          summary: 'Get the public signing keys (RFC 7517)',
          tags,
          response: { 200: JwkSet },
        },
      },
      async (_request, reply) => {
        reply.header('cache-control', `public, max-age=${keyring.maxAgeSeconds}`);
        return keyring.publicKeys() as { keys: Record<string, unknown>[] };
      },
    );
  };
}

function introspected({ secret_id: _secret, grant_id: _grant, ...claims }: Claims) {
  return { active: true, token_type: 'Bearer', ...claims };
}

function discoveryDocument(issuer: string) {
  const methods = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [...scopes],
    // No authorization endpoint here: people sign in at /idp.
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    service_documentation: `${issuer}/docs`,
  };
}
