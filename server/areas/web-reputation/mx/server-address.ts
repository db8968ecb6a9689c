import { getServers } from 'node:dns';
import { isIP, isIPv6 } from 'node:net';

/** A name server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

const dnsPort = 53;

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`; undefined for anything else. */
export function readServerAddress(text: string): ServerAddress | undefined {
  if (isIP(text) !== 0) return { host: text, port: dnsPort };
  const [, host = '', digits = ''] = /^\[?([^[\]]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const isWritten = isIP(host) !== 0 && text.startsWith('[') === isIPv6(host);
  return isWritten && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

/** The servers that are set, or those of the machine (/etc/resolv.conf). */
export function nameServers(set: readonly string[]): ServerAddress[] {
  const texts = set.length > 0 ? set : getServers();
  return texts.map(readServerAddress).filter((server) => server !== undefined);
}
