import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows for an `otpauth://` address at that moment (RFC 6238: SHA-1, 6 digits, 30 s). */
export function totpOf(uri: string, milliseconds = Date.now()): string {
  const secret = base32(new URL(uri).searchParams.get('secret') ?? '');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(milliseconds / 30_000)));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function base32(text: string): Buffer {
  let bits = '';
  for (const letter of text.replace(/=+$/, '')) bits += alphabet.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
