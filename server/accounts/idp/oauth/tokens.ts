import { type Claims, type Keyring, tokenSeconds } from '#accounts/tokens/service.ts';
import type { UserRow } from '#accounts/users/service.ts';
import type { Clock } from '#core/clock.ts';
import { newId } from '#core/ids.ts';
import type { Vault } from '#core/vault.ts';
import type { GrantRow } from './grant-store.ts';
import { mayRefresh } from './grants.ts';
import { writeRefreshToken } from './refresh-token.ts';

export interface IssuerDeps {
  keyring: Keyring;
  vault: Vault;
  clock: Clock;
  /** Of people: `<base>/idp`. */
  issuer: string;
  /** The API: who the access tokens are for. */
  resource: string;
}

export interface TokenAnswer {
  token_type: 'Bearer';
  access_token: string;
  expires_in: number;
  scope: string;
  refresh_token?: string;
  id_token?: string;
}

/** The answer of the token endpoint for this grant (RFC 6749, 5.1). `scope`: a part of what was granted. */
export function tokensFor(deps: IssuerDeps, grant: GrantRow, scope = grant.scope): TokenAnswer {
  const { keyring, vault, clock, issuer, resource } = deps;
  const now = clock.now();
  const iat = Math.floor(now / 1000);
  const claims: Claims = {
    iss: issuer,
    aud: resource,
    sub: grant.user_id,
    client_id: grant.client_id,
    scope,
    iat,
    exp: iat + tokenSeconds,
    jti: newId(now),
    actor_type: 'user',
    grant_id: grant.id,
  };
  const refresh = mayRefresh(grant.scope)
    ? { refresh_token: writeRefreshToken(vault, { grantId: grant.id, generation: grant.generation }) }
    : {};
  const access_token = keyring.sign(claims);
  return { token_type: 'Bearer', access_token, expires_in: tokenSeconds, scope, ...refresh };
}

/** Who the person is, for the client (OpenID Connect Core 1.0, 2). */
export function idToken(deps: IssuerDeps, grant: GrantRow, user: UserRow, nonce: string | null): string {
  const iat = Math.floor(deps.clock.now() / 1000);
  const claims = {
    iss: deps.issuer,
    aud: grant.client_id,
    iat,
    exp: iat + tokenSeconds,
    auth_time: Math.floor(grant.authenticated_at / 1000),
    ...(nonce === null ? {} : { nonce }),
    ...profileClaims(user, grant.scope),
  };
  return deps.keyring.sign(claims, 'id');
}

/** Standard claims as far as the scope reaches (OpenID Connect Core 1.0, 5.4). */
export function profileClaims(user: UserRow, scope: string): { sub: string } & Record<string, unknown> {
  const scopes = new Set(scope.split(' '));
  return {
    sub: user.id,
    ...(scopes.has('email') ? { email: user.email, email_verified: user.email_verified === 1 } : {}),
    ...(scopes.has('profile')
      ? {
          name: user.name,
          ...(user.given_name === null ? {} : { given_name: user.given_name }),
          ...(user.family_name === null ? {} : { family_name: user.family_name }),
          ...(user.image_url === null ? {} : { picture: user.image_url }),
          updated_at: Math.floor(user.updated_at / 1000),
        }
      : {}),
  };
}
