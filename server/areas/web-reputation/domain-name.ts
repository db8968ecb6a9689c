import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';

/** A name below a public suffix (https://publicsuffix.org), lower-case, in ASCII, without a dot at the end. */
export interface DomainName {
  readonly name: string;
  /** The label below the public suffix and the suffix; sections run by companies (github.io) count as suffixes. */
  readonly registrable: string;
  readonly suffix: string;
  /** The same below the suffixes of registries alone: github.io for user.github.io. */
  readonly registered: string;
  /** Whether the suffix is one of the public suffix list: false for names of private networks (printer.local). */
  readonly isPublic: boolean;
  /** Whether it is itself a suffix that a company runs: github.io. */
  readonly isSuffix: boolean;
}

/** Why a text is no domain, as the end of a sentence that begins with the text. */
export interface NoDomain {
  readonly refused: string;
  /** Set for names that others register below: com, co.uk. */
  readonly isSuffix?: true;
}

const maxNameLength = 253;
const ldhName = /^(?:(?!-)[a-z0-9_-]{1,63}(?<!-)\.)+(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * Reads a domain name as people and programs write it: any case, in Unicode (UTS #46, non-transitional) or in punycode,
 * with or without the root's dot. Lengths and label form after RFC 1035, 2.3; an underscore may stand in labels below the
 * registrable domain (RFC 8552).
 */
export function readDomain(text: string): DomainName | NoDomain {
  const bare = text.endsWith('.') ? text.slice(0, -1) : text;
  // Most are written as they are meant.
  const name = plainName.test(bare) ? bare : toAscii(bare);
  if (typeof name !== 'string') return name;
  if (name.length > maxNameLength) return { refused: `is longer than ${maxNameLength} characters` };
  if (!ldhName.test(name)) return { refused: formOf(name) };
  if (endsInNumber.test(name)) {
    return { refused: isIP(name) === 0 ? 'ends in a number, like an IP address' : 'is an IP address' };
  }
  const wrong =
    name.includes('xn--') && name.split('.').find((label) => label.startsWith('xn--') && !isPunycode(label));
  if (wrong) return { refused: `has the label ${wrong}, which is not valid punycode` };
  return belowSuffix(name);
}

const plainName = /^[a-z0-9.-]+$/;
/** As the WHATWG's URL standard tells an IPv4 address, however it is written. */
const endsInNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

export function isDomain(read: DomainName | NoDomain): read is DomainName {
  return !('refused' in read);
}

/** As a reader sees it: punycode labels in Unicode. */
export function toUnicode(name: string): string {
  return name.includes('xn--') ? domainToUnicode(name) || name : name;
}

function toAscii(text: string): string | NoDomain {
  if (text === '') return { refused: 'is empty' };
  if (/[/?#\\]/.test(text)) return { refused: 'is a URL; send its host name alone' };
  if (text.includes('@')) return { refused: 'is an e-mail address; send the part after the @' };
  if (isIP(text.replace(/^\[|\]$/g, '')) !== 0) return { refused: 'is an IP address' };
  if (/[\s%:[\]<>^|]/.test(text)) return { refused: 'has a character that no domain can have' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (/^[\x00-\x7f]+$/.test(text)) return text.toLowerCase();
  const ascii = domainToASCII(text);
  return ascii === '' ? { refused: 'has characters that no domain can have together' } : ascii;
}

function formOf(name: string): string {
  if (/^\.|\.\.|\.$/.test(name)) return 'has an empty label';
  if (/(^|\.)-|-(\.|$)/.test(name)) return 'has a label that begins or ends with a hyphen';
  if (/^[a-z0-9_-]+$/.test(name)) return 'is a single label; a domain has at least two';
  if (/[^.]{64}/.test(name)) return 'has a label of more than 63 characters';
  return 'has a character that no domain can have';
}

function isPunycode(label: string): boolean {
  const unicode = domainToUnicode(label);
  return !unicode.startsWith('xn--') && unicode !== '' && domainToASCII(unicode) === label;
}

const suffixOptions = {
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
  allowPrivateDomains: true,
} as const;
const registryOptions = { ...suffixOptions, allowPrivateDomains: false } as const;

function belowSuffix(name: string): DomainName | NoDomain {
  const nearest = parse(name, suffixOptions);
  const registered = nearest.isPrivate ? parse(name, registryOptions).domain : nearest.domain;
  if (!registered) return { refused: 'is a public suffix; send a name below it', isSuffix: true };
  if (registered.slice(0, registered.indexOf('.')).includes('_')) {
    return { refused: 'has an underscore in a label that can be registered' };
  }
  // The suffix of a company is itself a name that was registered: github.io is a domain, co.uk is not.
  const suffix = nearest.domain
    ? (nearest.publicSuffix ?? '')
    : registered.slice(registered.indexOf('.') + 1);
  const isPublic = nearest.isIcann === true || nearest.isPrivate === true;
  const registrable = nearest.domain ?? registered;
  return { name, registrable, suffix, registered, isPublic, isSuffix: nearest.domain === null };
}
