/**
 * Texts of lines behind each other, as bytes. As strings they would live from being read until they are stored, and each
 * collection in between would copy them.
 */
export class Texts {
  bytes: Buffer;
  length = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  add(text: string): Text {
    // A UTF-16 unit is at most three bytes.
    this.#reserve(text.length * 3);
    const start = this.length;
    this.length += this.bytes.write(text, start);
    return { texts: this, start, end: this.length };
  }

  /** With a line feed before it, unless it is the first. */
  addLine({ texts, start, end }: Text, isFirst: boolean): void {
    this.#reserve(end - start + 1);
    if (!isFirst) this.bytes[this.length++] = lineFeed;
    this.length += texts.bytes.copy(this.bytes, this.length, start, end);
  }

  /** Makes room for the next ones. */
  clear(): void {
    this.length = 0;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** One of them. */
export interface Text {
  texts: Pick<Texts, 'bytes'>;
  start: number;
  end: number;
}

export const lineFeed = 10;

/** As text of its own. */
export function textOf(text: string): Text {
  const bytes = Buffer.from(text);
  return { texts: { bytes }, start: 0, end: bytes.length };
}
