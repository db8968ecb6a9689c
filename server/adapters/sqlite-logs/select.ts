import { parts } from '#adapters/sqlite-logs/block.ts';
import {
  type Column,
  type ColumnHead,
  excludes,
  SortedValues,
  valueAt,
} from '#adapters/sqlite-logs/columns.ts';
import type { BlockRow, DayBlocks } from '#adapters/sqlite-logs/day-blocks.ts';
import type { LogFilter } from '#core/log-store.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import { columnsOf, predicate, type Value } from '#core/logs/predicate.ts';

/** Which lines of a block fit all filters of a question: first by the heads alone, then by the columns that are left. */

/** A filter, ready to be asked. */
export interface Test {
  filter: LogFilter;
  columns: readonly number[];
  fits: (value: Value) => boolean;
}

export function testsOf(spec: StreamSpec, filters: readonly LogFilter[]): Test[] {
  const names = Object.keys(spec.columns);
  return filters.map((filter) => ({
    filter,
    columns: columnsOf(filter).map((name) => names.indexOf(name)),
    fits: predicate(filter),
  }));
}

/** Null for all lines, else a byte a line. Undefined: none fits. */
export function select(
  blocks: DayBlocks,
  block: BlockRow,
  tests: readonly Test[],
): Uint8Array | null | undefined {
  // A block that any filter rules out by its head is passed over before a line of it is read.
  const open: Test[] = [];
  for (const test of tests) {
    const verdict = byHeads(blocks, block, test);
    if (verdict === 'none') return undefined;
    if (verdict === 'some') open.push(test);
  }
  let mask: Uint8Array | null = null;
  for (const test of byCost(block, open)) {
    // Those before it have left nothing.
    if (mask && !mask.includes(1)) return undefined;
    const next = selectOne(blocks, block, test);
    if (next === undefined) return undefined;
    if (next === null) continue;
    if (mask)
      for (let line = 0; line < mask.length; line++)
        mask[line] = (mask[line] as number) & (next[line] as number);
    else mask = next;
  }
  if (block.gone.length > 0) {
    mask ??= new Uint8Array(block.lines).fill(1);
    for (const line of block.gone) mask[line] = 0;
  }
  return mask;
}

/** What the heads of the filter's columns say of the lines: that all fit, that none does, or that some may. */
function byHeads(blocks: DayBlocks, block: BlockRow, test: Test): 'all' | 'none' | 'some' {
  let some = false;
  for (const index of test.columns) {
    const head = block.head.columns[index] as ColumnHead;
    if (head.k === 'one' && test.fits(head.v)) return 'all';
    some ||= mayFit(blocks, block, index, test);
  }
  return some ? 'some' : 'none';
}

function mayFit(blocks: DayBlocks, block: BlockRow, index: number, { filter, fits }: Test): boolean {
  const head = block.head.columns[index] as ColumnHead;
  if (head.k === 'one') return fits(head.v);
  if (head.k === 'few') return head.v.some(fits);
  if (head.k === 'numbers') return !('min' in filter) || head.max >= filter.min;
  if (head.k === 'list' || !('in' in filter || 'prefix' in filter)) return true;
  if ('prefix' in filter && head.folders) {
    const { prefix } = filter;
    if (head.folders.some((name) => name.startsWith(prefix))) return true;
    if (!head.folders.some((name) => isPartlyBehind(name, prefix))) return false;
  }
  return !excludes(blocks.bloom(block, index), filter);
}

/** Whether paths of a folder may begin so, and others of it not: those of short names have no further slash. */
function isPartlyBehind(folder: string, prefix: string): boolean {
  if (!prefix.startsWith(folder) || prefix === folder) return false;
  return folder.split('/').length > 3 || !prefix.includes('/', folder.length);
}

function selectOne(
  blocks: DayBlocks,
  block: BlockRow,
  { filter, columns, fits }: Test,
): Uint8Array | null | undefined {
  let any: Uint8Array | undefined;
  for (const index of columns) {
    const head = block.head.columns[index] as ColumnHead;
    if (!mayFit(blocks, block, index, { filter, columns, fits })) continue;
    if (head.k === 'one') return null;
    const found =
      head.k === 'many'
        ? selectSorted(blocks, block, index, head, filter, fits)
        : matching(blocks.column(block, index), block.lines, fits);
    if (found === null) return null;
    if (!found) continue;
    if (any)
      for (let line = 0; line < found.length; line++)
        any[line] = (any[line] as number) | (found[line] as number);
    else any = found;
  }
  return any;
}

/** By the order of the values, without making texts of them, where the filter is one of equality or of beginnings. */
function selectSorted(
  blocks: DayBlocks,
  block: BlockRow,
  index: number,
  head: ColumnHead & { k: 'many' },
  filter: LogFilter,
  fits: (value: Value) => boolean,
): Uint8Array | null | undefined {
  const isSearched = 'in' in filter || 'prefix' in filter;
  if (!isSearched) return matching(blocks.column(block, index), block.lines, fits);
  if ('prefix' in filter && head.folders) {
    const { prefix } = filter;
    if (!head.folders.some((name) => isPartlyBehind(name, prefix))) {
      const codes = blocks.part(block, parts.folders + index);
      const isBehind = (value: Value) => String(value).startsWith(prefix);
      return matching({ distinct: head.folders, codes, numbers: null }, block.lines, isBehind);
    }
  }
  const values = new SortedValues(blocks.part(block, index), block.lines, head.hasNull);
  const ranges: [number, number][] = [];
  if ('prefix' in filter) ranges.push(values.withPrefix(filter.prefix));
  else
    for (const value of filter.in) {
      const code = values.codeOf(value);
      if (code !== undefined) ranges.push([code, code + 1]);
    }
  let found: Uint8Array | undefined;
  for (const [low, high] of ranges) {
    if (low === high) continue;
    found ??= new Uint8Array(block.lines);
    const { codes } = values;
    for (let line = 0; line < codes.length; line++) {
      const code = codes[line] as number;
      if (code >= low && code < high) found[line] = 1;
    }
  }
  return found;
}

const costs = { one: 0, few: 1, numbers: 2, many: 3, list: 3 };

/** Columns of few values first: what they exclude need not be looked up in long ones. */
function byCost(block: BlockRow, tests: readonly Test[]): readonly Test[] {
  if (tests.length < 2) return tests;
  const cost = ({ columns }: Test) =>
    Math.max(...columns.map((at) => costs[(block.head.columns[at] as ColumnHead).k]));
  return tests.toSorted((a, b) => cost(a) - cost(b));
}
/** Null: all lines fit; undefined: none does. */
function matching(
  column: Column,
  lines: number,
  fits: (value: Value) => boolean,
): Uint8Array | null | undefined {
  const found = new Uint8Array(lines);
  let count = 0;
  if (column.numbers) {
    for (let line = 0; line < lines; line++) if (fits(valueAt(column, line))) count += found[line] = 1;
  } else {
    const { distinct, codes } = column;
    const fitting = Uint8Array.from(distinct, (value) => Number(fits(value)));
    if (!fitting.includes(1)) return undefined;
    if (!codes || !fitting.includes(0)) return null;
    for (let line = 0; line < lines; line++) {
      const fit = fitting[codes[line] as number] as number;
      found[line] = fit;
      count += fit;
    }
  }
  if (count === 0) return undefined;
  return count === lines ? null : found;
}
