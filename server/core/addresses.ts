import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whether the text is an IP address or a CIDR block (RFC 4632, RFC 4291). */
export function isAddressBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
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
    return this.#list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}
