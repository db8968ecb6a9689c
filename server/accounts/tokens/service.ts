import type { SealedColumn } from '#core/vault.ts';
import { privateJwkContext } from './signing-key.ts';

export { FailureThrottle } from './failures.ts';
export { type Claims, tokenSeconds } from './issuer.ts';
export { Keyring } from './keyring.ts';
export { revokeToken, sweepRevokedTokens } from './revocations.ts';
export { type KeyTimes, turnKeys } from './rotation.ts';
export { OAuthError } from './schema.ts';
export { type GrantState, peopleIssuer, TokenVerifier } from './verifier.ts';

export const sealedSigningKeys: SealedColumn = {
  table: 'signing_keys',
  column: 'private_jwk',
  key: ['kid'],
  context: ({ kid = '' }) => privateJwkContext(kid),
};
