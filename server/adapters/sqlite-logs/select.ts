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
  let mask: Mask | undefined;
  for (const test of byCost(block, open)) {
    const next = selectOne(blocks, block, test, mask);
    if (next === undefined || next?.count === 0) return undefined;
    mask = next ?? mask;
  }
  if (block.gone.length === 0) return mask?.fits ?? null;
  const fits = mask?.fits ?? new Uint8Array(block.lines).fill(1);
  for (const line of block.gone) fits[line] = 0;
  return fits;
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

/** Of the lines that `within` has left; that is written over. Null: all of them fit, undefined: none does. */
function selectOne(
  blocks: DayBlocks,
  block: BlockRow,
  test: Test,
  within: Mask | undefined,
): Mask | null | undefined {
  const open = test.columns.filter((index) => mayFit(blocks, block, index, test));
  const [only] = open;
  if (only === undefined) return undefined;
  if (open.length === 1) return selectColumn(blocks, block, only, test, within);
  let any: Mask | undefined;
  for (const index of open) {
    const found = selectColumn(blocks, block, index, test, undefined);
    if (found === null) return null;
    any = found && any ? either(any, found) : (found ?? any);
  }
  return any && within ? both(within, any) : any;
}

function selectColumn(
  blocks: DayBlocks,
  block: BlockRow,
  index: number,
  { filter, fits }: Test,
  within: Mask | undefined,
): Mask | null | undefined {
  const head = block.head.columns[index] as ColumnHead;
  if (head.k === 'one') return null;
  if (head.k !== 'many' || !('in' in filter || 'prefix' in filter))
    return matching(blocks.column(block, index), block.lines, fits, within);
  if ('prefix' in filter && head.folders && isOfFolders(head.folders, filter.prefix)) {
    const codes = blocks.part(block, parts.folders + index);
    const isBehind = (value: Value) => String(value).startsWith(filter.prefix);
    return matching({ distinct: head.folders, codes, numbers: null }, block.lines, isBehind, within);
  }
  return selectSorted(
    new SortedValues(blocks.part(block, index), block.lines, head.hasNull),
    block.lines,
    filter,
    within,
  );
}

/** Whether a folder's paths all begin so, or none of them does. */
function isOfFolders(folders: readonly string[], prefix: string): boolean {
  return !folders.some((name) => isPartlyBehind(name, prefix));
}

/** By the order of the values, without making texts of them, where the filter is one of equality or of beginnings. */
function selectSorted(
  values: SortedValues,
  lines: number,
  filter: Extract<LogFilter, { in: unknown } | { prefix: unknown }>,
  within: Mask | undefined,
): Mask | undefined {
  // Null is behind them all.
  const table = new Uint8Array(values.count + 1);
  if ('prefix' in filter) table.fill(1, ...values.withPrefix(filter.prefix));
  else
    for (const value of filter.in) {
      const code = values.codeOf(value);
      if (code !== undefined) table[code] = 1;
    }
  return table.includes(1) ? narrowed(values.codes, table, lines, within) : undefined;
}

/** Which lines fit, a byte each, and how many. */
interface Mask {
  fits: Uint8Array;
  count: number;
}

function maskOf(fits: Uint8Array): Mask {
  let count = 0;
  for (let line = 0; line < fits.length; line++) count += fits[line] as number;
  return { fits, count };
}

function either(a: Mask, b: Mask): Mask {
  return maskOf(a.fits.map((fit, line) => fit | (b.fits[line] as number)));
}

function both(a: Mask, b: Mask): Mask {
  return maskOf(a.fits.map((fit, line) => fit & (b.fits[line] as number)));
}

/** Where fewer lines than one in so many are left, going from one to the next is faster than passing all of them. */
const sparse = 32;

/** Lines whose code the table allows, of those that are left. */
function narrowed(
  codes: Uint8Array | Uint16Array,
  table: Uint8Array,
  lines: number,
  within: Mask | undefined,
): Mask {
  let count = 0;
  if (!within) {
    const fits = new Uint8Array(lines);
    for (let line = 0; line < lines; line++) count += fits[line] = table[codes[line] as number] as number;
    return { fits, count };
  }
  const { fits } = within;
  if (within.count * sparse < lines)
    for (let line = fits.indexOf(1); line >= 0; line = fits.indexOf(1, line + 1))
      count += fits[line] = table[codes[line] as number] as number;
  else
    for (let line = 0; line < lines; line++)
      count += fits[line] = (fits[line] as number) & (table[codes[line] as number] as number);
  return { fits, count };
}

const costs = { one: 0, numbers: 3, many: 4, list: 4 };

/** Columns of few values first: what they exclude need not be looked up in long ones. Of those, what is rarest. */
function byCost(block: BlockRow, tests: readonly Test[]): readonly Test[] {
  if (tests.length < 2) return tests;
  const cost = ({ columns, filter }: Test) =>
    Math.max(...columns.map((at) => costOf(block.head.columns[at] as ColumnHead, filter)));
  return tests.toSorted((a, b) => cost(a) - cost(b));
}

function costOf(head: ColumnHead, filter: LogFilter): number {
  if (head.k === 'few') return 1 + 1 / head.v.length;
  if (head.k === 'many' && head.folders && 'prefix' in filter && isOfFolders(head.folders, filter.prefix))
    return 1 + 1 / head.folders.length;
  return costs[head.k];
}

function matching(
  column: Column,
  lines: number,
  fits: (value: Value) => boolean,
  within: Mask | undefined,
): Mask | null | undefined {
  const { distinct, codes, numbers } = column;
  if (numbers) {
    const found = Uint8Array.from(numbers, (_, line) => Number(fits(valueAt(column, line))));
    return within ? both(within, maskOf(found)) : maskOf(found);
  }
  const table = Uint8Array.from(distinct, (value) => Number(fits(value)));
  if (!table.includes(1)) return undefined;
  if (!codes || !table.includes(0)) return null;
  return narrowed(codes, table, lines, within);
}
