import { isEmailValid } from '@hapi/address';
import { type DomainName, isDomain, readDomain } from '../domain-name.ts';

/** An address cut at its last @. */
export interface Address {
  readonly text: string;
  readonly local: string;
  /** As it was written, in lower case and punycode where that is possible. */
  readonly domainText: string;
  /** Undefined where no domain follows the @: an IP literal, a single label, a bare public suffix. */
  readonly domain: DomainName | undefined;
}

/** Cuts a text into the parts of an address, right or wrong ones; undefined where it is none at all. */
export function readAddress(text: string): Address | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const written = text.slice(at + 1).trim();
  if (at < 1 || written === '') return undefined;
  const domain = readDomain(written);
  const read = isDomain(domain) ? domain : undefined;
  return { text, local, domain: read, domainText: read?.name ?? written.toLowerCase() };
}

const maxAddressBytes = 254;
const maxLocalBytes = 64;

/** RFC 5321, 4.1.2, with non-ASCII text after RFC 6531, 3.3: `"john doe"`. */
const quoted = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|[^\p{ASCII}]|\\[\x20-\x7e])*"$/u;
/** Nobody can type or read these: controls, blanks beyond ASCII's, what turns the direction of writing, what is nothing. */
const unreadable = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

/**
 * Whether mail can be addressed so: RFC 5321 and, for other scripts, RFC 6531; lengths in bytes of UTF-8 after RFC 5321,
 * 4.5.3.1. Comments and folding white space belong to message headers, address literals to no person: both are refused.
 */
export function isWellFormed({ text, local, domain }: Address): boolean {
  if (!domain || domain.name.includes('_') || text.endsWith('.') || text.trim() !== text) return false;
  if (Buffer.byteLength(local) > maxLocalBytes || Buffer.byteLength(text) > maxAddressBytes) return false;
  if (local.startsWith('"')) return quoted.test(local) && !unreadable.test(local.replaceAll(' ', ''));
  return !unreadable.test(local) && isEmailValid(`${local}@example.com`, { ignoreLength: true });
}
