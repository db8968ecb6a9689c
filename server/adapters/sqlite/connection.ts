import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

export interface Rows {
  rows: unknown[];
  changes: number;
}

/** One SQLite connection with its prepared statements. Used by the reader on the main thread and by the writer thread. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, { statement: StatementSync; returnsRows: boolean }>({
    max: 500,
  });

  constructor(file: string, options: { busyMilliseconds: number; readOnly: boolean }) {
    this.#database = new DatabaseSync(file, { timeout: options.busyMilliseconds });
    // FULL: a commit that a client was told of is on the disk. WAL: readers never wait for the writer.
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
    this.#database.exec(
      'pragma mmap_size = 268435456; pragma cache_size = -16000; pragma temp_store = memory;',
    );
    if (options.readOnly) this.#database.exec('pragma query_only = on');
  }

  run(sql: string, parameters: readonly unknown[]): Rows {
    let prepared = this.#statements.get(sql);
    if (!prepared) {
      const statement = this.#database.prepare(sql);
      prepared = { statement, returnsRows: statement.columns().length > 0 };
      this.#statements.set(sql, prepared);
    }
    const { statement, returnsRows } = prepared;
    const values = parameters as SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: Number(statement.run(...values).changes) };
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}
