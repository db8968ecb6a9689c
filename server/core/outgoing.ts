import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { AddressBlocks, isIsatap } from '#core/addresses.ts';

/** Blocks that no service on the Internet has (IANA's special-purpose registries, RFC 6890), or that wrap such. */
const specialBlocks = new AddressBlocks([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Those that hold an IPv4 address are refused whatever it is: what a translator on the way makes of them is not ours to say.
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/23', '2002::/16'],
  ...[
    '100::/64',
    '2001:db8::/32',
    '3fff::/20',
    '5f00::/16',
    'fc00::/7',
    'fe80::/10',
    'fec0::/10',
    'ff00::/8',
  ],
]);

/** A host that resolves to an address that must not be asked. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

const ownMilliseconds = 5000;
let own = { blocks: new AddressBlocks([]), at: Number.NEGATIVE_INFINITY };

/** Of this machine, public ones too: what listens on all of them is not meant for code of users. */
function ownAddresses(): AddressBlocks {
  if (performance.now() - own.at > ownMilliseconds) {
    const found = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    own = { blocks: new AddressBlocks(found.map(({ address }) => address)), at: performance.now() };
  }
  return own.blocks;
}

export type Resolve = (host: string) => Promise<readonly string[]>;

const resolveBySystem: Resolve = async (host) => {
  const found = await systemLookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

/**
 * Where connections to hosts named by others may go: to public addresses, and to those that the operator allows. What
 * was checked is what is connected to, so a name that resolves differently a moment later (DNS rebinding) gains nothing.
 */
export class Outgoing {
  readonly #allowed: AddressBlocks;
  readonly #resolve: Resolve;

  constructor(options: { allowed?: readonly string[]; resolve?: Resolve } = {}) {
    this.#allowed = new AddressBlocks(options.allowed ?? []);
    this.#resolve = options.resolve ?? resolveBySystem;
  }

  permits(address: string): boolean {
    if (isIP(address) === 0) return false;
    if (this.#allowed.has(address)) return true;
    return !specialBlocks.has(address) && !isIsatap(address) && !ownAddresses().has(address);
  }

  /**
   * The addresses of a host, or of a host that is an address. Throws `ForbiddenAddress` when one of them is not
   * permitted: a name that has both kinds is an attempt.
   */
  async addressesOf(host: string): Promise<readonly string[]> {
    const bare = host.startsWith('[') ? host.slice(1, -1) : host;
    const addresses = isIP(bare) ? [bare] : await this.#resolve(bare);
    if (bare === '' || addresses.length === 0) throw new Error(`${host} has no address.`);
    const bad = addresses.find((address) => !this.permits(address));
    if (bad !== undefined) throw new ForbiddenAddress(`${host} resolves to ${bad}, which is not public.`);
    return addresses;
  }

  /** For the `lookup` option of `net`, `tls`, `http` and `https`: hands out addresses that were checked before. */
  static pinned(addresses: readonly string[]): LookupFunction {
    const found = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
    return (_host, options, done) => {
      const [first] = found;
      if (options.all) done(null, found);
      else if (first) done(null, first.address, first.family);
    };
  }
}
