import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { AddressBlocks } from '#core/addresses.ts';

/** Who asks, and how: as the connection says, or as a trusted proxy in front of us does. */
export interface Client {
  address: string;
  scheme: 'http' | 'https';
}

export function clientOf({ socket, headers }: IncomingMessage, trusted: AddressBlocks): Client {
  const peer = bare(socket.remoteAddress ?? '');
  if (peer === '' || !trusted.has(peer)) return { address: peer, scheme: 'http' };
  const chain = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((one) => bare(one.trim()))
    .filter((one) => one !== '');
  let address = peer;
  // From our side: the first that is no proxy of ours is who asks; what stands before it, or before what is no address,
  // anybody may have written.
  for (const one of chain.toReversed()) {
    if (isIP(one) === 0) break;
    address = one;
    if (!trusted.has(one)) break;
  }
  const scheme = String(headers['x-forwarded-proto'] ?? '')
    .split(',')[0]
    ?.trim();
  return { address, scheme: scheme === 'https' ? 'https' : 'http' };
}

/** An IPv4 address that came over an IPv6 socket is an IPv4 address. */
function bare(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
