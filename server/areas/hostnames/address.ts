/** How hostnames of the table are written for the world. */
export interface Addresses {
  /** The parent of the system hostnames. */
  readonly domain: string;
  /** With the port where it is not the scheme's own, since clients print the scheme and this. */
  of(name: string): string;
  /** Without one, as DNS knows it. */
  host(name: string): string;
}

export function addresses(options: {
  appsDomain: string | undefined;
  appsPort: number;
  gatewayPort: number;
}): Addresses {
  const domain = options.appsDomain ?? 'apps.localhost';
  const port = options.appsPort || options.gatewayPort;
  const suffix = [0, 80, 443].includes(port) ? '' : `:${port}`;
  // A label has no dot; a domain of its owner's has one.
  const host = (name: string) => (name.includes('.') ? name : `${name}.${domain}`);
  return { domain, host, of: (name) => host(name) + suffix };
}
