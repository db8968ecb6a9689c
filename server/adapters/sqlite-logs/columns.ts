import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Bloom } from '#adapters/sqlite-logs/bloom.ts';
import type { LogFilter } from '#core/log-store.ts';
import type { Value } from '#core/logs/predicate.ts';

/**
 * The values of one column in a block. Few distinct ones are a list in the block's head, with a byte a line beside it;
 * many are a compressed list, with two bytes a line and a Bloom filter; many numbers are numbers.
 */
export type ColumnHead =
  | { k: 'one'; v: Value }
  | { k: 'few'; v: Value[] }
  | { k: 'many' }
  | { k: 'numbers'; max: number };

export interface EncodedColumn {
  head: ColumnHead;
  data?: Uint8Array;
  bloom?: Uint8Array;
}

const maxFew = 256;
/** Heads are read for every block that a question passes. */
const maxFewCharacters = 8192;

export function encodeColumn(values: readonly Value[]): EncodedColumn {
  const codes = new Map<Value, number>();
  for (const value of values) if (!codes.has(value)) codes.set(value, codes.size);
  const distinct = [...codes.keys()];
  if (distinct.length === 1) return { head: { k: 'one', v: distinct[0] as Value } };
  const characters = distinct.reduce<number>((sum, value) => sum + String(value).length, 0);
  if (distinct.length <= maxFew && characters <= maxFewCharacters) {
    const data = new Uint8Array(values.length);
    values.forEach((value, at) => {
      data[at] = codes.get(value) as number;
    });
    return { head: { k: 'few', v: distinct }, data };
  }
  if (distinct.every((value) => typeof value !== 'string')) return encodeNumbers(values as (number | null)[]);
  return encodeMany(values, codes, distinct);
}

function encodeNumbers(values: readonly (number | null)[]): EncodedColumn {
  let max = Number.NEGATIVE_INFINITY;
  const numbers = Float64Array.from(values, (value) => {
    if (value !== null && value > max) max = value;
    return value ?? Number.NaN;
  });
  return { head: { k: 'numbers', max }, data: zstdCompressSync(new Uint8Array(numbers.buffer)) };
}

function encodeMany(
  values: readonly Value[],
  codes: ReadonlyMap<Value, number>,
  distinct: readonly Value[],
): EncodedColumn {
  const lines = new Uint16Array(values.length);
  values.forEach((value, at) => {
    lines[at] = codes.get(value) as number;
  });
  const list = zstdCompressSync(JSON.stringify(distinct));
  const data = Buffer.concat([Buffer.from(lines.buffer), list]);
  const bloom = new Bloom(distinct.length * 2);
  for (const value of distinct) {
    bloom.add(String(value));
    if (typeof value === 'string') for (const start of pathStarts(value)) bloom.add(`${start}*`);
  }
  return { head: { k: 'many' }, data, bloom: bloom.bytes };
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
  const codes = new Uint16Array(data.buffer.slice(data.byteOffset, data.byteOffset + lines * 2));
  const distinct = JSON.parse(zstdDecompressSync(data.subarray(lines * 2)).toString()) as Value[];
  return { distinct, codes, numbers: null };
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
