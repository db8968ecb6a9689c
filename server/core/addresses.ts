import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whether the text is an IP address or a CIDR block (RFC 4632, RFC 4291). */
export function isAddressBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/**
 * Whether every address of the block is in one of the others. Blocks that only together cover it do not count. All of
 * them as `isAddressBlock` accepts them.
 */
export function isWithin(block: string, blocks: readonly string[]): boolean {
  const inner = readBlock(block);
  return blocks.map(readBlock).some((outer) => {
    if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
    const list = new BlockList();
    list.addSubnet(outer.address, outer.prefix, outer.family);
    return list.check(inner.address, inner.family);
  });
}

/** IPv4 addresses in IPv6 (`::ffff:192.0.2.0/120`) are read as what they are. */
function readBlock(block: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } {
  const [address = '', prefix] = block.split('/');
  if (isIPv4(address)) return { address, prefix: Number(prefix ?? 32), family: 'ipv4' };
  const mapped = embeddedIpv4(address);
  const bits = Number(prefix ?? 128);
  if (mapped !== undefined && bits >= 96) return { address: mapped, prefix: bits - 96, family: 'ipv4' };
  return { address, prefix: bits, family: 'ipv6' };
}

/** The IPv4 address in `::ffff:192.0.2.1` or `::ffff:c000:201`, however it is written; undefined for any other. */
function embeddedIpv4(address: string): string | undefined {
  if (!URL.canParse(`http://[${address}]/`)) return undefined;
  // The URL parser writes every IPv6 address in its one shortest form (RFC 5952).
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(
    new URL(`http://[${address}]/`).hostname,
  ) ?? ['', '', ''];
  if (!high || !low) return undefined;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
}

/**
 * What counts as one sender where requests are counted by address: an IPv4 address, or the /64 of an IPv6 address, of
 * which one customer has 2^64.
 */
export function senderOf(address: string): string {
  if (!address.includes(':')) return address;
  const ipv4 = embeddedIpv4(address);
  if (ipv4 !== undefined) return ipv4;
  const groups = groupsOf(address);
  return groups ? `${groups.slice(0, 4).join(':')}::/64` : address;
}

/** The eight groups of an IPv6 address in hexadecimal, however it is written; null for what is none. */
function groupsOf(address: string): string[] | null {
  const [plain = ''] = address.split('%', 1);
  if (!URL.canParse(`http://[${plain}]/`)) return null;
  const [head = '', tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...after];
}

/** Whether it is an IPv6 address whose last half wraps an IPv4 address (ISATAP, RFC 5214), whatever its network. */
export function isIsatap(address: string): boolean {
  if (!address.includes(':')) return false;
  const [, , , , flags = '', mark] = groupsOf(address) ?? [];
  return mark === '5efe' && /^(?:0|[123]00)$/.test(flags);
}

/** Blocks that `isAddressBlock` accepts, for asking whether an address is in one of them. */
export class AddressBlocks {
  readonly #list = new BlockList();

  constructor(blocks: readonly string[]) {
    for (const block of blocks) {
      const [address = '', prefix] = block.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      this.#list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
    }
  }

  /** IPv4 addresses that arrive over IPv6 (`::ffff:192.0.2.1`) count as what they are. */
  has(address: string): boolean {
    if (isIP(address) === 0) return false;
    return this.#list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}
