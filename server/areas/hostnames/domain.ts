import { isDomain, readDomain } from '#areas/web-reputation/service.ts';
import { Problem } from '#core/problem.ts';

/** A domain of an application's owner: `example.com`, `www.example.com` or `*.example.com`, in ASCII. */
export interface OwnDomain {
  readonly name: string;
  readonly isWildcard: boolean;
  /** Registered as it is: no CNAME record can stand there (RFC 1034, 3.6.2). */
  readonly isApex: boolean;
  /** Where the TXT record stands. */
  readonly proofName: string;
}

const wildcard = '*.';

/** Throws what is wrong with it. `own` are names of the platform: neither they nor what is below them can be taken. */
export function readOwnDomain(text: string, own: readonly string[]): OwnDomain {
  const trimmed = text.trim();
  const isWildcard = trimmed.startsWith(wildcard);
  const bare = isWildcard ? trimmed.slice(wildcard.length) : trimmed;
  if (bare.includes('*')) throw refusal(trimmed, 'may have an asterisk only as its whole first label');
  const read = readDomain(bare);
  if (!isDomain(read)) throw refusal(trimmed, read.refused);
  if (!read.isPublic)
    throw refusal(trimmed, 'is not below a public suffix, so its ownership cannot be verified');
  if (read.isSuffix) throw refusal(trimmed, 'is a public suffix; send a name below it');
  if (own.some((name) => read.name === name || read.name.endsWith(`.${name}`)))
    throw refusal(trimmed, 'belongs to this platform');
  return toOwnDomain(isWildcard ? wildcard + read.name : read.name);
}

/** Of a name that was read before. */
export function toOwnDomain(name: string): OwnDomain {
  const isWildcard = name.startsWith(wildcard);
  const bare = isWildcard ? name.slice(wildcard.length) : name;
  const read = readDomain(bare);
  return {
    name,
    isWildcard,
    isApex: !isWildcard && isDomain(read) && read.registrable === bare,
    proofName: `_mainstay.${bare}`,
  };
}

function refusal(text: string, what: string): Problem {
  return new Problem('invalid_request', `"${text.slice(0, 100)}" ${what}.`);
}
