import { zstdCompressSync } from 'node:zlib';
import { type ColumnHead, encodeColumn } from '#adapters/sqlite-logs/columns.ts';
import type { Value } from '#core/logs/predicate.ts';

/**
 * Lines of one scope, up to 16 384 of them in the order of moment and id, by columns: a question reads the columns that
 * it names, and what is shown only of the lines that fit. Every part is a row of `part`, keyed by block and number.
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
  body: string;
  detail: string;
}

export interface BlockHead {
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

/** Takes the lines of one scope in the order of moment and id. */
export class BlockBuilder {
  readonly #scope: string;
  readonly #ids: string[] = [];
  readonly #at: number[] = [];
  readonly #stored: number[] = [];
  readonly #weights: number[] = [];
  readonly #columns: Value[][];
  readonly #parts: Block['parts'] = [];
  // What is shown is compressed as it comes: megabytes of text that outlive the young generation cost more than that.
  readonly #bodies: string[] = [];
  readonly #details: string[] = [];

  constructor(scope: string, columns: number) {
    this.#scope = scope;
    this.#columns = Array.from({ length: columns }, () => []);
  }

  /** The line's columns stand in `values`, from `first` on. */
  add(line: BlockLine, values: readonly Value[], first: number): void {
    const number = this.#ids.length;
    this.#ids.push(line.id);
    this.#at.push(line.at);
    this.#stored.push(line.stored);
    this.#weights.push(line.weight);
    for (let index = 0; index < this.#columns.length; index++)
      (this.#columns[index] as Value[]).push(values[first + index] as Value);
    this.#bodies.push(line.body);
    if (this.#bodies.length === chunk.body) this.#closeBodies(number);
    this.#details.push(line.detail);
    if (this.#details.length === chunk.detail) this.#closeDetails(number);
  }

  /** Of the last line; undefined: there is none. */
  get last(): { at: number; id: string } | undefined {
    const [at, id] = [this.#at.at(-1), this.#ids.at(-1)];
    return at === undefined || id === undefined ? undefined : { at, id };
  }

  build(): Block {
    const lines = this.#ids.length;
    const [first] = this.#at;
    const last = this.#at.at(-1);
    if (first === undefined || last === undefined) throw new Error('A block holds at least one line.');
    if (this.#bodies.length > 0) this.#closeBodies(lines - 1);
    if (this.#details.length > 0) this.#closeDetails(lines - 1);
    const columns = this.#columns.map((values, index) => {
      const { head, data, bloom, folders } = encodeColumn(values);
      if (data) this.#parts.push([index, data]);
      if (bloom) this.#parts.push([parts.bloom + index, bloom]);
      if (folders) this.#parts.push([parts.folders + index, folders]);
      return head;
    });
    const times = Uint32Array.from(this.#at, (at) => at - first);
    this.#parts.push([parts.times, new Uint8Array(times.buffer)]);
    const stored = encodeColumn(this.#stored);
    if (stored.data) this.#parts.push([parts.stored, stored.data]);
    const weight = encodeColumn(this.#weights);
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
      head: { columns, stored: stored.head, weight: weight.head },
      parts: this.#parts,
    };
  }

  #closeBodies(lastLine: number): void {
    const number = parts.body + Math.floor(lastLine / chunk.body);
    this.#parts.push([number, zstdCompressSync(this.#bodies.join('\n'))]);
    this.#bodies.length = 0;
  }

  #closeDetails(lastLine: number): void {
    const number = parts.detail + Math.floor(lastLine / chunk.detail);
    if (this.#details.some((detail) => detail !== ''))
      this.#parts.push([number, zstdCompressSync(this.#details.join('\n'))]);
    this.#details.length = 0;
  }
}

function bounds<T extends string | number>(values: readonly T[]): [min: T, max: T] {
  let [min, max] = [values[0] as T, values[0] as T];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}
