import { pino } from 'pino';
import { keyStates } from '../../server/accounts/api-keys/service.ts';
import { grantStates } from '../../server/accounts/idp/service.ts';
import { issueToken } from '../../server/accounts/tokens/issuer.ts';
import { Keyring, keyTimes, TokenVerifier } from '../../server/accounts/tokens/service.ts';
import { systemClock } from '../../server/core/clock.ts';
import { readConfig } from '../../server/platform/config.ts';
import { openPlatform } from '../../server/platform/platform.ts';
import { bootstrapCommand } from '../../server/testing/process.ts';
import { ratio } from './report.ts';

/** The time of one bearer check in this process, for a token seen before and for one never seen. */
export async function verification(dataDir: string): Promise<void> {
  const { keys } = await bootstrapCommand({ MAINSTAY_DATA_DIR: dataDir });
  const config = readConfig({ MAINSTAY_DATA_DIR: dataDir });
  await using platform = await openPlatform(config, pino({ level: 'silent' }));
  const { db, vault } = platform;
  const clock = systemClock;
  const issuer = config.baseUrl;
  const keyring = await Keyring.open({ db, vault, clock, times: keyTimes(config) });
  const states = keyStates({ db, max: 1000 });
  const verifier = new TokenVerifier({
    db,
    keys: states,
    grants: grantStates({ db, max: 1000 }),
    keyring,
    clock,
    issuer,
    maxTokens: 100_000,
  });
  const state = await states.get(keys.application.id);
  if (!state) throw new Error('The bootstrap key is not there.');
  const issue = () => issueToken({ keyring, clock, issuer }, state, state.secrets[0]?.id ?? '').access_token;

  const count = 5000;
  const fresh = Array.from({ length: count + 500 }, issue);
  for (const token of fresh.slice(0, 500)) await verifier.authenticate(token, '127.0.0.1');
  let start = performance.now();
  for (const token of fresh.slice(500)) await verifier.authenticate(token, '127.0.0.1');
  ratio('uncached bearer check, microseconds', ((performance.now() - start) * 1000) / count, 'under 120');

  const seen = Buffer.from(fresh[0] ?? '');
  const copies = Array.from({ length: 200_000 }, () => seen.toString('latin1'));
  start = performance.now();
  for (const token of copies) void verifier.authenticate(token, '127.0.0.1');
  ratio('cached bearer check, microseconds', ((performance.now() - start) * 1000) / copies.length, 'under 2');
}
