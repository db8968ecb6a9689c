/**
 * SHA-256 (FIPS 180-4) of content that comes in parts. `crypto.subtle` wants all of it at once, which a file of gigabytes
 * is not; where the runtime has Node's own, that is used.
 */
export interface Digest {
  update(bytes: Uint8Array): void;
  hex(): string;
}

export function sha256(): Digest {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => { createHash(name: string): NativeHash } | undefined };
  };
  const native = process?.getBuiltinModule?.('node:crypto')?.createHash('sha256');
  if (!native) return new PlainSha256();
  return { update: (bytes) => void native.update(bytes), hex: () => native.digest('hex') };
}

interface NativeHash {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex'): string;
}

const constants = new Uint32Array(64);
const initial = new Uint32Array(8);
// The first 32 bits of the fractional parts of the roots of the first primes.
for (let candidate = 2, count = 0; count < 64; candidate++) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor++)
    if (candidate % divisor === 0) isPrime = false;
  if (!isPrime) continue;
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
  if (count < 8) initial[count] = fraction(candidate ** (1 / 2));
  constants[count++] = fraction(candidate ** (1 / 3));
}

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

export class PlainSha256 implements Digest {
  readonly #state = initial.slice();
  readonly #words = new Uint32Array(64);
  readonly #block = new Uint8Array(64);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(64 - this.#filled, bytes.length - at);
      this.#block.set(bytes.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled === 64) this.#mix();
    }
  }

  hex(): string {
    const bits = this.#length * 8;
    this.#block[this.#filled++] = 0x80;
    if (this.#filled > 56) {
      this.#block.fill(0, this.#filled);
      this.#mix();
    }
    this.#block.fill(0, this.#filled);
    const view = new DataView(this.#block.buffer);
    view.setUint32(56, Math.floor(bits / 2 ** 32));
    view.setUint32(60, bits >>> 0);
    this.#mix();
    return [...this.#state].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  #mix(): void {
    const words = this.#words;
    const view = new DataView(this.#block.buffer);
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(at * 4);
    for (let at = 16; at < 64; at++) {
      const early = words[at - 15] as number;
      const late = words[at - 2] as number;
      const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[at] = (words[at - 16] as number) + small + (words[at - 7] as number) + large;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.#state;
    for (let at = 0; at < 64; at++) {
      const choice = (e & f) ^ (~e & g);
      const first =
        (h +
          (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
          choice +
          (constants[at] as number) +
          (words[at] as number)) |
        0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries())
      this.#state[at] = (this.#state[at] as number) + word;
    this.#filled = 0;
  }
}
