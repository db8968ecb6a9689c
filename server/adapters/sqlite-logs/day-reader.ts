import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { type BlockHead, chunk, parts, partsPerBlock } from '#adapters/sqlite-logs/block.ts';
import {
  type Column,
  type ColumnHead,
  decodeColumn,
  excludes,
  SortedValues,
  valueAt,
} from '#adapters/sqlite-logs/columns.ts';
import { indexOfId } from '#adapters/sqlite-logs/day-file.ts';
import { tailColumns } from '#adapters/sqlite-logs/schema.ts';
import type { LogFilter } from '#core/log-store.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import { columnsOf, predicate, type Value } from '#core/logs/predicate.ts';
import type { RollupRecord } from '#core/logs/steps.ts';

/** A line as the reading thread hands it over: JSON is parsed by whoever shows it. */
export interface RawLine {
  id: string;
  at: number;
  stored: number;
  weight: number;
  body: string;
  detail: string;
}

export interface TailLine {
  id: string;
  at: number;
  stored: number;
  weight: number;
  values: Value[];
}

export interface BlockRow {
  id: number;
  first: number;
  last: number;
  storedMin: number;
  storedMax: number;
  lines: number;
  head: BlockHead;
  /** Lines that newer ones have replaced. */
  gone: readonly number[];
}

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

/** The reading end of a day's file. */
export class DayReader {
  readonly #database: DatabaseSync;
  readonly #columns: readonly string[];
  readonly #statements = new Map<string, StatementSync>();
  readonly #heads = new LRUCache<number, BlockHead>({ max: 2000 });

  constructor(file: string, spec: StreamSpec) {
    this.#database = new DatabaseSync(file, { timeout: 5000 });
    this.#database.exec('pragma query_only = on; pragma mmap_size = 1073741824; pragma cache_size = -4000;');
    this.#columns = tailColumns(spec);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /**
   * What there is of a scope in a range, as of one moment: lines that wait to be made a block, in order, and blocks. Later
   * steps read parts of these blocks, which do not change.
   */
  open(
    scope: string,
    range: { from: number; to: number; storedFrom?: number },
    tests: readonly Test[],
  ): { tail: TailLine[]; blocks: BlockRow[] } {
    if (!this.#isMade()) return { tail: [], blocks: [] };
    this.#database.exec('begin');
    try {
      return { tail: this.#tail(scope, range, tests), blocks: this.#blocks(scope, range) };
    } finally {
      this.#database.exec('commit');
    }
  }

  #isMade(): boolean {
    return (this.#database.prepare('pragma user_version').get() as { user_version: number }).user_version > 0;
  }

  #tail(
    scope: string,
    { from, to, storedFrom = 0 }: { from: number; to: number; storedFrom?: number },
    tests: readonly Test[],
  ): TailLine[] {
    const where = ['scope = ?', 'at >= ?', 'at <= ?', 'stored >= ?'];
    const given: (string | number)[] = [scope, from, to, storedFrom];
    // What SQL can tell exactly is not carried over.
    for (const { filter, columns } of tests) {
      if (!('in' in filter)) continue;
      const name = this.#columns[columns[0] as number] as string;
      const values = filter.in.filter((value) => value !== null);
      const isIn = values.length > 0 ? `${name} in (${values.map(() => '?').join(', ')})` : '0';
      where.push(filter.in.includes(null) ? `(${isIn} or ${name} is null)` : isIn);
      given.push(...(values as (string | number)[]));
    }
    const sql = `select id, at, stored, weight, ${this.#columns.join(', ')} from tail where ${where.join(' and ')} order by at, id`;
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    const rest = tests.filter(({ filter }) => !('in' in filter));
    const found: TailLine[] = [];
    for (const row of statement.all(...given) as unknown as (string | number | null)[][]) {
      const values = row.slice(4);
      if (!rest.every(({ columns, fits }) => columns.some((column) => fits(values[column] ?? null))))
        continue;
      found.push({
        id: row[0] as string,
        at: row[1] as number,
        stored: row[2] as number,
        weight: row[3] as number,
        values,
      });
    }
    return found;
  }

  #blocks(
    scope: string,
    { from, to, storedFrom = 0 }: { from: number; to: number; storedFrom?: number },
  ): BlockRow[] {
    const sql = `select id, first, last, stored_min, stored_max, lines, head,
      (select group_concat(line) from gone where gone.block = block.id) as gone
      from block where scope = ? and last >= ? and first <= ? and stored_max >= ?`;
    const rows = this.#statement(sql).all(scope, from, to, storedFrom) as Record<string, unknown>[];
    return rows.map((row) => ({
      id: row['id'] as number,
      first: row['first'] as number,
      last: row['last'] as number,
      storedMin: row['stored_min'] as number,
      storedMax: row['stored_max'] as number,
      lines: row['lines'] as number,
      head: this.#head(row['id'] as number, row['head'] as string),
      gone: row['gone'] === null ? [] : String(row['gone']).split(',').map(Number),
    }));
  }

  #head(id: number, text: string): BlockHead {
    const known = this.#heads.get(id);
    if (known) return known;
    const head = JSON.parse(text) as BlockHead;
    this.#heads.set(id, head);
    return head;
  }

