import { duration, flag, integer, list, size, text } from '#core/settings.ts';
import { readServerAddress } from './mx/server-address.ts';

export const reputationSettings = {
  reputationRefresh: flag({
    name: 'MAINSTAY_REPUTATION_REFRESH',
    meaning: 'Whether threat feeds are fetched from the network. If false, only the bundled ones are used.',
    fallback: true,
  }),
  reputationFeedsFile: text({
    name: 'MAINSTAY_REPUTATION_FEEDS_FILE',
    meaning: 'A file that declares the feeds instead of the bundled one.',
    expected: 'a path',
  }),
  protectedNamesFile: text({
    name: 'MAINSTAY_REPUTATION_PROTECTED_NAMES_FILE',
    meaning: 'A file of further names that squats imitate, and of names that imitate nobody.',
    expected: 'a path',
  }),
  feedTimeout: duration({
    name: 'MAINSTAY_REPUTATION_FEED_TIMEOUT',
    meaning: 'How long downloading a threat feed may take.',
    fallback: '60s',
    minSeconds: 1,
  }),
  feedLeastPercent: integer({
    name: 'MAINSTAY_REPUTATION_FEED_LEAST_PERCENT',
    meaning: 'A list with fewer than this share of the names that it had is not taken; the old one stays.',
    fallback: 50,
    min: 0,
    max: 100,
  }),
  reputationCacheSize: integer({
    name: 'MAINSTAY_REPUTATION_CACHE_SIZE',
    meaning:
      'What lists and look-alikes say of how many domains each process remembers (about 300 bytes each).',
    fallback: 20_000,
    min: 1,
    max: 10_000_000,
  }),
  overrideLimit: integer({
    name: 'MAINSTAY_REPUTATION_OVERRIDES_PER_ORGANIZATION',
    meaning: 'How many overrides an organization can have, and the instance.',
    fallback: 1000,
    min: 1,
    max: 100_000,
  }),
  overrideCacheBytes: size({
    name: 'MAINSTAY_REPUTATION_OVERRIDE_CACHE',
    meaning: 'How much memory each process gives to overrides that it remembers.',
    fallback: '32MiB',
    minBytes: 2 ** 20,
    maxBytes: 2 ** 34,
  }),
  nameServers: list({
    name: 'MAINSTAY_DNS_SERVERS',
    meaning: 'Name servers for mail host lookups, in order. Default: those of the system.',
    expected: 'a list of addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53',
    accepts: (server) => readServerAddress(server) !== undefined,
  }),
  mxTimeout: duration({
    name: 'MAINSTAY_MX_TIMEOUT',
    meaning: 'How long a request waits for name servers before it uses the last known result.',
    fallback: '2s',
    minSeconds: 1,
    maxSeconds: 30,
  }),
  mxConcurrency: integer({
    name: 'MAINSTAY_MX_CONCURRENCY',
    meaning: 'How many DNS queries each process can have open concurrently.',
    fallback: 256,
    min: 1,
    max: 10_000,
  }),
  mxCacheSize: integer({
    name: 'MAINSTAY_MX_CACHE_SIZE',
    meaning: 'How many answers of name servers each process remembers (about 200 bytes each).',
    fallback: 100_000,
    min: 1,
    max: 10_000_000,
  }),
};
