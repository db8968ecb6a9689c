import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { Problem } from '#core/problem.ts';
import { suffixServers } from './sources/known-servers.ts';

/** A name that can be looked up: the registrable domain of what was asked. */
export interface RootDomain {
  /** Punycode, lower-case: what registries are asked, and the key of the cache. */
  readonly ascii: string;
  /** The suffix below which names are registered, in the same form: "co.uk". */
  readonly suffix: string;
  readonly tld: string;
}

const MAX_NAME = 253;

function bad(sentence: string): Problem {
  return new Problem('invalid_request', sentence);
}

/**
 * The registrable domain (public suffix list) of a name in Unicode or punycode. Throws `Problem('invalid_request')` that
 * says what the text is instead.
 */
export function rootDomain(given: string): RootDomain {
  const shown = given.length > 80 ? `${given.slice(0, 80)}...` : given;
  if (given.trim() === '')
    throw bad('The parameter "domain" is empty: send a domain name, such as example.com.');
  if (given.includes('://') || given.includes('/')) {
    throw bad(`"${shown}" is a URL: send the host name alone, such as example.com.`);
  }
  if (given.includes('@')) throw bad(`"${shown}" is an e-mail address: send the part behind the @.`);
  if (/\s/.test(given)) throw bad(`"${shown}" contains blanks: send one domain name.`);
  const bare = given.endsWith('.') ? given.slice(0, -1) : given;
  if (isIP(bare) !== 0 || (bare.startsWith('[') && bare.endsWith(']'))) {
    throw bad(`"${shown}" is an IP address: only domain names can be looked up.`);
  }
  const ascii = asciiName(bare, shown);
  if (isIP(ascii) !== 0) throw bad(`"${shown}" is an IP address: only domain names can be looked up.`);
  const { domain, publicSuffix } = suffixOf(ascii);
  if (domain === null || publicSuffix === null) {
    throw bad(
      `"${shown}" is a public suffix, or a name without a dot: send a domain below one, such as example.com.`,
    );
  }
  return { ascii: domain, suffix: publicSuffix, tld: ascii.slice(ascii.lastIndexOf('.') + 1) };
}

function asciiName(bare: string, shown: string): string {
  const ascii = bare.length > 4 * MAX_NAME ? '' : domainToASCII(bare);
  if (ascii.length > MAX_NAME || (ascii === '' && bare.length > MAX_NAME)) {
    throw bad(`The name is longer than the ${MAX_NAME} characters that a domain name may have.`);
  }
  const labels = ascii.split('.');
  if (ascii === '' || !labels.every(isLabel)) throw bad(`"${shown}" is not a domain name.`);
  // Node leaves a label that does not decode as it is.
  if (
    domainToUnicode(ascii)
      .split('.')
      .some((label) => label.startsWith('xn--'))
  ) {
    throw bad(`"${shown}" contains punycode that does not decode.`);
  }
  return ascii;
}

function isLabel(label: string): boolean {
  return label.length <= 63 && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label);
}

function suffixOf(ascii: string): { domain: string | null; publicSuffix: string | null } {
  const { domain, publicSuffix } = parse(ascii, { allowPrivateDomains: false, validateHostname: false });
  // "example.uk.com": below a name of their own, some companies run registries.
  if (domain !== null && suffixServers.has(domain)) {
    if (ascii === domain) return { domain, publicSuffix };
    const below = ascii
      .slice(0, -domain.length - 1)
      .split('.')
      .at(-1);
    return { domain: `${below}.${domain}`, publicSuffix: domain };
  }
  return { domain, publicSuffix };
}
