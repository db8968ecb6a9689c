/** A Bloom filter of ten bits an entry and four probes: one in a hundred questions is answered "perhaps" in vain. */
export class Bloom {
  readonly bytes: Uint8Array;
  readonly #bits: number;

  constructor(
    entries: number,
    bytes: Uint8Array = new Uint8Array(Math.max(8, Math.ceil((entries * 10) / 8))),
  ) {
    this.bytes = bytes;
    this.#bits = bytes.length * 8;
  }

  static of(bytes: Uint8Array): Bloom {
    return new Bloom(0, bytes);
  }

  add(text: string): void {
    const [first, second] = hashes(text);
    for (let probe = 0; probe < 4; probe++) {
      const bit = (first + probe * second) % this.#bits;
      this.bytes[bit >>> 3] = (this.bytes[bit >>> 3] as number) | (1 << (bit & 7));
    }
  }

  has(text: string): boolean {
    const [first, second] = hashes(text);
    for (let probe = 0; probe < 4; probe++) {
      const bit = (first + probe * second) % this.#bits;
      if (((this.bytes[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }
}

/** FNV-1a, and a second one by another multiplication. */
function hashes(text: string): [number, number] {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b);
    second ^= second >>> 13;
  }
  return [first >>> 0, (second | 1) >>> 0];
}
