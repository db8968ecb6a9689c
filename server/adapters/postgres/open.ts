import { Kysely } from 'kysely';
import pg from 'pg';
import { postgresDialect } from '#adapters/postgres/dialect.ts';
import { fromPostgres } from '#adapters/postgres/errors.ts';
import { PostgresNews } from '#adapters/postgres/news.ts';
import { Db, type DbOptions, type Tables } from '#core/db.ts';
import { NamedTurns } from '#core/turn.ts';

/** Connects to PostgreSQL 15 or later, or to an engine that speaks its protocol. */
export async function openPostgres(
  url: URL,
  options: DbOptions & { maxConnections: number; onError: (error: Error) => void },
): Promise<Db> {
  const types: pg.CustomTypesConfig = {
    // Moments and counts stay below 2^53: hand them out as numbers.
    getTypeParser: (oid, format) =>
      oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  };
  const connection: pg.PoolConfig = {
    connectionString: url.href,
    application_name: 'mainstay',
    connectionTimeoutMillis: 3000,
    // The server stops a runaway statement; the client stops waiting for a server that is gone.
    statement_timeout: options.retrySeconds * 1000,
    query_timeout: options.retrySeconds * 1000 + 2000,
    keepAlive: true,
    types,
  };
  const newPool = (max: number) => {
    const pool = new pg.Pool({ ...connection, max, idleTimeoutMillis: 30_000 });
    pool.on('error', options.onError);
    // The pool listens on idle connections only: one lost between two statements of a transaction would end the process.
    pool.on('connect', (client) => client.on('error', options.onError));
    return pool;
  };
  const pool = newPool(options.maxConnections);
  // Apart from the pool that the work under a lock uses: else those who wait could starve the one who works.
  const lockPool = newPool(4);
  const turns = new NamedTurns();
  const news = new PostgresNews(connection);
  await news.start();
  const dialect = postgresDialect(pool);
  return new Db(
    {
      name: 'postgres',
      dialect,
      news,
      holding: (lock, work) => turns.run(lock, () => holding(lockPool, lock, work)),
      snapshot: (work) =>
        new Kysely<Tables>({ dialect })
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(work),
      async close() {
        await news.stop();
        await lockPool.end();
      },
    },
    options,
  );
}

/** Session-level, and taken before the transaction begins: its snapshot must not be older than the lock. */
async function holding<T>(pool: pg.Pool, lock: string, work: () => Promise<T>): Promise<T> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [lock]);
  } catch (error) {
    throw fromPostgres(error);
  }
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [lock]).then(
      () => client.release(),
      // A connection that cannot say that it let go is closed, which lets go.
      (error: Error) => client.release(error),
    );
  }
}
