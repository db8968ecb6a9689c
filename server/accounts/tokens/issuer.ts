import type { KeyState } from '#accounts/api-keys/service.ts';
import type { Clock } from '#core/clock.ts';
import { newId } from '#core/ids.ts';
import type { Keyring } from './keyring.ts';

/** Access tokens live five minutes: as long as a revocation list would have to remember them. */
export const tokenSeconds = 300;

/** What our access tokens say (RFC 9068, and the actor). Times are seconds. */
export interface Claims {
  iss: string;
  aud: string;
  sub: string;
  client_id: string;
  scope: string;
  iat: number;
  exp: number;
  jti: string;
  actor_type: string;
  organization_id?: string;
  application_id?: string;
  environment_id?: string;
  /** Of an API key's token: the secret that was exchanged. Deleting it ends its tokens. */
  secret_id?: string;
  /** Of a person's token: what they allowed the client. Revoking it ends its tokens. */
  grant_id?: string;
}

export interface TokenResponse {
  token_type: 'Bearer';
  access_token: string;
  expires_in: number;
  scope: string;
}

export function issueToken(
  { keyring, clock, issuer }: { keyring: Keyring; clock: Clock; issuer: string },
  key: KeyState,
  secretId: string,
): TokenResponse {
  const now = clock.now();
  const iat = Math.floor(now / 1000);
  const { actor } = key;
  const claims: Claims = {
    iss: issuer,
    aud: issuer,
    sub: actor.id,
    client_id: key.id,
    scope: key.scope,
    iat,
    exp: iat + tokenSeconds,
    jti: newId(now),
    actor_type: actor.type,
    secret_id: secretId,
  };
  if (actor.organizationId) claims.organization_id = actor.organizationId;
  if (actor.applicationId) claims.application_id = actor.applicationId;
  if (actor.environmentId) claims.environment_id = actor.environmentId;
  return {
    token_type: 'Bearer',
    access_token: keyring.sign(claims),
    expires_in: tokenSeconds,
    scope: key.scope,
  };
}
