/**
 * HalfSipHash-2-4 with 64 bits of output, SipHash's form for 32-bit words (Aumasson and Bernstein,
 * https://github.com/veorq/SipHash). Keyed, so that nobody can make a name that meets a listed one.
 */
export interface HashKey {
  readonly k0: number;
  readonly k1: number;
}

/** 8 bytes. */
export function toHashKey(bytes: Uint8Array): HashKey {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return { k0: view.getUint32(0, true), k1: view.getUint32(4, true) };
}

// The state, kept out of the heap: look-ups allocate nothing.
let v0 = 0;
let v1 = 0;
let v2 = 0;
let v3 = 0;

/** Hashes the ASCII text from `start` on; the low and the high half come to stand in `into[at]` and `into[at + 1]`. */
export function hashName(key: HashKey, text: string, start: number, into: Uint32Array, at: number): void {
  v0 = key.k0;
  v1 = key.k1 ^ 0xee;
  v2 = 0x6c796765 ^ key.k0;
  v3 = 0x74656462 ^ key.k1;
  const length = text.length - start;
  const whole = start + (length & ~3);
  for (let i = start; i < whole; i += 4) {
    absorb(
      text.charCodeAt(i) |
        (text.charCodeAt(i + 1) << 8) |
        (text.charCodeAt(i + 2) << 16) |
        (text.charCodeAt(i + 3) << 24),
    );
  }
  let last = length << 24;
  for (let i = whole; i < text.length; i++) last |= text.charCodeAt(i) << (8 * (i - whole));
  absorb(last);
  v2 ^= 0xee;
  finish();
  into[at] = v1 ^ v3;
  v1 ^= 0xdd;
  finish();
  into[at + 1] = v1 ^ v3;
}

function absorb(word: number): void {
  v3 ^= word;
  round();
  round();
  v0 ^= word;
}

function finish(): void {
  round();
  round();
  round();
  round();
}

function round(): void {
  v0 = (v0 + v1) | 0;
  v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
  v0 = (v0 << 16) | (v0 >>> 16);
  v2 = (v2 + v3) | 0;
  v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
  v0 = (v0 + v3) | 0;
  v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
  v2 = (v2 + v1) | 0;
  v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
  v2 = (v2 << 16) | (v2 >>> 16);
}
