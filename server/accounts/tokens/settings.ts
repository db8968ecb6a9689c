import { duration, integer } from '#core/settings.ts';

export const tokenSettings = {
  signingKeyRotation: duration({
    name: 'MAINSTAY_SIGNING_KEY_ROTATION',
    meaning: 'How long a key signs tokens before the next one takes over.',
    fallback: '30d',
    minSeconds: 60,
  }),
  signingKeyLead: duration({
    name: 'MAINSTAY_SIGNING_KEY_LEAD',
    meaning:
      'How long a key is published, at least, before it signs. Verifiers may keep the key set for half of it.',
    fallback: '10m',
  }),
  tokenCacheSize: integer({
    name: 'MAINSTAY_TOKEN_CACHE_SIZE',
    meaning: 'How many checked bearer tokens each process remembers (about 2 KiB each).',
    fallback: 10_000,
    min: 1,
    max: 10_000_000,
  }),
  tokenFailures: integer({
    name: 'MAINSTAY_TOKEN_FAILURES_PER_MINUTE',
    meaning:
      'Failed attempts a minute, for one client id or one address, after which further failures are answered 429. ' +
      'From a tenth of it on they are slowed.',
    fallback: 100,
    min: 1,
    max: 1_000_000,
  }),
};
