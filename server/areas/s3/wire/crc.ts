/** CRCs that Node does not have: eight bytes a step, by tables (Kounavis and Berry, 2008). */

interface Running {
  update(chunk: Uint8Array): void;
  digest(): string;
}

export class CrcTable32 {
  readonly #polynomial: number;
  #tables: Int32Array[] | undefined;

  constructor(reflected: number) {
    this.#polynomial = reflected;
  }

  begin(): Running {
    this.#tables ??= this.#build();
    const [t0, t1, t2, t3, t4, t5, t6, t7] = this.#tables as [
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    let crc = -1;
    return {
      update(chunk) {
        let at = 0;
        const end = chunk.length - 7;
        let c = crc;
        for (; at < end; at += 8) {
          c ^=
            (chunk[at] as number) |
            ((chunk[at + 1] as number) << 8) |
            ((chunk[at + 2] as number) << 16) |
            ((chunk[at + 3] as number) << 24);
          c =
            (t7[c & 255] as number) ^
            (t6[(c >>> 8) & 255] as number) ^
            (t5[(c >>> 16) & 255] as number) ^
            (t4[c >>> 24] as number) ^
            (t3[chunk[at + 4] as number] as number) ^
            (t2[chunk[at + 5] as number] as number) ^
            (t1[chunk[at + 6] as number] as number) ^
            (t0[chunk[at + 7] as number] as number);
        }
        for (; at < chunk.length; at++) c = (c >>> 8) ^ (t0[(c ^ (chunk[at] as number)) & 255] as number);
        crc = c;
      },
      digest() {
        const bytes = Buffer.alloc(4);
        bytes.writeInt32BE(~crc);
        return bytes.toString('base64');
      },
    };
  }

  #build(): Int32Array[] {
    const tables = Array.from({ length: 8 }, () => new Int32Array(256));
    const first = tables[0] as Int32Array;
    for (let byte = 0; byte < 256; byte++) {
      let c = byte;
      for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ this.#polynomial : c >>> 1;
      first[byte] = c;
    }
    for (let table = 1; table < 8; table++) {
      const [before, current] = [tables[table - 1] as Int32Array, tables[table] as Int32Array];
      for (let byte = 0; byte < 256; byte++) {
        const c = before[byte] as number;
        current[byte] = (c >>> 8) ^ (first[c & 255] as number);
      }
    }
    return tables;
  }
}

/** 64 bits as two halves: BigInt would make an object a byte. */
export class CrcTable64 {
  readonly #high: bigint;
  readonly #low: bigint;
  #tables: { high: Int32Array; low: Int32Array } | undefined;

  constructor(high: bigint, low: bigint) {
    this.#high = high;
    this.#low = low;
  }

  begin(): Running {
    this.#tables ??= this.#build();
    const { high: h, low: l } = this.#tables;
    let high = -1;
    let low = -1;
    return {
      update(chunk) {
        let [ch, cl] = [high, low];
        let at = 0;
        const end = chunk.length - 7;
        for (; at < end; at += 8) {
          cl ^=
            (chunk[at] as number) |
            ((chunk[at + 1] as number) << 8) |
            ((chunk[at + 2] as number) << 16) |
            ((chunk[at + 3] as number) << 24);
          ch ^=
            (chunk[at + 4] as number) |
            ((chunk[at + 5] as number) << 8) |
            ((chunk[at + 6] as number) << 16) |
            ((chunk[at + 7] as number) << 24);
          const i0 = 1792 + (cl & 255);
          const i1 = 1536 + ((cl >>> 8) & 255);
          const i2 = 1280 + ((cl >>> 16) & 255);
          const i3 = 1024 + (cl >>> 24);
          const i4 = 768 + (ch & 255);
          const i5 = 512 + ((ch >>> 8) & 255);
          const i6 = 256 + ((ch >>> 16) & 255);
          const i7 = ch >>> 24;
          cl =
            (l[i0] as number) ^
            (l[i1] as number) ^
            (l[i2] as number) ^
            (l[i3] as number) ^
            (l[i4] as number) ^
            (l[i5] as number) ^
            (l[i6] as number) ^
            (l[i7] as number);
          ch =
            (h[i0] as number) ^
            (h[i1] as number) ^
            (h[i2] as number) ^
            (h[i3] as number) ^
            (h[i4] as number) ^
            (h[i5] as number) ^
            (h[i6] as number) ^
            (h[i7] as number);
        }
        for (; at < chunk.length; at++) {
          const index = (cl ^ (chunk[at] as number)) & 255;
          cl = ((cl >>> 8) | (ch << 24)) ^ (l[index] as number);
          ch = (ch >>> 8) ^ (h[index] as number);
        }
        high = ch;
        low = cl;
      },
      digest() {
        const bytes = Buffer.alloc(8);
        bytes.writeInt32BE(~high);
        bytes.writeInt32BE(~low, 4);
        return bytes.toString('base64');
      },
    };
  }

  #build(): { high: Int32Array; low: Int32Array } {
    const high = new Int32Array(2048);
    const low = new Int32Array(2048);
    const polynomial = (this.#high << 32n) | this.#low;
    for (let byte = 0; byte < 256; byte++) {
      let c = BigInt(byte);
      for (let bit = 0; bit < 8; bit++) c = c & 1n ? (c >> 1n) ^ polynomial : c >> 1n;
      high[byte] = Number(BigInt.asIntN(32, c >> 32n));
      low[byte] = Number(BigInt.asIntN(32, c));
    }
    for (let at = 256; at < 2048; at++) {
      const [h, l] = [high[at - 256] as number, low[at - 256] as number];
      const index = l & 255;
      low[at] = ((l >>> 8) | (h << 24)) ^ (low[index] as number);
      high[at] = (h >>> 8) ^ (high[index] as number);
    }
    return { high, low };
  }
}
