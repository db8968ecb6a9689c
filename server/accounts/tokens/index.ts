import type { KeyStates } from '#accounts/api-keys/service.ts';
import type { Cached } from '#core/cached.ts';
import type { LastUsed } from '#core/last-used.ts';
import type { Series } from '#core/series.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { tokenRoutes } from './routes.ts';
import {
  FailureThrottle,
  type GrantState,
  Keyring,
  keyTimes,
  SecretVerifier,
  sealedSigningKeys,
  sweepRevokedTokens,
  TokenVerifier,
  turnKeys,
} from './service.ts';
import { tokenSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Tokens', group: tokenSettings },
  tables: ['signing_keys', 'revoked_tokens'],
  sealedColumns: [sealedSigningKeys],
} satisfies Area;

export async function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'log' | 'baseUrl', typeof tokenSettings>,
  needs: {
    keys: KeyStates;
    keysUsed: LastUsed;
    /** What people granted, by id. */
    grants: Cached<GrantState | null>;
    series: Series;
  },
): Promise<
  OpenedArea & {
    keyring: Keyring;
    verifier: TokenVerifier;
    failures: FailureThrottle;
    secrets: SecretVerifier;
  }
> {
  const { db, vault, clock, log, baseUrl: issuer, settings } = parts;
  const { keys, keysUsed: lastUsed, grants, series } = needs;
  const times = keyTimes(settings);
  const keyring = await Keyring.open({ db, vault, clock, times });
  const failures = new FailureThrottle({ limit: settings.tokenFailures, clock });
  const maxTokens = settings.tokenCacheSize;
  const verifier = new TokenVerifier({ db, keys, grants, keyring, clock, issuer, maxTokens });
  const secrets = new SecretVerifier({ db, vault, clock, keys, keysUsed: lastUsed, failures });
  return {
    ...{ keyring, verifier, failures, secrets },
    routes: [
      tokenRoutes({ db, vault, clock, keys, failures, keyring, verifier, lastUsed, issuer, log, series }),
    ],
    tasks: [
      { everySeconds: 60, name: 'turn signing keys', work: () => turnKeys({ db, vault, clock, times }) },
      { everySeconds: 300, name: 'sweep revoked tokens', work: () => sweepRevokedTokens(db, clock.now()) },
    ],
  };
}
