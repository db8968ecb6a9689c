import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Block, BlockBuilder, blockLines, parts, partsPerBlock } from '#adapters/sqlite-logs/block.ts';
import { openDayFile, tailColumns } from '#adapters/sqlite-logs/schema.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import type { Entry } from '#core/logs/entry.ts';
import type { Value } from '#core/logs/predicate.ts';
import { type RollupRecord, StepSums } from '#core/logs/steps.ts';

export const minuteMilliseconds = 60_000;
export const hourMilliseconds = 3_600_000;

/** Dropped lines of a scope in a minute. */
export interface Drop {
  scope: string;
  at: number;
  count: number;
}

/**
 * The writing end of a day's file. Several processes may have it open: each batch is one transaction, and the moment that
 * it is stored at is taken while the write lock is held, so that it grows in the order of the commits.
 */
export class DayFile {
  readonly #database: DatabaseSync;
  readonly #spec: StreamSpec;
  readonly #insert: StatementSync;
  readonly #columns: number;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, spec: StreamSpec) {
    this.#database = openDayFile(file, spec);
    this.#spec = spec;
    const names = ['scope', 'at', 'id', 'stored', 'weight', ...tailColumns(spec), 'body', 'detail'];
    const verb = spec.replaces ? 'replace' : 'ignore';
    this.#insert = this.#database.prepare(
      `insert or ${verb} into tail (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    );
    this.#columns = tailColumns(spec).length;
  }

  /** Stores all of them, or none. */
  append(entries: readonly Entry[], drops: readonly Drop[], now: number): void {
    this.#write(() => {
      const stored = this.#stamp(now);
      const added = new Map<string, number>();
      const inserted: Entry[] = [];
      for (const entry of entries) {
        const { id, scope, at, weight, values, body, detail } = entry;
        if (this.#spec.replaces) this.#forgetStored(scope, at, id);
        const { changes } = this.#insert.run(scope, at, id, stored, weight, ...values, body, detail);
        // One that is there already: the batch was given before, and only half of it could be stored.
        if (!changes) continue;
        inserted.push(entry);
        added.set(scope, (added.get(scope) ?? 0) + unitsOf(entry));
      }
      for (const [scope, count] of added)
        this.#run(
          'insert into scopes (scope, units) values (?, ?) on conflict (scope) do update set units = units + excluded.units',
          scope,
          count,
        );
      if (!this.#spec.replaces) this.#rollUp(inserted);
      for (const drop of drops) this.#addDrop(drop);
    });
  }

  /** Makes blocks of the scopes that have enough lines for one; with `all`, of all of them. True: there is more to do. */
  seal({ all }: { all: boolean }): boolean {
    const row = this.#get('select scope from scopes where units >= ? limit 1', all ? 1 : blockLines);
    if (!row) return false;
    const scope = row['scope'] as string;
    this.#write(() => {
      const { builder, units } = this.#oldest(scope);
      const { last } = builder;
      if (!last) {
        this.#run('delete from scopes where scope = ?', scope);
        return;
      }
      this.#insertBlock(builder.build());
      this.#run('delete from tail where scope = ? and (at, id) <= (?, ?)', scope, last.at, last.id);
      if (units < blockLines) this.#run('delete from scopes where scope = ?', scope);
      else this.#run('update scopes set units = max(1, units - ?) where scope = ?', units, scope);
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
      for (const { id } of blocks) {
        const start = (id as number) * partsPerBlock;
        this.#run('delete from part where key >= ? and key < ?', start, start + partsPerBlock);
        this.#run('delete from gone where block = ?', id as number);
      }
      for (const table of ['block', 'tail', 'scopes', 'rollup'])
        this.#run(`delete from ${table} where scope = ?`, scope);
    });
  }

  close(): void {
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

  /** What fits into a block. */
  #oldest(scope: string): { builder: BlockBuilder; units: number } {
    const sql = 'select * from tail where scope = ? order by at, id limit ?';
    const statement = this.#statement(sql);
    statement.setReturnArrays(true);
    const builder = new BlockBuilder(scope, this.#columns);
    let units = 0;
    for (const found of statement.iterate(scope, blockLines)) {
      const row = found as unknown as Value[];
      const line = {
        at: row[1] as number,
        id: row[2] as string,
        stored: row[3] as number,
        weight: row[4] as number,
        body: row[5 + this.#columns] as string,
        detail: row[6 + this.#columns] as string,
      };
      builder.add(line, row, 5);
      units += unitsOf(line);
      if (units >= blockLines) break;
    }
    return { builder, units };
  }

  #insertBlock(block: Block): void {
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
  }

  /** The line of that id, where a block holds it, is gone: the new one counts. */
  #forgetStored(scope: string, at: number, id: string): void {
    const blocks = this.#all(
      'select id, lines from block where scope = ? and first <= ? and last >= ? and id_min <= ? and id_max >= ?',
      ...[scope, at, at, id, id],
    );
    const wanted = Buffer.from(id.replaceAll('-', ''), 'hex');
    for (const block of blocks) {
      const start = (block['id'] as number) * partsPerBlock + parts.ids;
      const rows = this.#all(
        'select key, data from part where key >= ? and key < ? order by key',
        start,
        start + 32,
      );
      for (const { key, data } of rows) {
        const line = indexOfId(Buffer.from(data as Uint8Array), wanted);
        if (line < 0) continue;
        const number = ((key as number) - start) * 1024 + line;
        this.#run('insert or ignore into gone (block, line) values (?, ?)', block['id'] as number, number);
      }
    }
  }

  #rollUp(entries: readonly Entry[]): void {
    const { rollup, columns } = this.#spec;
    const names = Object.keys(columns);
    const group = names.indexOf(rollup.group);
    const sums = rollup.sums.map((name) => names.indexOf(name));
    const quantile = rollup.quantile === null ? -1 : names.indexOf(rollup.quantile);
    const steps = new Map<string, { scope: string; at: number; sums: StepSums }>();
    for (const { scope, at, weight, values } of entries) {
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

/** What a block has room for is counted by these, so that long lines make smaller ones. */
function unitsOf({ body, detail }: Pick<Entry, 'body' | 'detail'>): number {
  return 1 + Math.floor((body.length + detail.length) / 4096);
}

/** Of an id among ids of 16 bytes each; -1: it is not there. */
export function indexOfId(ids: Buffer, wanted: Buffer): number {
  for (let at = ids.indexOf(wanted); at >= 0; at = ids.indexOf(wanted, at + 1))
    if (at % 16 === 0) return at / 16;
  return -1;
}
