import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type Block,
  BlockBuilder,
  type BlockLine,
  blockLines,
  bounds,
  chunk,
  indexOfId,
  parts,
  partsPerBlock,
} from '#adapters/sqlite-logs/block.ts';
import { type BlockRow, DayBlocks } from '#adapters/sqlite-logs/day-blocks.ts';
import { HeadCache } from '#adapters/sqlite-logs/head-cache.ts';
import { mergedLines } from '#adapters/sqlite-logs/merge.ts';
import { batchTables, openDayFile, versionOf } from '#adapters/sqlite-logs/schema.ts';
import { type Text, textOf } from '#adapters/sqlite-logs/texts.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import type { Entry } from '#core/logs/entry.ts';
import type { Value } from '#core/logs/predicate.ts';
import { type RollupRecord, StepSums } from '#core/logs/steps.ts';
import type { StoreKey } from '#core/logs/thread.ts';

export const minuteMilliseconds = 60_000;
export const hourMilliseconds = 3_600_000;
/** Batches of fewer lines are merged when there are so many of them: a question reads each one by itself. */
const smallUnits = 128;
const maxSmall = 128;

/** Dropped lines of a scope in a minute. */
export interface Drop {
  scope: string;
  at: number;
  count: number;
}

/** A line that is about to be stored. */
export interface Line extends Omit<Entry, 'body' | 'detail'> {
  body: Text;
  detail: Text;
}

/**
 * The writing end of a day's file. Several processes may have it open: each batch is one transaction, and the moment that
 * it is stored at is taken while the write lock is held, so that it grows in the order of the commits.
 */
export class DayFile {
  readonly #database: DatabaseSync;
  readonly #spec: StreamSpec;
  readonly #blocks: DayBlocks;
  readonly #columns: number;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, spec: StreamSpec) {
    this.#database = openDayFile(file);
    this.#spec = spec;
    this.#columns = Object.keys(spec.columns).length;
    // Batches are read once, to be merged.
    this.#blocks = new DayBlocks(this.#database, { file, heads: new HeadCache({ heads: 1, blooms: 1 }) });
    try {
      if (versionOf(this.#database) === 1) this.#write(() => this.#takeOver());
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Stores all of them, or none; under a key that was stored before, nothing. */
  append(
    lines: readonly Line[],
    { drops = [], now, key }: { drops?: readonly Drop[]; now: number; key?: StoreKey | undefined },
  ): void {
    this.#write(() => {
      if (key && !this.#isNew(key)) return;
      const stored = this.#stamp(now);
      const scopes = new Map<string, Line[]>();
      for (const line of this.#spec.replaces ? this.#replacing(lines) : lines) {
        const others = scopes.get(line.scope);
        if (others) others.push(line);
        else scopes.set(line.scope, [line]);
      }
      for (const [scope, found] of scopes) this.#insertLines(scope, found, () => stored);
      if (!this.#spec.replaces) this.#rollUp(lines);
      for (const drop of drops) this.#addDrop(drop);
    });
  }

  /**
   * Makes blocks of the batches of scopes that have enough lines for one; with `all`, of all of them. Small batches of
   * others become larger ones. True: there is more to do.
   */
  seal({ all }: { all: boolean }): boolean {
    const sql = 'select scope, units from waiting where units >= ? or small >= ? limit 1';
    const row = this.#get(sql, all ? 1 : blockLines, maxSmall);
    if (!row) return false;
    const scope = row['scope'] as string;
    const isBlock = all || (row['units'] as number) >= blockLines;
    this.#write(() => {
      const batches = this.#blocks.batches(scope);
      this.#merge(scope, isBlock ? oldest(batches) : batches.filter(({ units }) => units < smallUnits), all);
    });
    return true;
  }

  /** Gives room back to the disk that sealing has freed; some of it, since it takes time. True: there is more. */
  shrink(): boolean {
    this.#database.exec('pragma incremental_vacuum(1024)');
    return (this.#get('pragma freelist_count')?.['freelist_count'] as number) > 0;
  }

  purge(scope: string): void {
    this.#write(() => {
      const blocks = this.#all('select id from block where scope = ?', scope);
      for (const { id } of blocks) this.#deleteBlock(id as number);
      for (const table of ['waiting', 'rollup']) this.#run(`delete from ${table} where scope = ?`, scope);
    });
  }

  close(): void {
    this.#blocks.close();
    this.#statements.clear();
    this.#database.close();
  }

