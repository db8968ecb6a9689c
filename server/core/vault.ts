import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Tables } from '#core/db.ts';
import { Problem } from '#core/problem.ts';

/**
 * Envelope encryption at rest. A master key, which never touches the database, wraps data keys, which do, and which
 * encrypt everything that must be read back: AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce.
 * Sealed bytes: format 1 (1 byte), data key version (4 bytes), nonce (12), ciphertext, tag (16).
 */

const format = 1;
const headerLength = 5;
const nonceLength = 12;
const tagLength = 16;

export interface DataKey {
  version: number;
  key: Buffer;
  /** Not used to encrypt before this moment (ms): by then every node knows it. */
  activeFrom: number;
}

export function seal(key: Buffer, version: number, context: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context, 'utf8'));
  const header = Buffer.alloc(headerLength);
  header.writeUInt8(format, 0);
  header.writeUInt32BE(version, 1);
  return Buffer.concat([header, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the key or the context is another one, or a byte was changed. */
export function unseal(key: Buffer, context: string, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(headerLength, headerLength + nonceLength);
  const end = sealed.length - tagLength;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(context, 'utf8'))
    .setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(headerLength + nonceLength, end));
  return Buffer.concat([plain, decipher.final()]);
}

/** The version of the data key that sealed these bytes. */
export function sealedVersion(sealed: Uint8Array): number {
  return Buffer.from(sealed.buffer, sealed.byteOffset, headerLength).readUInt32BE(1);
}

/** A column that holds sealed bytes, or null. Each area lists its own. */
export interface SealedColumn {
  table: keyof Tables & string;
  column: string;
  /** The columns that identify a row, in the order of an index on them. */
  key: readonly string[];
  /** The context that the value was sealed with. */
  context: (key: Record<string, string>) => string;
}

export interface VaultKeys {
  data: readonly DataKey[];
  /** By version; secrets hashed under an old one keep it, as they cannot be hashed again. */
  hash: readonly DataKey[];
}

/** Encrypts and hashes with keys that `areas/vault` keeps current. */
export class Vault {
  #data = new Map<number, DataKey>();
  #hash = new Map<number, DataKey>();
  readonly #now: () => number;

  constructor(keys: VaultKeys, now: () => number) {
    this.#now = now;
    this.use(keys);
  }

  use(keys: VaultKeys): void {
    this.#data = new Map(keys.data.map((key) => [key.version, key]));
    this.#hash = new Map(keys.hash.map((key) => [key.version, key]));
  }

  /** The version that `encrypt` uses now. */
  get version(): number {
    return this.#newest(this.#data).version;
  }

  /** `context` says what the value is and whose (`table.column:id`): ciphertext moved to another row does not open. */
  encrypt(context: string, plain: string | Uint8Array): Buffer {
    const { key, version } = this.#newest(this.#data);
    return seal(key, version, context, typeof plain === 'string' ? Buffer.from(plain, 'utf8') : plain);
  }

  decrypt(context: string, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const known = this.#data.get(sealedVersion(bytes));
    if (!known) {
      const sentence = 'A key was rotated this moment and has not arrived here yet. Try again in a second.';
      throw new Problem('unavailable', sentence, { retryAfterSeconds: 1 });
    }
    return unseal(known.key, context, bytes);
  }

  decryptText(context: string, sealed: Uint8Array): string {
    return this.decrypt(context, sealed).toString('utf8');
  }

  /** HMAC-SHA-256 of a secret of high entropy, for storing it without keeping it. */
  hash(secret: string, version = this.#newest(this.#hash).version): { digest: Buffer; version: number } {
    const known = this.#hash.get(version) ?? this.#newest(this.#hash);
    return { digest: createHmac('sha256', known.key).update(secret).digest(), version };
  }

  /** The digests that the secret has under every key that is kept, for looking it up. */
  digests(secret: string): Buffer[] {
    return [...this.#hash.keys()].map((version) => this.hash(secret, version).digest);
  }

  /** Compares digests, never secrets, in constant time: timing would give a prefix away. */
  matches(secret: string, stored: { digest: Uint8Array; version: number }): boolean {
    const { digest } = this.hash(secret, stored.version);
    return digest.length === stored.digest.length && timingSafeEqual(digest, stored.digest);
  }

  #newest(keys: ReadonlyMap<number, DataKey>): DataKey {
    const now = this.#now();
    let newest: DataKey | undefined;
    let oldest: DataKey | undefined;
    for (const key of keys.values()) {
      if (key.activeFrom <= now && key.version > (newest?.version ?? 0)) newest = key;
      if (key.version < (oldest?.version ?? Number.POSITIVE_INFINITY)) oldest = key;
    }
    // The clock was ahead when they were made: the oldest is the one that every node knows.
    const key = newest ?? oldest;
    if (!key) throw new Error('The vault has no key.');
    return key;
  }
}
