import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import type { Static } from 'typebox';
import { OAuthError, revokeToken, type TokenVerifier } from '#accounts/tokens/service.ts';
import { findUser } from '#accounts/users/service.ts';
import { senderOf } from '#core/addresses.ts';
import { problemSender } from '#http/errors.ts';
import { OAuthProblem, oauthSkin } from '#http/oauth-errors.ts';
import type { Attempts } from '../attempts.ts';
import { authenticatedClient, type ClientAuthentication } from './client-authentication.ts';
import type { Client } from './clients.ts';
import { redeemCode } from './codes.ts';
import { pollDevice, startDevice } from './devices.ts';
import { type GrantDeps, revokeGrants, useRefreshToken } from './grants.ts';
import { readRefreshToken } from './refresh-token.ts';
import { DeviceAnswer, DeviceBody, PersonToken, PersonTokenBody, RevokeBody } from './schema.ts';
import { askedScope, covers, within } from './scopes.ts';
import { type IssuerDeps, idToken, type TokenAnswer, tokensFor } from './tokens.ts';

type Fields = Static<typeof PersonTokenBody>;

/** More than the longest token and everything beside it. */
const bodyLimit = 32 * 1024;
const tags = ['OAuth for other apps'];
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

export interface OAuthDeps extends GrantDeps, IssuerDeps, ClientAuthentication {
  log: Logger;
  verifier: TokenVerifier;
  attempts: Attempts;
  baseUrl: string;
  codeSeconds: number;
  deviceSeconds: number;
  limits: { deviceCodesPerAddress: number; userCodeAttempts: number };
}

/** The endpoints that programs call themselves: token, device authorization, revocation. */
export function tokenRoutes(deps: OAuthDeps): FastifyPluginAsyncTypebox {
  const { db, vault, verifier, attempts, baseUrl, deviceSeconds, limits, log } = deps;

  const grantTypes: Record<
    string,
    (client: Client, fields: Fields, requestId: string) => Promise<TokenAnswer>
  > = {
    async authorization_code(client, fields, requestId) {
      const code = needed(fields, 'code');
      const redirectUri = needed(fields, 'redirect_uri');
      const verifier = needed(fields, 'code_verifier');
      // RFC 7636, 4.1: what is shorter could be guessed from the challenge.
      if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) {
        const sentence =
          'code_verifier must be 43 to 128 letters, digits, hyphens, dots, underscores and tildes.';
        throw new OAuthProblem('invalid_request', sentence);
      }
      const request = { code, redirectUri, verifier, clientId: client.id, requestId };
      const { grant, nonce } = await redeemCode(deps, request);
      return withIdToken(tokensFor(deps, grant), grant, nonce);
    },
    async refresh_token(client, fields, requestId) {
      const token = needed(fields, 'refresh_token');
      const narrower = fields.scope === undefined ? undefined : askedScope(fields.scope, client.scopes);
      const request = { token, clientId: client.id, scope: narrower, requestId };
      const grant = await useRefreshToken(deps, request);
      return tokensFor(deps, grant, narrower ?? within(grant.scope, client.scopes));
    },
    async 'urn:ietf:params:oauth:grant-type:device_code'(client, fields, requestId) {
      const deviceCode = needed(fields, 'device_code');
      const grant = await pollDevice(deps, { deviceCode, clientId: client.id, requestId });
      return withIdToken(tokensFor(deps, grant), grant, null);
    },
  };

  const withIdToken = async (
    answer: TokenAnswer,
    grant: Parameters<typeof idToken>[1],
    nonce: string | null,
  ): Promise<TokenAnswer> => {
    if (!covers(grant.scope, 'openid')) return answer;
    const user = await findUser(db, grant.user_id);
    return user ? { ...answer, id_token: idToken(deps, grant, user, nonce) } : answer;
  };

  return async (app) => {
    app.setErrorHandler(problemSender(log, oauthSkin));

    app.post(
      '/idp/oauth2/token',
      {
        bodyLimit,
        config: { public: true, forms: true },
        schema: {
          operationId: 'createPersonToken',
          summary: 'Exchange a code or a refresh token for tokens',
          tags,
          body: PersonTokenBody,
          response: { 200: PersonToken, '4xx': OAuthError, '5xx': OAuthError },
        },
      },
      async (request, reply) => {
        const { body } = request;
        const client = await authenticatedClient(deps, request, body);
        const exchange = Object.hasOwn(grantTypes, body.grant_type) ? grantTypes[body.grant_type] : undefined;
        if (!exchange) {
          const sentence = `grant_type must be one of ${Object.keys(grantTypes).join(', ')}.`;
          throw new OAuthProblem('unsupported_grant_type', sentence);
        }
        reply.headers(noStore);
        return exchange(client, body, request.id);
      },
    );

    app.post(
      '/idp/oauth2/device_authorization',
      {
        bodyLimit,
        config: { public: true, forms: true },
        schema: {
          operationId: 'createDeviceAuthorization',
          summary: 'Start a device authorization (RFC 8628)',
          tags,
          body: DeviceBody,
          response: { 200: DeviceAnswer, '4xx': OAuthError, '5xx': OAuthError },
        },
      },
      async (request, reply) => {
        const { body } = request;
        const client = await authenticatedClient(deps, request, body);
        const scope = askedScope(body.scope, client.scopes);
        const limit = limits.deviceCodesPerAddress;
        await attempts.take([{ key: `device:${senderOf(request.ip)}`, limit, windowSeconds: 900 }]);
        const started = await startDevice(deps, {
          clientId: client.id,
          scope,
          address: request.ip,
          userAgent: request.headers['user-agent'],
        });
        reply.headers(noStore);
        return {
          device_code: started.deviceCode,
          user_code: started.userCode,
          verification_uri: `${baseUrl}/device`,
          verification_uri_complete: `${baseUrl}/device?user_code=${started.userCode}`,
          expires_in: deviceSeconds,
          interval: started.pollSeconds,
        };
      },
    );

    app.post(
      '/idp/oauth2/revoke',
      {
        bodyLimit,
        config: { public: true, forms: true },
        schema: {
          operationId: 'revokePersonToken',
          summary: 'Revoke a refresh token or an access token (RFC 7009)',
          tags,
          body: RevokeBody,
          response: {
            200: { type: 'null', description: 'The token is no longer valid, or never was.' },
            '4xx': OAuthError,
            '5xx': OAuthError,
          },
        },
      },
      async (request, reply) => {
        const { body } = request;
        const client = await authenticatedClient(deps, request, body);
        const refresh = readRefreshToken(vault, body.token);
        if (refresh) {
          const which = { id: refresh.grantId, clientId: client.id };
          await db.write((tx) => revokeGrants(tx, which, { reason: 'revoked by the client' }));
        } else {
          const claims = await verifier.inspect(body.token);
          if (claims?.client_id === client.id) await revokeToken(db, claims.jti, claims.exp * 1000);
        }
        return reply
          .headers(noStore)
          .code(200)
          .send(undefined as never);
      },
    );
  };
}

function needed(fields: Fields, name: keyof Fields): string {
  const value = fields[name];
  if (value) return value;
  throw new OAuthProblem('invalid_request', `The field ${name} is missing.`);
}
