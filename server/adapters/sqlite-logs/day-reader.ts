import { DatabaseSync } from 'node:sqlite';
import { valueAt } from '#adapters/sqlite-logs/columns.ts';
import { type BlockRow, DayBlocks } from '#adapters/sqlite-logs/day-blocks.ts';
import type { HeadCache } from '#adapters/sqlite-logs/head-cache.ts';
import { tailColumns } from '#adapters/sqlite-logs/schema.ts';
import type { Test } from '#adapters/sqlite-logs/select.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import type { Value } from '#core/logs/predicate.ts';
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

/** The reading end of a day's file. */
export class DayReader {
  readonly #database: DatabaseSync;
  readonly #columns: readonly string[];
  readonly blocks: DayBlocks;

  /** `inode` tells the file from one that takes its name when it is set aside. */
  constructor(file: string, options: { spec: StreamSpec; inode: number; heads: HeadCache }) {
    const { spec, inode, heads } = options;
    this.#database = new DatabaseSync(file, { timeout: 5000 });
    this.#database.exec('pragma query_only = on; pragma mmap_size = 1073741824; pragma cache_size = -4000;');
    this.#columns = tailColumns(spec);
    this.blocks = new DayBlocks(this.#database, { file: `${file} ${inode}`, heads });
  }

  close(): void {
    this.blocks.close();
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
      return { tail: this.#tail(scope, range, tests), blocks: this.blocks.list(scope, range) };
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

  /** Null: it has just become part of a block. */
  tailLine(scope: string, at: number, id: string): { body: string; detail: string } | null {
    const sql = 'select body, detail from tail where scope = ? and at = ? and id = ?';
    return (
      (this.blocks.statement(sql).get(scope, at, id) as { body: string; detail: string } | undefined) ?? null
    );
  }

  /** The line of that id; whether it is in a block is found by the ids, since nothing else says when it was. */
  find(scope: string, id: string): RawLine | null {
    if (!this.#isMade()) return null;
    const row = this.blocks
      .statement('select at, stored, weight, body, detail from tail where scope = ? and id = ?')
      .get(...[scope, id]) as Omit<RawLine, 'id'> | undefined;
    if (row) return { id, ...row };
    const found = this.blocks.find(scope, id);
    return found ? this.line(found.block, found.line, { detail: true }) : null;
  }

  line(block: BlockRow, line: number, { detail }: { detail: boolean }): RawLine {
    const { blocks } = this;
    return {
      id: blocks.idAt(block, line),
      at: block.first + (blocks.times(block)[line] as number),
      stored: valueAt(blocks.stored(block), line) as number,
      weight: valueAt(blocks.weights(block), line) as number,
      body: blocks.bodyAt(block, line),
      detail: detail ? blocks.detailAt(block, line) : '',
    };
  }

  rollups(scope: string, step: number, from: number, to: number): { at: number; record: RollupRecord }[] {
    if (!this.#isMade()) return [];
    const sql = 'select at, data from rollup where scope = ? and step = ? and at >= ? and at <= ?';
    const rows = this.blocks.statement(sql).all(scope, step, from, to) as { at: number; data: string }[];
    return rows.map(({ at, data }) => ({ at, record: JSON.parse(data) as RollupRecord }));
  }

  /** When something was last stored; 0: never. */
  lastStored(): number {
    if (!this.#isMade()) return 0;
    const row = this.blocks.statement("select value from meta where name = 'stored'").get() as
      | { value: number }
      | undefined;
    return row?.value ?? 0;
  }
}
