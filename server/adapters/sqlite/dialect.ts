import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Connection, Rows } from '#adapters/sqlite/connection.ts';
import { fromFailure, toFailure } from '#adapters/sqlite/errors.ts';
import type { Writer, WriterSession } from '#adapters/sqlite/writer.ts';
import { isGroup, isRelaxed } from '#core/db.ts';
import { Semaphore } from '#core/semaphore.ts';

/**
 * Kysely on `node:sqlite`. Reads run on this thread: an indexed read costs microseconds, less than a message would.
 * Transactions and single writes go to the writer thread, one at a time, in order of arrival.
 */
export function sqliteDialect(reader: Connection, writer: Writer): Dialect {
  return {
    createAdapter: () => new ThreadedAdapter(),
    createDriver: () => new SqliteThreadedDriver(reader, writer),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely lets one at a time use SQLite; here readers wait for nobody, and writers take turns below. */
class ThreadedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** How many transactions may wait for theirs. */
const maxWaiting = 1000;

class SqliteThreadedDriver implements Driver {
  readonly #reader: Connection;
  readonly #writer: Writer;
  readonly #mutex = new Semaphore({ width: 1, maxWaiting });

  constructor(reader: Connection, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#reader, this.#writer, this.#mutex);
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.end('commit');
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    // A rollback fails when the writer is gone; what matters then is the error that led here.
    await connection.end('rollback').catch(() => undefined);
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class SqliteConnection implements DatabaseConnection {
  readonly #reader: Connection;
  readonly #writer: Writer;
  readonly #mutex: Semaphore;
  #unlock: (() => void) | undefined;
  #session: WriterSession | undefined;

  constructor(reader: Connection, writer: Writer, mutex: Semaphore) {
    this.#reader = reader;
    this.#writer = writer;
    this.#mutex = mutex;
  }

  async begin(): Promise<void> {
    this.#unlock = await this.#mutex.acquire();
    try {
      this.#session = this.#writer.session;
    } catch (error) {
      this.#release();
      throw error;
    }
    // It travels with the first statement, which fails with it.
    this.#session.send({ op: 'begin', relaxed: isRelaxed() }).catch(() => undefined);
  }

  async end(op: 'commit' | 'rollback'): Promise<void> {
    // Kysely rolls back after a failed commit, which is why a failed commit keeps the mutex.
    if (!this.#unlock || !this.#session) return;
    // With others waiting, the next one may begin: its messages follow this one, and one commit may end both.
    const more = op === 'commit' && this.#mutex.isWaitedFor;
    const sent = this.#session.send(op === 'commit' ? { op, more } : { op });
    if (more) this.#release();
    try {
      await sent;
      this.#release();
    } catch (error) {
      if (op === 'rollback') this.#release();
      throw error;
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!isGroup(query)) return toResult<R>(await this.#run(query));
    const results = await Promise.all(query.group.map((one) => this.#run(one)));
    return { rows: results.map(({ rows }) => rows as R) };
  }

  // biome-ignore lint/correctness/useYield: part of the interface; large reads page by key instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite queries are not streamed: page by key.');
  }

  async #run(query: CompiledQuery): Promise<Rows> {
    const { sql, parameters } = query;
    if (this.#session) return this.#session.send({ op: 'query', sql, parameters });
    if (query.query.kind === 'SelectQueryNode') {
      try {
        return this.#reader.run(sql, parameters);
      } catch (error) {
        throw fromFailure(toFailure(error));
      }
    }
    const leave = await this.#mutex.acquire();
    try {
      return await this.#writer.session.send({ op: 'write', sql, parameters, relaxed: isRelaxed() });
    } finally {
      leave();
    }
  }

  #release(): void {
    this.#unlock?.();
    this.#unlock = undefined;
    this.#session = undefined;
  }
}

function toResult<R>({ rows, changes }: Rows): QueryResult<R> {
  return { rows: rows as R[], numAffectedRows: BigInt(changes) };
}
