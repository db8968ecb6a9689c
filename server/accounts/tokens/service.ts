import type { SettingsOf } from '#core/settings.ts';
import type { SealedColumn } from '#core/vault.ts';
import { tokenSeconds } from './issuer.ts';
import type { KeyTimes } from './rotation.ts';
import type { tokenSettings } from './settings.ts';
import { privateJwkContext } from './signing-key.ts';

export { FailureThrottle } from './failures.ts';
export type { Claims } from './issuer.ts';
export { tokenSeconds } from './issuer.ts';
export { Keyring } from './keyring.ts';
export { revokeToken, sweepRevokedTokens } from './revocations.ts';
export { turnKeys } from './rotation.ts';
export { OAuthError } from './schema.ts';
export { SecretVerifier } from './secrets.ts';
export { type GrantState, peopleIssuer, TokenVerifier } from './verifier.ts';

export const sealedSigningKeys: SealedColumn = {
  table: 'signing_keys',
  column: 'private_jwk',
  key: ['kid'],
  context: ({ kid = '' }) => privateJwkContext(kid),
};

export function keyTimes(settings: SettingsOf<typeof tokenSettings>): KeyTimes {
  const { signingKeyRotation: rotationSeconds, signingKeyLead: leadSeconds } = settings;
  return { rotationSeconds, leadSeconds, tokenSeconds };
}
