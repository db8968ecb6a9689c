import { zstdCompressSync } from 'node:zlib';
import {
  type ColumnHead,
  type EncodedColumn,
  encodeColumn,
  encodeQuickly,
} from '#adapters/sqlite-logs/columns.ts';
import { type Text, Texts } from '#adapters/sqlite-logs/texts.ts';
import type { Value } from '#core/logs/predicate.ts';

/**
 * Lines of one scope, up to 16 384 of them in the order of moment and id, by columns: a question reads the columns that
 * it names, and what is shown only of the lines that fit. Every part is a row of `part`, keyed by block and number.
 * A batch is a block of the lines that were stored together: quickly made, its text not compressed, and later merged.
 */
export const blockLines = 16_384;
export const partsPerBlock = 1024;
export const parts = {
  bloom: 64,
  times: 128,
  stored: 129,
  weight: 130,
  ids: 160,
  body: 192,
  detail: 512,
  folders: 704,
};
/** Lines a part. */
export const chunk = { ids: 1024, body: 64, detail: 128 };

export interface BlockLine {
  id: string;
  at: number;
  stored: number;
  weight: number;
  body: Text;
  /** Empty: there is none. */
  detail: Text;
}

export interface BlockHead {
  /** Of a batch: its text is not compressed. */
  plain?: true;
  columns: ColumnHead[];
  stored: ColumnHead;
  weight: ColumnHead;
}

export interface Block {
  scope: string;
  first: number;
  last: number;
  idMin: string;
  idMax: string;
  storedMin: number;
  storedMax: number;
  lines: number;
  head: BlockHead;
  parts: [number: number, data: Uint8Array][];
}

/** What a block has room for is counted by these, so that long lines make smaller ones. */
function unitsOf({ body, detail }: Pick<BlockLine, 'body' | 'detail'>): number {
  return 1 + Math.floor((body.end - body.start + detail.end - detail.start) / 4096);
}

/** Of an id among ids of 16 bytes each; -1: it is not there. */
export function indexOfId(ids: Buffer, wanted: Buffer): number {
  for (let at = ids.indexOf(wanted); at >= 0; at = ids.indexOf(wanted, at + 1))
    if (at % 16 === 0) return at / 16;
  return -1;
}

/** Takes the lines of one scope in the order of moment and id. */
export class BlockBuilder {
  readonly #scope: string;
  readonly #isBatch: boolean;
  readonly #ids: string[] = [];
  readonly #at: number[] = [];
  readonly #stored: number[] = [];
  readonly #weights: number[] = [];
  readonly #columns: Value[][];
  readonly #parts: Block['parts'] = [];
  readonly #bodies = new TextPart(parts.body, chunk.body);
  readonly #details = new TextPart(parts.detail, chunk.detail);

  units = 0;

  constructor(scope: string, { columns, isBatch }: { columns: number; isBatch: boolean }) {
    this.#scope = scope;
    this.#isBatch = isBatch;
    this.#columns = Array.from({ length: columns }, () => []);
  }

  add(line: BlockLine, columnValue: (column: number) => Value): void {
    this.#ids.push(line.id);
    this.#at.push(line.at);
    this.#stored.push(line.stored);
    this.#weights.push(line.weight);
    for (let index = 0; index < this.#columns.length; index++)
      (this.#columns[index] as Value[]).push(columnValue(index));
    this.units += unitsOf(line);
    this.#bodies.add(line.body);
    if (this.#bodies.isFull) this.#close(this.#bodies);
    this.#details.add(line.detail);
    if (this.#details.isFull) this.#close(this.#details);
  }

  build(): Block {
    const lines = this.#ids.length;
    const [first] = this.#at;
    const last = this.#at.at(-1);
    if (first === undefined || last === undefined) throw new Error('A block holds at least one line.');
    this.#close(this.#bodies);
    this.#close(this.#details);
    const encode = this.#isBatch ? encodeQuickly : encodeColumn;
    const columns = this.#columns.map((values, index) => {
      const { head, data, bloom, folders }: EncodedColumn = encode(values);
      if (data) this.#parts.push([index, data]);
      if (bloom) this.#parts.push([parts.bloom + index, bloom]);
      if (folders) this.#parts.push([parts.folders + index, folders]);
      return head;
    });
    const times = Uint32Array.from(this.#at, (at) => at - first);
    this.#parts.push([parts.times, new Uint8Array(times.buffer)]);
    const stored = encode(this.#stored);
    if (stored.data) this.#parts.push([parts.stored, stored.data]);
    const weight = encode(this.#weights);
    if (weight.data) this.#parts.push([parts.weight, weight.data]);
    for (let at = 0, number = parts.ids; at < lines; at += chunk.ids, number++) {
      const digits = this.#ids
        .slice(at, at + chunk.ids)
        .join('')
        .replaceAll('-', '');
      this.#parts.push([number, Buffer.from(digits, 'hex')]);
    }
    const [idMin, idMax] = bounds(this.#ids);
    const [storedMin, storedMax] = bounds(this.#stored);
    return {
      ...{ scope: this.#scope, first, last, lines, idMin, idMax, storedMin, storedMax },
      head: {
        ...{ columns, stored: stored.head, weight: weight.head },
        ...(this.#isBatch ? { plain: true } : {}),
      },
      parts: this.#parts,
    };
  }

  #close(part: TextPart): void {
    const { number } = part;
    const bytes = part.take();
    if (bytes) this.#parts.push([number, this.#isBatch ? Buffer.from(bytes) : zstdCompressSync(bytes)]);
  }
}

/** Texts of so many lines, as they come. */
class TextPart {
  number: number;
  readonly #size: number;
  readonly #texts = new Texts(4096);
  #lines = 0;

  constructor(first: number, size: number) {
    this.number = first;
    this.#size = size;
  }

  add(text: Text): void {
    this.#texts.addLine(text, this.#lines === 0);
    this.#lines++;
  }

  get isFull(): boolean {
    return this.#lines === this.#size;
  }

  /** Until the next one is added; undefined when they are all empty. Goes on with the next part. */
  take(): Uint8Array | undefined {
    const hasText = this.#texts.length >= this.#lines && this.#lines > 0;
    const bytes = hasText ? this.#texts.bytes.subarray(0, this.#texts.length) : undefined;
    this.#texts.clear();
    this.#lines = 0;
    this.number++;
    return bytes;
  }
}

export function bounds<T extends string | number>(values: readonly T[]): [min: T, max: T] {
  let [min, max] = [values[0] as T, values[0] as T];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}