  #write(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      // A full disk may have rolled back by itself.
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  /** Later than that of every batch before, whatever the clock does. */
  #stamp(now: number): number {
    const last = this.#get("select value from meta where name = 'stored'")?.['value'] as number | undefined;
    // A clock that was wrong by more than an hour, and is right again, does not hold the stamps back for ever.
    const stored = last !== undefined && last >= now && last < now + hourMilliseconds ? last + 1 : now;
    this.#run("insert or replace into meta (name, value) values ('stored', ?)", stored);
    return stored;
  }

  /** Whether the key is later than what its writer has stored here: a message that failed halfway comes again. */
  #isNew({ writer, number }: StoreKey): boolean {
    const name = `writer ${writer}`;
    const last = this.#get('select value from meta where name = ?', name)?.['value'] as number | undefined;
    if (last !== undefined && last >= number) return false;
    this.#run('insert or replace into meta (name, value) values (?, ?)', name, number);
    return true;
  }

  /** The last of each id, after those that are stored were marked as gone. */
  #replacing(lines: readonly Line[]): Iterable<Line> {
    const last = new Map(lines.map((line) => [`${line.scope} ${line.at} ${line.id}`, line]));
    for (const [scope, found] of Map.groupBy(last.values(), (line) => line.scope))
      this.#forgetStored(scope, found);
    return last.values();
  }

  /** As batches. */
  #insertLines<L extends Line>(scope: string, lines: L[], storedOf: (line: L) => number): void {
    lines.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    let builder = new BlockBuilder(scope, { columns: this.#columns, isBatch: true });
    const insert = () => {
      const id = this.#insertBlock(builder.build());
      this.#run('insert into batch (block, scope, units) values (?, ?, ?)', id, scope, builder.units);
      this.#run(
        `insert into waiting (scope, units, small) values (?, ?, ?) on conflict (scope) do update
          set units = units + excluded.units, small = small + excluded.small`,
        ...[scope, builder.units, Number(builder.units < smallUnits)],
      );
    };
    for (const line of lines) {
      if (builder.units >= blockLines) {
        insert();
        builder = new BlockBuilder(scope, { columns: this.#columns, isBatch: true });
      }
      builder.add({ ...line, stored: storedOf(line) }, (column) => line.values[column] as Value);
    }
    insert();
  }

  /** Replaces batches by blocks of the same lines; what is left over becomes a batch again, unless `all` must go. */
  #merge(scope: string, batches: readonly { block: BlockRow; units: number }[], all: boolean): void {
    let left = batches.reduce((sum, { units }) => sum + units, 0);
    let builder: BlockBuilder | undefined;
    let isBatch = false;
    const insert = () => {
      if (!builder) return;
      const id = this.#insertBlock(builder.build());
      if (isBatch)
        this.#run('insert into batch (block, scope, units) values (?, ?, ?)', id, scope, builder.units);
      left -= builder.units;
      builder = undefined;
    };
    const blocks = batches.map(({ block }) => block);
    for (const { line, columnValue } of mergedLines(this.#blocks, blocks)) {
      if (!builder) {
        isBatch = !all && left < blockLines;
        builder = new BlockBuilder(scope, { columns: this.#columns, isBatch });
      }
      builder.add(line, columnValue);
      if (builder.units >= blockLines) insert();
    }
    insert();
    for (const { id } of blocks) this.#deleteBlock(id);
    this.#run(
      `insert or replace into waiting (scope, units, small)
        select ?, coalesce(sum(units), 0), coalesce(sum(units < ?), 0) from batch where scope = ?`,
      ...[scope, smallUnits, scope],
    );
    this.#run('delete from waiting where scope = ? and units = 0', scope);
  }

  #deleteBlock(id: number): void {
    const start = id * partsPerBlock;
    this.#run('delete from part where key >= ? and key < ?', start, start + partsPerBlock);
    for (const [table, key] of [
      ['block', 'id'],
      ['batch', 'block'],
      ['gone', 'block'],
    ] as const)
      this.#run(`delete from ${table} where ${key} = ?`, id);
  }

  /** From the first version: the rows of `tail` become batches. */
  #takeOver(): void {
    // Another process may have been faster.
    if (versionOf(this.#database) !== 1) return;
    this.#database.exec(`drop table scopes; ${batchTables}`);
    for (const { scope } of this.#all('select distinct scope from tail')) {
      const rows = this.#all('select * from tail where scope = ?', scope as string);
      const lines = rows.map((row) => ({
        ...(row as unknown as BlockLine & { scope: string }),
        values: Array.from({ length: this.#columns }, (_, at) => row[`c${at}`] as Value),
        body: textOf(row['body'] as string),
        detail: textOf(row['detail'] as string),
      }));
      this.#insertLines(scope as string, lines, ({ stored }) => stored);
    }
    this.#database.exec('drop table tail');
  }

  #insertBlock(block: Block): number {
    const id = Number(
      this.#statement(
        'insert into block (scope, first, last, id_min, id_max, stored_min, stored_max, lines, head) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ).run(
        block.scope,
        block.first,
        block.last,
        block.idMin,
        block.idMax,
        block.storedMin,
        block.storedMax,
        block.lines,
        JSON.stringify(block.head),
      ).lastInsertRowid,
    );
    const insert = this.#statement('insert into part (key, data) values (?, ?)');
    for (const [number, data] of block.parts) insert.run(id * partsPerBlock + number, data);
    return id;
  }

  /** Lines of the same moment and id that a block holds are gone: the new ones count. */
  #forgetStored(scope: string, lines: readonly Line[]): void {
    const [first, last] = bounds(lines.map(({ at }) => at));
    const [idMin, idMax] = bounds(lines.map(({ id }) => id));
    const blocks = this.#all(
      `select id, first, last, id_min, id_max from block
        where scope = ? and first <= ? and last >= ? and id_min <= ? and id_max >= ?`,
      ...[scope, last, first, idMax, idMin],
    ) as { id: number; first: number; last: number; id_min: string; id_max: string }[];
    for (const block of blocks) {
      const wanted = lines.filter(
        ({ at, id }) => at >= block.first && at <= block.last && id >= block.id_min && id <= block.id_max,
      );
      if (wanted.length === 0) continue;
      const start = block.id * partsPerBlock + parts.ids;
      const rows = this.#all(
        'select key, data from part where key >= ? and key < ? order by key',
        start,
        start + 32,
      );
      for (const { key, data } of rows) {
        const ids = Buffer.from(data as Uint8Array);
        for (const { id } of wanted) {
          const line = indexOfId(ids, Buffer.from(id.replaceAll('-', ''), 'hex'));
          if (line < 0) continue;
          const number = ((key as number) - start) * chunk.ids + line;
          this.#run('insert or ignore into gone (block, line) values (?, ?)', block.id, number);
        }
      }
    }
  }

  #rollUp(lines: readonly Line[]): void {
    const { rollup, columns } = this.#spec;
    const names = Object.keys(columns);
    const group = names.indexOf(rollup.group);
    const sums = rollup.sums.map((name) => names.indexOf(name));
    const quantile = rollup.quantile === null ? -1 : names.indexOf(rollup.quantile);
    const steps = new Map<string, { scope: string; at: number; sums: StepSums }>();
    for (const { scope, at, weight, values } of lines) {
      const minute = Math.floor(at / minuteMilliseconds) * minuteMilliseconds;
      const name = `${scope} ${minute}`;
      let step = steps.get(name);
      if (!step) {
        step = { scope, at: minute, sums: new StepSums(this.#spec) };
        steps.set(name, step);
      }
      step.sums.add(weight, values[group] ?? null);
      sums.forEach((column, index) => {
        const value = values[column];
        if (typeof value === 'number') step.sums.addSum(index, value * weight);
      });
      const value = quantile < 0 ? null : values[quantile];
      if (typeof value === 'number') step.sums.addQuantile(value, weight);
    }
    for (const { scope, at, sums: found } of steps.values()) this.#addRollup(scope, at, found.toRecord());
  }

  #addDrop({ scope, at, count }: Drop): void {
    const minute = Math.floor(at / minuteMilliseconds) * minuteMilliseconds;
    this.#addRollup(scope, minute, { n: 0, g: {}, s: this.#spec.rollup.sums.map(() => 0), d: count });
  }

  #addRollup(scope: string, minute: number, record: RollupRecord): void {
    for (const step of [minuteMilliseconds, hourMilliseconds]) {
      const at = Math.floor(minute / step) * step;
      const row = this.#get(
        'select data from rollup where scope = ? and step = ? and at = ?',
        scope,
        step,
        at,
      );
      const sums = new StepSums(this.#spec);
      if (row) sums.addRecord(JSON.parse(row['data'] as string));
      sums.addRecord(record);
      this.#run(
        'insert or replace into rollup (scope, step, at, data) values (?, ?, ?, ?)',
        ...[scope, step, at, JSON.stringify(sums.toRecord())],
      );
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#statement(sql).run(...values);
  }

  #get(sql: string, ...values: (string | number)[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values) as Record<string, unknown> | undefined;
  }

  #all(sql: string, ...values: (string | number)[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values) as Record<string, unknown>[];
  }
}

/** Enough for a block, in the order of storing. */
function oldest<T extends { units: number }>(batches: readonly T[]): T[] {
  let units = 0;
  return batches.filter((batch) => {
    const isWanted = units < blockLines;
    units += batch.units;
    return isWanted;
  });
}
