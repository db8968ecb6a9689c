import { isIP } from 'node:net';

/** What is stored of foreign text, without what would let a reader of the log act as its sender. */

export const redacted = '[redacted]';
/** Longer text is cut before it is searched. */
const maxSearched = 16 * 1024;

/** At most so many characters; one that was cut ends with an ellipsis. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = isHighSurrogate(text.charCodeAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const secretName =
  /auth|token|secret|passw|passphrase|session|signature|credential|api-?_?key|access-?_?key|private|cookie|jwt|csrf|xsrf|saml|assertion|otp|x-amz-cf-id/i;
/** Of the query alone: too short to be looked for inside other names. */
const secretParameters = new Set([
  'key',
  'sig',
  'code',
  'state',
  'pwd',
  'pin',
  'nonce',
  'sid',
  'hmac',
  'hash',
]);
const notSecret = new Set([
  'x-amz-signedheaders',
  'access-control-allow-credentials',
  'www-authenticate',
  'proxy-authenticate',
  'authority',
  'author',
]);

/** JSON web tokens, keys of this platform and of well-known others, and what stands behind Bearer or Basic. */
const secretValue =
  /eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\bmst_[\w-]{16,}|\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\b(?:Bearer|Basic|AWS4-HMAC-SHA256|Digest)\s+[^\s,]{6,}/g;

export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return !notSecret.has(lower) && secretName.test(lower);
}

/** Free text: a path, an error, a header's value. */
export function maskText(text: string): string {
  return cut(text, maxSearched).replace(secretValue, redacted);
}

/** A query without its question mark. Names stay; values of secrets do not. */
export function maskQuery(query: string): string {
  const parts = cut(query, maxSearched).split('&');
  return parts
    .map((part) => {
      const at = part.indexOf('=');
      if (at < 0) return maskText(part);
      const name = part.slice(0, at);
      const bare = decoded(name).toLowerCase();
      if (secretParameters.has(bare) || isSecretName(bare)) return `${name}=${redacted}`;
      return `${name}=${maskEncoded(part.slice(at + 1))}`;
    })
    .join('&');
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A value may be an address with a query of its own. */
function maskEncoded(value: string): string {
  const plain = decoded(value);
  const masked = maskAddress(plain);
  return masked === plain ? value : encodeURIComponent(masked);
}

/** An address, relative or absolute, of which the query and the fragment are masked. */
export function maskAddress(address: string): string {
  const text = maskText(address.replace(/^([a-z][a-z0-9+.-]{0,20}:\/\/)[^/@\s]{1,1024}@/i, `$1${redacted}@`));
  const at = text.search(/[?#]/);
  if (at < 0) return text;
  const [query = '', fragment] = text.slice(at + 1).split('#', 2);
  return `${text.slice(0, at + 1)}${maskQuery(query)}${fragment === undefined ? '' : `#${maskQuery(fragment)}`}`;
}

type Addresses = 'full' | 'truncated' | 'none';

/** The address as the operator wants it kept: whole, its network (/24 of IPv4, /48 of IPv6), or not at all. */
export function truncateAddress(address: string, addresses: Addresses): string | null {
  if (addresses === 'none') return null;
  const mapped = address.startsWith(':')
    ? (/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address)
    : address;
  const kind = isIP(mapped);
  if (kind === 0) return null;
  if (addresses === 'full') return mapped;
  if (kind === 4) return `${mapped.slice(0, mapped.lastIndexOf('.'))}.0`;
  return `${expanded(mapped).slice(0, 3).join(':')}::`;
}

/** The groups of an IPv6 address, without leading zeros. */
function expanded(address: string): string[] {
  const [head = '', tail] = (address.split('%')[0] as string).split('::', 2);
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const missing = Math.max(0, 8 - before.length - after.length);
  const all = [...before, ...(tail === undefined ? [] : Array<string>(missing).fill('0')), ...after];
  return all.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}

/** In whole milliseconds; NaN, which no engine stores, for what is no number. JSON has null for it, which would be 1970. */
export function momentOf(value: number): number {
  return Number.isFinite(value) ? Math.floor(value) : Number.NaN;
}
