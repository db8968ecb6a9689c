import type { Vault } from '#core/vault.ts';

/**
 * Refresh tokens say which grant they belong to and the how-manieth of it they are, under a MAC of the vault's: `mrt_`
 * and base64url of the grant's id (16 bytes), the generation (6), HMAC-SHA-256 (32). Nothing secret has to be kept: the
 * grant knows its generation, and every older token that bears our MAC is proof that a used one came back.
 */
const prefix = 'mrt_';
const idLength = 16;
const generationLength = 6;
const macLength = 32;
const length = idLength + generationLength + macLength;
const encodedLength = prefix.length + Math.ceil((length * 4) / 3);

interface RefreshToken {
  grantId: string;
  generation: number;
}

function macOf({ grantId, generation }: RefreshToken): string {
  return `refresh token ${generation} of ${grantId}`;
}

export function writeRefreshToken(vault: Vault, token: RefreshToken): string {
  const bytes = Buffer.alloc(length);
  bytes.write(token.grantId.replaceAll('-', ''), 0, 'hex');
  bytes.writeUIntBE(token.generation, idLength, generationLength);
  vault.hash(macOf(token), 1).digest.copy(bytes, idLength + generationLength);
  return `${prefix}${bytes.toString('base64url')}`;
}

/** Undefined for what we never issued. Says nothing of whether the grant still stands. */
export function readRefreshToken(vault: Vault, text: string): RefreshToken | undefined {
  if (text.length !== encodedLength || !text.startsWith(prefix)) return undefined;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  if (bytes.length !== length) return undefined;
  const hex = bytes.toString('hex', 0, idLength);
  const grantId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const generation = bytes.readUIntBE(idLength, generationLength);
  const digest = bytes.subarray(idLength + generationLength);
  const token = { grantId, generation };
  return vault.matches(macOf(token), { digest, version: 1 }) ? token : undefined;
}
