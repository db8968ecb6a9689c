import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { TokenVerifier } from '#accounts/tokens/service.ts';
import { findUser } from '#accounts/users/service.ts';
import type { Db } from '#core/db.ts';
import { invalidToken } from '#http/access.ts';
import { UserInfo } from './schema.ts';
import { grantableScopes } from './scopes.ts';
import { profileClaims } from './tokens.ts';

const tags = ['OAuth for other apps'];

/** Who the person is (OpenID Connect Core 1.0, 5.3), and where everything is (Discovery 1.0; RFC 8414). */
export function identityRoutes(deps: {
  db: Db;
  verifier: TokenVerifier;
  issuer: string;
  baseUrl: string;
}): FastifyPluginAsyncTypebox {
  const { db, verifier, issuer, baseUrl } = deps;

  const userInfo = async (request: FastifyRequest) => {
    const { auth, headers } = request;
    // The scopes of `auth` are those of the API; what of a profile may be told stands in the token alone.
    const claims = await verifier.inspect(headers.authorization?.slice('Bearer '.length).trim() ?? '');
    const user = await findUser(db, auth.actor.id);
    if (!claims || !user) throw invalidToken('Send the access token of a user.');
    return profileClaims(user, claims.scope);
  };

  return async (app) => {
    for (const method of ['GET', 'POST'] as const) {
      app.route({
        method,
        url: '/idp/oauth2/userinfo',
        config: { scope: 'openid', actors: ['user'], forms: true },
        schema: {
          operationId: method === 'GET' ? 'getUserInfo' : 'postUserInfo',
          summary: 'Get the profile of the user of an access token',
          tags,
          response: { 200: UserInfo },
        },
        handler: userInfo,
      });
    }

    const document = discoveryDocument(issuer, baseUrl);
    const places = {
      '/idp/.well-known/openid-configuration': 'getPeopleOpenIdConfiguration',
      '/.well-known/oauth-authorization-server/idp': 'getPeopleAuthorizationServer',
    };
    for (const [url, operationId] of Object.entries(places)) {
      app.get(
        url,
        {
          config: { public: true },
          schema: {
            operationId,
            summary: 'Get the metadata of the authorization server for users (RFC 8414)',
            tags,
            response: { 200: Type.Record(Type.String(), Type.Unknown(), { title: 'PeopleDiscovery' }) },
          },
        },
        async (_request, reply) => {
          reply.header('cache-control', 'public, max-age=300');
          return document;
        },
      );
    }
  };
}

function discoveryDocument(issuer: string, baseUrl: string) {
  const oauth = `${issuer}/oauth2`;
  const methods = ['none', 'client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    authorization_endpoint: `${oauth}/authorize`,
    token_endpoint: `${oauth}/token`,
    userinfo_endpoint: `${oauth}/userinfo`,
    device_authorization_endpoint: `${oauth}/device_authorization`,
    revocation_endpoint: `${oauth}/revoke`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    scopes_supported: grantableScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: [
      ...['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce'],
      ...['name', 'given_name', 'family_name', 'picture', 'updated_at', 'email', 'email_verified'],
    ],
    service_documentation: `${baseUrl}/docs`,
  };
}
