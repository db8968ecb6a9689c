import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Bloom } from '#adapters/sqlite-logs/bloom.ts';
import type { LogFilter } from '#core/log-store.ts';
import type { Value } from '#core/logs/predicate.ts';

/**
 * The values of one column in a block. Few distinct ones are a list in the block's head, with a byte a line beside it;
 * many are a sorted list, searched as it lies, with two bytes a line and a Bloom filter; many numbers are numbers. In a
 * batch, which is soon merged with others, many values of any kind are just a list.
 */
export type ColumnHead =
  | { k: 'one'; v: Value }
  | { k: 'few'; v: Value[] }
  | { k: 'many'; hasNull: boolean; folders?: string[] }
  | { k: 'numbers'; max: number }
  | { k: 'list' };

export interface EncodedColumn {
  head: ColumnHead;
  data?: Uint8Array;
  bloom?: Uint8Array;
  /** Of paths: a byte a line, the folder that it is in. */
  folders?: Uint8Array;
}

const maxFew = 256;
/** Heads are read for every block that a question passes. */
const maxFewCharacters = 8192;

export function encodeColumn(values: readonly Value[]): EncodedColumn {
  const few = encodeFew(values);
  if (few) return few;
  if (values.every((value) => typeof value !== 'string')) return encodeNumbers(values as (number | null)[]);
  return encodeMany(values);
}

/** As a batch has it: cheap to make. */
export function encodeQuickly(values: readonly Value[]): EncodedColumn {
  return encodeFew(values) ?? { head: { k: 'list' }, data: Buffer.from(JSON.stringify(values)) };
}

function encodeFew(values: readonly Value[]): EncodedColumn | undefined {
  const codes = new Map<Value, number>();
  const data = new Uint8Array(values.length);
  let characters = 0;
  let [last, code]: [Value | undefined, number] = [undefined, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as Value;
    // Most are as the one before.
    if (value !== last) {
      last = value;
      const known = codes.get(value);
      code = known ?? codes.size;
      if (known === undefined) {
        codes.set(value, code);
        characters += String(value).length;
        if (codes.size > 1 && (codes.size > maxFew || characters > maxFewCharacters)) return undefined;
      }
    }
    data[at] = code;
  }
  const distinct = [...codes.keys()];
  if (distinct.length === 1) return { head: { k: 'one', v: distinct[0] as Value } };
  return { head: { k: 'few', v: distinct }, data };
}

function encodeNumbers(values: readonly (number | null)[]): EncodedColumn {
  let max = Number.NEGATIVE_INFINITY;
  const numbers = Float64Array.from(values, (value) => {
    if (value !== null && value > max) max = value;
    return value ?? Number.NaN;
  });
  return { head: { k: 'numbers', max }, data: zstdCompressSync(new Uint8Array(numbers.buffer)) };
}

/** Codes of the lines, how many distinct values there are, where each ends, and, compressed, the values themselves. */
function encodeMany(values: readonly Value[]): EncodedColumn {
  const found = new Map<string, number>();
  let hasNull = false;
  const places = new Int32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as Value;
    if (value === null) {
      hasNull = true;
      places[at] = -1;
      continue;
    }
    const text = String(value);
    let place = found.get(text);
    if (place === undefined) {
      place = found.size;
      found.set(text, place);
    }
    places[at] = place;
  }
  const texts = sortedByBytes([...found.keys()]);
  // Null is behind them all.
  const codes = new Uint16Array(texts.length);
  texts.forEach((text, code) => {
    codes[found.get(text) as number] = code;
  });
  const lines = new Uint16Array(values.length + (values.length % 2));
  places.forEach((place, at) => {
    lines[at] = place < 0 ? texts.length : (codes[place] as number);
  });
  const all = Buffer.from(texts.join(''));
  const ends = new Uint32Array(texts.length + 1);
  ends[0] = texts.length;
  let end = 0;
  texts.forEach((text, at) => {
    end += Buffer.byteLength(text);
    ends[at + 1] = end;
  });
  const data = Buffer.concat([Buffer.from(lines.buffer), Buffer.from(ends.buffer), zstdCompressSync(all)]);
  const bloom = new Bloom((texts.length + Number(hasNull)) * 2);
  if (hasNull) bloom.add('null');
  for (const text of texts) {
    bloom.add(text);
    for (const start of pathStarts(text)) bloom.add(`${start}*`);
  }
  const inFolders = encodeFolders(values);
  return {
    head: { k: 'many', hasNull, ...(inFolders ? { folders: inFolders.folders } : {}) },
    data,
    bloom: bloom.bytes,
    ...(inFolders ? { folders: inFolders.data } : {}),
  };
}

/** As their UTF-8 sorts, which is how their UTF-16 does, as long as none has a surrogate or what comes behind them. */
function sortedByBytes(texts: string[]): string[] {
  if (!texts.some((text) => /[\ud800-\uffff]/.test(text))) return texts.sort();
  return texts
    .map((text) => ({ text, bytes: Buffer.from(text) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ text }) => text);
}

