import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { fromPostgres } from '#adapters/postgres/errors.ts';
import type { ConnectionPool } from '#adapters/postgres/pool.ts';

/** Kysely's PostgreSQL dialect, with the driver's errors told apart for `Db.write` and for the caller. */
export function postgresDialect(pool: ConnectionPool): Dialect {
  const inner = new PostgresDialect({ pool });
  return {
    createAdapter: () => inner.createAdapter(),
    createDriver: () => new TranslatingDriver(inner.createDriver()),
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

class TranslatingDriver implements Driver {
  readonly #inner: Driver;
  readonly #wrapped = new WeakMap<DatabaseConnection, TranslatingConnection>();

  constructor(inner: Driver) {
    this.#inner = inner;
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

  beginTransaction(connection: TranslatingConnection, settings: TransactionSettings): Promise<void> {
    return translated(this.#inner.beginTransaction(connection.inner, settings));
  }

  commitTransaction(connection: TranslatingConnection): Promise<void> {
    return translated(this.#inner.commitTransaction(connection.inner));
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

  constructor(inner: DatabaseConnection) {
    this.inner = inner;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return translated(this.inner.executeQuery<R>(query));
  }

  // biome-ignore lint/correctness/useYield: part of the interface; large reads page by key instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: page by key.');
  }
}
