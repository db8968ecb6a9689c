import { isAddressBlock } from '#core/addresses.ts';
import { duration, integer, list, size, text, url } from '#core/settings.ts';

const server = /^[a-z0-9.-]+(:\d{1,5})?$/i;

export const whoisSettings = {
  whoisCacheAge: duration({
    name: 'MAINSTAY_WHOIS_CACHE_AGE',
    meaning:
      'How long the record of a registered domain is served before it is asked for again; an hour at most while the domain is about to expire.',
    fallback: '1d',
  }),
  whoisNegativeCacheAge: duration({
    name: 'MAINSTAY_WHOIS_NEGATIVE_CACHE_AGE',
    meaning: 'How long the result that a domain is not registered is cached.',
    fallback: '10m',
  }),
  whoisStaleAge: duration({
    name: 'MAINSTAY_WHOIS_STALE_AGE',
    meaning: 'How much longer an old record is served while a new one is fetched, or cannot be.',
    fallback: '7d',
  }),
  whoisCacheSize: integer({
    name: 'MAINSTAY_WHOIS_CACHE_SIZE',
    meaning: 'How many records the database keeps (about 5 KiB each); the oldest free some space.',
    fallback: 100_000,
    min: 1,
    max: 100_000_000,
  }),
  whoisMemory: size({
    name: 'MAINSTAY_WHOIS_MEMORY',
    meaning: 'How much memory each process gives to the busiest of them.',
    fallback: '16MiB',
    minBytes: 65_536,
  }),
  whoisConnectTimeout: duration({
    name: 'MAINSTAY_WHOIS_CONNECT_TIMEOUT',
    meaning: 'How long a registry may take to accept a connection.',
    fallback: '5s',
    minSeconds: 1,
    maxSeconds: 60,
  }),
  whoisIdleTimeout: duration({
    name: 'MAINSTAY_WHOIS_IDLE_TIMEOUT',
    meaning: 'How long a registry may be silent in the middle of an answer.',
    fallback: '8s',
    minSeconds: 1,
    maxSeconds: 120,
  }),
  whoisTotalTimeout: duration({
    name: 'MAINSTAY_WHOIS_TOTAL_TIMEOUT',
    meaning: 'How long one answer of a registry may take in all.',
    fallback: '15s',
    minSeconds: 1,
    maxSeconds: 300,
  }),
  whoisMaxAnswer: size({
    name: 'MAINSTAY_WHOIS_MAX_ANSWER',
    meaning: 'The largest answer of a registry that is read.',
    fallback: '256KiB',
    minBytes: 1024,
    maxBytes: 2 ** 26,
  }),
  whoisConcurrency: integer({
    name: 'MAINSTAY_WHOIS_CONCURRENCY',
    meaning: 'Connections of one process to one registry at a time.',
    fallback: 4,
    min: 1,
    max: 1_000,
  }),
  whoisPerMinute: integer({
    name: 'MAINSTAY_WHOIS_PER_MINUTE',
    meaning: 'Queries of one process to one registry a minute.',
    fallback: 60,
    min: 1,
    max: 100_000,
  }),
  whoisQueueTimeout: duration({
    name: 'MAINSTAY_WHOIS_QUEUE_TIMEOUT',
    meaning: 'How long a query can be queued before 503 is returned.',
    fallback: '10s',
    maxSeconds: 300,
  }),
  whoisBootstrapUrl: url({
    name: 'MAINSTAY_WHOIS_BOOTSTRAP_URL',
    meaning: 'Where the list of RDAP services is fetched every day (RFC 9224).',
    protocols: ['https:', 'http:'],
    shown: 'https://data.iana.org/rdap/dns.json',
  }),
  whoisRdapServices: list({
    name: 'MAINSTAY_WHOIS_RDAP_SERVICES',
    meaning: 'RDAP services that win over that list, as `tld=url`.',
    accepts: (item) => URL.canParse(pair(item)[1]) && /^https?:/.test(pair(item)[1]) && pair(item)[0] !== '',
    expected: 'a list of tld=url, such as de=https://rdap.denic.de/',
  }),
  whoisServers: list({
    name: 'MAINSTAY_WHOIS_SERVERS',
    meaning: 'WHOIS servers that win over the referrals of the root, as `suffix=host` or `suffix=host:port`.',
    accepts: (item) => server.test(pair(item)[1]) && pair(item)[0] !== '',
    expected: 'a list of suffix=host, such as ch=whois.nic.ch',
  }),
  whoisRootServer: text({
    name: 'MAINSTAY_WHOIS_ROOT_SERVER',
    meaning: 'The WHOIS server that knows the server of each TLD.',
    shown: 'whois.iana.org',
    expected: 'a host, or host:port',
    pattern: server,
  }),
  whoisPrivateAddresses: list({
    name: 'MAINSTAY_WHOIS_PRIVATE_ADDRESSES',
    meaning:
      'Addresses (CIDR) of servers of your own that may be asked although they are not public. None by default, so that no answer can lead into your network.',
    accepts: isAddressBlock,
    expected: 'a list of addresses or CIDR blocks',
  }),
};

/** "tld=value" taken apart. */
export function pair(item: string): [string, string] {
  const at = item.indexOf('=');
  return at < 0 ? ['', ''] : [item.slice(0, at).trim().toLowerCase(), item.slice(at + 1).trim()];
}