/** "/a/b/c.html" is in "/a/b/", "/a" in "/": what stands before the third slash, and that slash. */
function folderOf(path: string): string {
  const second = path.indexOf('/', 1);
  const third = second < 0 ? -1 : path.indexOf('/', second + 1);
  return path.slice(0, Math.max(1, (third < 0 ? second : third) + 1));
}

/** Where the values are paths of few folders: most questions for the beginning of a path need no more. */
function encodeFolders(values: readonly Value[]): { folders: string[]; data: Uint8Array } | undefined {
  if (!values.every((value) => typeof value === 'string' && value.startsWith('/'))) return undefined;
  const names = (values as string[]).map(folderOf);
  const codes = new Map<string, number>();
  for (const name of names) if (!codes.has(name)) codes.set(name, codes.size);
  const folders = [...codes.keys()];
  const characters = folders.reduce((sum, name) => sum + name.length, 0);
  if (folders.length > maxFew || characters > maxFewCharacters) return undefined;
  return { folders, data: Uint8Array.from(names, (name) => codes.get(name) as number) };
}

/** Distinct values of a column that has many: sorted by their bytes, null at the end. */
export class SortedValues {
  readonly codes: Uint16Array;
  readonly count: number;
  readonly #ends: Uint32Array;
  readonly #text: Buffer;
  readonly #hasNull: boolean;

  constructor(data: Uint8Array, lines: number, hasNull: boolean) {
    const codesLength = (lines + (lines % 2)) * 2;
    this.codes = new Uint16Array(data.buffer, data.byteOffset, lines);
    const [count = 0] = new Uint32Array(data.buffer, data.byteOffset + codesLength, 1);
    this.count = count;
    this.#ends = new Uint32Array(data.buffer, data.byteOffset + codesLength + 4, count);
    this.#text = zstdDecompressSync(data.subarray(codesLength + 4 + count * 4));
    this.#hasNull = hasNull;
  }

  /** All of them, as `codes` count. */
  all(): Value[] {
    const texts: Value[] = [];
    for (let code = 0; code < this.count; code++) texts.push(this.#bytes(code).toString());
    return this.#hasNull ? [...texts, null] : texts;
  }

  codeOf(value: Value): number | undefined {
    if (value === null) return this.#hasNull ? this.count : undefined;
    const wanted = Buffer.from(String(value));
    const code = this.#lowerBound(wanted);
    return code < this.count && this.#bytes(code).equals(wanted) ? code : undefined;
  }

  /** Codes from the first up to the second, which is not among them. */
  withPrefix(prefix: string): [number, number] {
    const start = Buffer.from(prefix);
    // No UTF-8 has this byte: it is behind everything that begins so.
    return [this.#lowerBound(start), this.#lowerBound(Buffer.concat([start, Buffer.of(0xff)]))];
  }

  #bytes(code: number): Buffer {
    return this.#text.subarray(code === 0 ? 0 : this.#ends[code - 1], this.#ends[code]);
  }

  #lowerBound(wanted: Buffer): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(this.#bytes(middle), wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** "/a/b/c.html" begins with "/a/" and "/a/b/". */
function pathStarts(text: string): string[] {
  if (!text.startsWith('/')) return [];
  const starts: string[] = [];
  for (let at = text.indexOf('/', 1); at > 0 && starts.length < 4; at = text.indexOf('/', at + 1))
    starts.push(text.slice(0, at + 1));
  return starts;
}

/** Whether a Bloom filter of the column says that nothing in the block can fit. */
export function excludes(bloomBytes: Uint8Array, filter: LogFilter): boolean {
  const bloom = Bloom.of(bloomBytes);
  if ('in' in filter) return filter.in.every((value) => !bloom.has(String(value)));
  if ('prefix' in filter) return pathStarts(filter.prefix).some((start) => !bloom.has(`${start}*`));
  return false;
}

/** A column as questions read it: codes into distinct values, or numbers where NaN is null. */
export interface Column {
  distinct: readonly Value[];
  codes: Uint8Array | Uint16Array | null;
  numbers: Float64Array | null;
}

export function decodeColumn(head: ColumnHead, lines: number, read: () => Uint8Array): Column {
  if (head.k === 'one') return { distinct: [head.v], codes: null, numbers: null };
  const data = read();
  if (head.k === 'few') return { distinct: head.v, codes: data, numbers: null };
  if (head.k === 'numbers') {
    const bytes = zstdDecompressSync(data);
    return { distinct: [], codes: null, numbers: new Float64Array(aligned(bytes)) };
  }
  if (head.k === 'list') {
    const values = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString());
    return { distinct: values, codes: Uint16Array.from(values.keys()), numbers: null };
  }
  const sorted = new SortedValues(data, lines, head.hasNull);
  return { distinct: sorted.all(), codes: sorted.codes, numbers: null };
}

function aligned(bytes: Buffer): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

export function valueAt(column: Column, line: number): Value {
  if (column.numbers) {
    const value = column.numbers[line] as number;
    return Number.isNaN(value) ? null : value;
  }
  return column.distinct[column.codes ? (column.codes[line] as number) : 0] as Value;
}
