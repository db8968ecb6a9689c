import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { fromPostgres } from '#adapters/postgres/errors.ts';
import { markQuery, type Outcome, type TransactionMark } from '#adapters/postgres/outcomes.ts';
import type { ConnectionPool } from '#adapters/postgres/pool.ts';
import { isRefusal } from '#adapters/postgres/pool.ts';
import { databaseUnavailable, isGroup } from '#core/db.ts';
import { outcomeUnknown } from '#core/problem.ts';

/** Kysely's PostgreSQL dialect, with the driver's errors told apart for `Db.write` and for the caller. */
export function postgresDialect(
  pool: ConnectionPool,
  /** Asks again for a transaction whose COMMIT was not answered. */
  outcomeOf: (mark: TransactionMark) => Promise<Outcome>,
): Dialect {
  const inner = new PostgresDialect({ pool });
  return {
    createAdapter: () => inner.createAdapter(),
    createDriver: () => new TranslatingDriver(inner.createDriver(), outcomeOf),
    createIntrospector: (db) => inner.createIntrospector(db),
    createQueryCompiler: () => inner.createQueryCompiler(),
  };
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fromPostgres(error);
  }
}

/** No such function, or not for this user. */
const unsupported = new Set(['42883', '42501']);

class TranslatingDriver implements Driver {
  readonly #inner: Driver;
  readonly #wrapped = new WeakMap<DatabaseConnection, TranslatingConnection>();

  readonly #outcomeOf: (mark: TransactionMark) => Promise<Outcome>;
  /** False for an engine that speaks the protocol and does not number its transactions. */
  #marks = true;

  constructor(inner: Driver, outcomeOf: (mark: TransactionMark) => Promise<Outcome>) {
    this.#inner = inner;
    this.#outcomeOf = outcomeOf;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<TranslatingConnection> {
    const inner = await translated(this.#inner.acquireConnection());
    const wrapped = this.#wrapped.get(inner) ?? new TranslatingConnection(inner);
    this.#wrapped.set(inner, wrapped);
    return wrapped;
  }

  async beginTransaction(connection: TranslatingConnection, settings: TransactionSettings): Promise<void> {
    const { inner } = connection;
    connection.mark = undefined;
    if (!this.#marks || settings.isolationLevel !== 'serializable')
      return translated(this.#inner.beginTransaction(inner, settings));
    const begin = CompiledQuery.raw(`start transaction isolation level serializable; ${markQuery}`);
    try {
      connection.mark = (await inner.executeQuery<TransactionMark>(begin)).rows[0];
    } catch (error) {
      if (!unsupported.has((error as pg.DatabaseError).code ?? '')) throw fromPostgres(error);
      this.#marks = false;
      await this.rollbackTransaction(connection);
      await this.beginTransaction(connection, settings);
    }
  }

  /** Resolves too when the answer was lost and the transaction turns out to be committed. */
  async commitTransaction(connection: TranslatingConnection): Promise<void> {
    try {
      await this.#inner.commitTransaction(connection.inner);
    } catch (error) {
      if (isRefusal(error) || error instanceof AbortedTransactionError) throw fromPostgres(error);
      const outcome = connection.mark ? await this.#outcomeOf(connection.mark) : 'unknown';
      if (outcome === 'committed') return;
      throw outcome === 'aborted' ? databaseUnavailable(error) : outcomeUnknown(error);
    }
  }

  async rollbackTransaction(connection: TranslatingConnection): Promise<void> {
    // A rollback fails when the connection is gone; what matters then is the error that led here.
    await this.#inner.rollbackTransaction(connection.inner).catch(() => undefined);
  }

  releaseConnection(connection: TranslatingConnection): Promise<void> {
    return this.#inner.releaseConnection(connection.inner);
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

class TranslatingConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  /** Of the transaction that is open. */
  mark: TransactionMark | undefined;

  constructor(inner: DatabaseConnection) {
    this.inner = inner;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!isGroup(query)) return translated(this.inner.executeQuery<R>(query));
    // Sent at once. Behind one that fails the others are refused, and its error comes first.
    const results = await translated(Promise.all(query.group.map((one) => this.inner.executeQuery(one))));
    return { rows: results.map(({ rows }) => rows as R) };
  }

  // biome-ignore lint/correctness/useYield: part of the interface; large reads page by key instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: page by key.');
  }
}
