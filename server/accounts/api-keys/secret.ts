import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * API key secrets: `mst_`, 43 characters of base 62 (256 random bits), 6 characters of checksum. The prefix lets
 * scanners find leaked ones; the checksum tells a mistyped or cut one apart before anything is looked up.
 */
const prefix = 'mst_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bodyLength = 43;
const checksumLength = 6;
const secretLength = prefix.length + bodyLength + checksumLength;

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits;
  return digits;
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumLength);
}

/** The secret that these 32 bytes make; random ones unless told otherwise. */
export function makeSecret(entropy: Buffer = randomBytes(32)): string {
  const body = base62(BigInt(`0x${entropy.toString('hex')}`), bodyLength);
  return `${prefix}${body}${checksum(body)}`;
}

/** Whether the text is a secret that we could have made. Says nothing of whether we did. */
export function isWellFormed(secret: string): boolean {
  if (secret.length !== secretLength || !secret.startsWith(prefix)) return false;
  const body = secret.slice(prefix.length, prefix.length + bodyLength);
  return secret.endsWith(checksum(body));
}
