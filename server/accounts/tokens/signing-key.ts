import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  type webcrypto,
} from 'node:crypto';
import type { Vault } from '#core/vault.ts';
import type { SigningKeyRow } from './keyring-store.ts';

/** A signing key as it is used: parsed, decrypted, its header written. */
export interface SigningKey {
  kid: string;
  publicJwk: webcrypto.JsonWebKey;
  publicKey: KeyObject;
  privateKey: KeyObject;
  /** The first part of an access token, encoded: the same to the letter for every one of this key. */
  header: string;
  /** The same for ID tokens, which are told apart by it: one is never accepted where the other belongs. */
  idHeader: string;
  /** Milliseconds; null: it waits for its turn. */
  signsFrom: number | null;
}

export function privateJwkContext(kid: string): string {
  return `signing_keys.private_jwk:${kid}`;
}

/** A fresh P-256 key. Its id is its RFC 7638 thumbprint. */
export function newSigningKey(vault: Vault, now: number, signsFrom: number | null): SigningKeyRow {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
  const privateJwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
  return {
    kid,
    public_jwk: JSON.stringify({ kty, crv, x, y, kid, use: 'sig', alg: 'ES256' }),
    private_jwk: vault.encrypt(privateJwkContext(kid), privateJwk),
    signs_from: signsFrom,
    signs_until: null,
    created_at: now,
  };
}

export function toSigningKey(row: SigningKeyRow, vault: Vault): SigningKey {
  const publicJwk = JSON.parse(row.public_jwk) as webcrypto.JsonWebKey;
  const privateJwk = JSON.parse(
    vault.decryptText(privateJwkContext(row.kid), row.private_jwk),
  ) as webcrypto.JsonWebKey;
  const header = (typ: string) =>
    Buffer.from(JSON.stringify({ alg: 'ES256', typ, kid: row.kid })).toString('base64url');
  return {
    kid: row.kid,
    publicJwk,
    publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
    privateKey: createPrivateKey({ key: privateJwk, format: 'jwk' }),
    header: header('at+jwt'),
    idHeader: header('JWT'),
    signsFrom: row.signs_from,
  };
}

/**
 * The key that signs at this moment: the last whose moment has come. Where none has come, because the clock was ahead
 * when the keys were made, the first.
 */
export function inCharge<K>(
  keys: readonly K[],
  signsFrom: (key: K) => number | null,
  now: number,
): K | undefined {
  let signer: K | undefined;
  let first: K | undefined;
  for (const key of keys) {
    const from = signsFrom(key);
    if (from === null) continue;
    if (from < (first ? (signsFrom(first) ?? 0) : Number.POSITIVE_INFINITY)) first = key;
    if (from <= now && from >= (signer ? (signsFrom(signer) ?? 0) : 0)) signer = key;
  }
  return signer ?? first;
}
