import type { Vault } from '#core/vault.ts';
import type { ObjectRow } from './object-store.ts';
import type { BucketRow } from './store.ts';

/**
 * Addresses on the storage host. A signature binds the method, the path and the query, never the host, so that the same
 * address works behind any proxy. It is an HMAC under a key of the vault.
 */
export class Addresses {
  readonly #vault: Vault;
  readonly #base: () => string;

  /** `base`: the public address of the storage host, without a slash at the end. */
  constructor({ vault, base }: { vault: Vault; base: () => string }) {
    this.#vault = vault;
    this.#base = base;
  }

  /** Where the objects of a public bucket are, when the storage host has a name for each. */
  hostnameOf(bucket: BucketRow): string {
    return `${bucket.slug}.${new URL(this.#base()).host}`;
  }

  publicUrl(bucket: BucketRow, key: string, more: readonly string[] = []): string {
    return `${this.#base()}${withKey(`/public/${bucket.slug}`, key, more)}`;
  }

  /** For GET and HEAD, until that moment (ms). */
  signedUrl(bucket: BucketRow, object: ObjectRow, expiresAt: number, more: readonly string[] = []): string {
    const parameters = [`expires=${Math.floor(expiresAt / 1000)}`, ...more];
    const target = withKey(`/signed/${bucket.id}`, object.key, parameters);
    return `${this.#base()}${target}&signature=${this.#sign(`GET\n${target}`)}`;
  }

  uploadUrl(uploadId: string): string {
    const path = `/uploads/${uploadId}`;
    return `${this.#base()}${path}/${this.#sign(`PATCH\n${path}`)}`;
  }

  /** `target`: path and query as they came, up to the signature. */
  isSigned(method: 'GET' | 'PATCH', target: string, signature: string): boolean {
    const [, version, digest] = /^(\d{1,9})\.([\w-]{43})$/.exec(signature) ?? [];
    if (version === undefined || digest === undefined) return false;
    const stored = { version: Number(version), digest: Buffer.from(digest, 'base64url') };
    // The last character has two bits to spare: a signature has one spelling.
    if (stored.digest.toString('base64url') !== digest) return false;
    return this.#vault.matches(`storage address\n${method}\n${target}`, stored);
  }

  #sign(text: string): string {
    const { digest, version } = this.#vault.hash(`storage address\n${text}`);
    return `${version}.${digest.toString('base64url')}`;
  }
}

/** A key with parts that clients would resolve (`..`) goes into the query, any other into the path. */
function withKey(path: string, key: string, parameters: readonly string[]): string {
  const parts = key.split('/');
  const isPlain = !parts.some((part) => part === '.' || part === '..');
  const query = [...(isPlain ? [] : [`key=${encodeURIComponent(key)}`]), ...parameters];
  const whole = isPlain ? `${path}/${parts.map(encodeURIComponent).join('/')}` : path;
  return query.length > 0 ? `${whole}?${query.join('&')}` : whole;
}