  /** Which lines of the block fit: null for all, else a byte a line. Undefined: none does. */
  select(block: BlockRow, tests: readonly Test[]): Uint8Array | null | undefined {
    let mask: Uint8Array | null = null;
    for (const test of byCost(block, tests)) {
      // Those before it have left nothing.
      if (mask && !mask.includes(1)) return undefined;
      const next = this.#selectOne(block, test);
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

  #selectOne(block: BlockRow, { filter, columns, fits }: Test): Uint8Array | null | undefined {
    let any: Uint8Array | undefined;
    for (const index of columns) {
      const head = block.head.columns[index] as ColumnHead;
      if (head.k === 'one') {
        if (fits(head.v)) return null;
        continue;
      }
      if (head.k === 'few' && !head.v.some(fits)) continue;
      if (head.k === 'numbers' && 'min' in filter && head.max < filter.min) continue;
      if (head.k === 'many' && excludes(this.#part(block.id, parts.bloom + index), filter)) continue;
      const found =
        head.k === 'many'
          ? this.#selectSorted(block, index, head, filter, fits)
          : matching(this.column(block, index), block.lines, fits);
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
  #selectSorted(
    block: BlockRow,
    index: number,
    head: ColumnHead & { k: 'many' },
    filter: LogFilter,
    fits: (value: Value) => boolean,
  ): Uint8Array | null | undefined {
    const isSearched = 'in' in filter || 'prefix' in filter;
    if (!isSearched) return matching(this.column(block, index), block.lines, fits);
    if ('prefix' in filter && head.folders) {
      const { prefix } = filter;
      const isPartly = head.folders.some((name) => prefix.startsWith(name) && prefix !== name);
      if (!isPartly) {
        const codes = this.#part(block.id, parts.folders + index);
        const isBehind = (value: Value) => String(value).startsWith(prefix);
        return matching({ distinct: head.folders, codes, numbers: null }, block.lines, isBehind);
      }
    }
    const values = new SortedValues(this.#part(block.id, index), block.lines, head.hasNull);
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

  column(block: BlockRow, index: number): Column {
    return decodeColumn(block.head.columns[index] as ColumnHead, block.lines, () =>
      this.#part(block.id, index),
    );
  }

  weights(block: BlockRow): Column {
    return decodeColumn(block.head.weight, block.lines, () => this.#part(block.id, parts.weight));
  }

  stored(block: BlockRow): Column {
    return decodeColumn(block.head.stored, block.lines, () => this.#part(block.id, parts.stored));
  }

  /** Moments of the lines, as milliseconds after the block's first. */
  times(block: BlockRow): Uint32Array {
    const data = this.#part(block.id, parts.times);
    return new Uint32Array(data.buffer, data.byteOffset, block.lines);
  }

  idAt(block: BlockRow, line: number): string {
    const ids = this.#part(block.id, parts.ids + Math.floor(line / chunk.ids));
    const at = (line % chunk.ids) * 16;
    const hex = Buffer.from(ids.buffer, ids.byteOffset + at, 16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  bodyAt(block: BlockRow, line: number): string {
    const text = this.#text(block.id, parts.body + Math.floor(line / chunk.body));
    return text?.[line % chunk.body] ?? 'null';
  }

  detailAt(block: BlockRow, line: number): string {
    const text = this.#text(block.id, parts.detail + Math.floor(line / chunk.detail));
    return text?.[line % chunk.detail] ?? '';
  }

  /** Null: it has just become part of a block. */
  tailLine(scope: string, at: number, id: string): { body: string; detail: string } | null {
    const sql = 'select body, detail from tail where scope = ? and at = ? and id = ?';
    return (this.#statement(sql).get(scope, at, id) as { body: string; detail: string } | undefined) ?? null;
  }

  /** The line of that id; whether it is in a block is found by the ids, since nothing else says when it was. */
  find(scope: string, id: string): RawLine | null {
    if (!this.#isMade()) return null;
    const row = this.#statement(
      'select at, stored, weight, body, detail from tail where scope = ? and id = ?',
    ).get(...[scope, id]) as Omit<RawLine, 'id'> | undefined;
    if (row) return { id, ...row };
    const wanted = Buffer.from(id.replaceAll('-', ''), 'hex');
    const rows = this.#statement(
      'select id from block where scope = ? and id_min <= ? and id_max >= ? order by last desc',
    ).all(scope, id, id) as { id: number }[];
    for (const { id: blockId } of rows) {
      const start = blockId * partsPerBlock + parts.ids;
      const found = this.#statement('select key, data from part where key >= ? and key < ? order by key').all(
        ...[start, start + 32],
      ) as { key: number; data: Uint8Array }[];
      for (const { key, data } of found) {
        const at = indexOfId(Buffer.from(data.buffer, data.byteOffset, data.byteLength), wanted);
        if (at < 0) continue;
        const block = this.#block(blockId);
        const line = (key - start) * chunk.ids + at;
        if (block && !block.gone.includes(line)) return this.line(block, line, { detail: true });
      }
    }
    return null;
  }

  line(block: BlockRow, line: number, { detail }: { detail: boolean }): RawLine {
    return {
      id: this.idAt(block, line),
      at: block.first + (this.times(block)[line] as number),
      stored: valueAt(this.stored(block), line) as number,
      weight: valueAt(this.weights(block), line) as number,
      body: this.bodyAt(block, line),
      detail: detail ? this.detailAt(block, line) : '',
    };
  }

  rollups(scope: string, step: number, from: number, to: number): { at: number; record: RollupRecord }[] {
    if (!this.#isMade()) return [];
    const sql = 'select at, data from rollup where scope = ? and step = ? and at >= ? and at <= ?';
    const rows = this.#statement(sql).all(scope, step, from, to) as { at: number; data: string }[];
    return rows.map(({ at, data }) => ({ at, record: JSON.parse(data) as RollupRecord }));
  }

  /** When something was last stored; 0: never. */
  lastStored(): number {
    if (!this.#isMade()) return 0;
    const row = this.#statement("select value from meta where name = 'stored'").get() as
      | { value: number }
      | undefined;
    return row?.value ?? 0;
  }

  #block(id: number): BlockRow | undefined {
    const row = this.#statement('select scope, first from block where id = ?').get(id) as
      | { scope: string; first: number }
      | undefined;
    return (
      row && this.#blocks(row.scope, { from: row.first, to: row.first }).find((block) => block.id === id)
    );
  }

  #part(block: number, number: number): Uint8Array {
    const row = this.#statement('select data from part where key = ?').get(block * partsPerBlock + number) as
      | { data: Uint8Array }
      | undefined;
    if (!row) throw new MissingPart(`Part ${number} of block ${block} is missing.`);
    return row.data;
  }

  #text(block: number, number: number): string[] | undefined {
    const row = this.#statement('select data from part where key = ?').get(block * partsPerBlock + number) as
      | { data: Uint8Array }
      | undefined;
    return row && zstdDecompressSync(row.data).toString().split('\n');
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** The scope was purged meanwhile. */
export class MissingPart extends Error {
  override name = 'MissingPart';
}

const costs = { one: 0, few: 1, numbers: 2, many: 3 };

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
