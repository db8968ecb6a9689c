import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CrcTable32, CrcTable64 } from './crc.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html */

export const algorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256', 'MD5'] as const;
export type Algorithm = (typeof algorithms)[number];

const digestBytes: Record<Algorithm, number> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
  MD5: 16,
};

export function algorithmOf(text: string): Algorithm | undefined {
  const upper = text.toUpperCase();
  return algorithms.find((name) => name === upper);
}

/** `x-amz-checksum-crc32c` */
export function headerOf(algorithm: Algorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** `ChecksumCRC32C` */
export function fieldOf(algorithm: Algorithm): string {
  return `Checksum${algorithm}`;
}

/** Whether a text is a digest of that kind in base 64. */
export function isDigest(algorithm: Algorithm, text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === digestBytes[algorithm] && bytes.toString('base64') === text;
}

export interface Checksum {
  update(chunk: Uint8Array): void;
  /** Base 64. Once. */
  digest(): string;
}

const castagnoli = new CrcTable32(0x82f63b78);
/** NVM Express 2.0, 5.2.1.3.4, reflected. */
const nvme = new CrcTable64(0x9a6c9329n, 0xac4bc9b5n);

export function newChecksum(algorithm: Algorithm): Checksum {
  if (algorithm === 'CRC32') return new Crc32();
  if (algorithm === 'CRC32C') return castagnoli.begin();
  if (algorithm === 'CRC64NVME') return nvme.begin();
  return new Hashed(createHash(algorithm.toLowerCase()));
}

class Hashed implements Checksum {
  readonly #hash: Hash;
  constructor(hash: Hash) {
    this.#hash = hash;
  }
  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }
  digest(): string {
    return this.#hash.digest('base64');
  }
}

class Crc32 implements Checksum {
  #value = 0;
  update(chunk: Uint8Array): void {
    this.#value = crc32(chunk, this.#value);
  }
  digest(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#value);
    return bytes.toString('base64');
  }
}

/** The digest of the digests of the parts, and their number: what S3 calls composite. */
export function compositeChecksum(algorithm: Algorithm, parts: readonly string[]): string {
  const sum = newChecksum(algorithm);
  for (const part of parts) sum.update(Buffer.from(part, 'base64'));
  return `${sum.digest()}-${parts.length}`;
}

/** Reflected polynomials, and how wide they are. */
const polynomials: Partial<Record<Algorithm, readonly [polynomial: bigint, bits: bigint]>> = {
  CRC32: [0xedb88320n, 32n],
  CRC32C: [0x82f63b78n, 32n],
  CRC64NVME: [0x9a6c9329ac4bc9b5n, 64n],
};

/** Whether the checksum of a whole follows from those of its parts. */
export function isCombinable(algorithm: Algorithm): boolean {
  return polynomials[algorithm] !== undefined;
}

/**
 * The CRC of parts put together, from their CRCs and lengths: that of what stands before is moved on by the length of
 * what follows, which is a multiplication by x^(8·length) modulo the polynomial.
 */
export function combineChecksums(
  algorithm: Algorithm,
  parts: readonly { value: string; size: number }[],
): string {
  const [polynomial, bits] = polynomials[algorithm] ?? [];
  if (polynomial === undefined || bits === undefined) throw new Error(`${algorithm} cannot be combined.`);
  const shifts = new Map<number, bigint>();
  let sum = 0n;
  for (const { value, size } of parts) {
    let shift = shifts.get(size);
    if (shift === undefined) {
      shift = powerOfX(BigInt(size) * 8n, polynomial, bits);
      shifts.set(size, shift);
    }
    sum =
      multiply(sum, shift, polynomial, bits) ^ BigInt(`0x${Buffer.from(value, 'base64').toString('hex')}`);
  }
  const hex = sum.toString(16).padStart(Number(bits) / 4, '0');
  return Buffer.from(hex, 'hex').toString('base64');
}

/** Of reflected polynomials: the highest bit is that of x^0. */
function multiply(a: bigint, b: bigint, polynomial: bigint, bits: bigint): bigint {
  let product = 0n;
  let factor = b;
  for (let bit = 1n << (bits - 1n); bit > 0n; bit >>= 1n) {
    if (a & bit) product ^= factor;
    factor = factor & 1n ? (factor >> 1n) ^ polynomial : factor >> 1n;
  }
  return product;
}

function powerOfX(exponent: bigint, polynomial: bigint, bits: bigint): bigint {
  let result = 1n << (bits - 1n);
  let square = 1n << (bits - 2n);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = multiply(result, square, polynomial, bits);
    square = multiply(square, square, polynomial, bits);
  }
  return result;
}
