import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { postgresDialect } from '#adapters/postgres/dialect.ts';
import { Locks } from '#adapters/postgres/locks.ts';
import { PostgresNotifications } from '#adapters/postgres/notifications.ts';
import { outcomeOf } from '#adapters/postgres/outcomes.ts';
import { ConnectionPool } from '#adapters/postgres/pool.ts';
import { Db, type DbOptions, type Tables } from '#core/db.ts';

/** A transaction that says nothing for so long is of a node that is frozen: what it has locked is let go. */
const idleInTransactionMilliseconds = 5000;

/** Connects to PostgreSQL 15 or later, or to an engine that speaks its protocol. */
export async function openPostgres(
  url: URL,
  options: DbOptions & {
    maxConnections: number;
    /** For how long what is cached is still accepted while the server cannot be reached. */
    graceSeconds?: number;
    onError: (error: Error) => void;
  },
): Promise<Db> {
  const types: pg.CustomTypesConfig = {
    // Moments and counts stay below 2^53: hand them out as numbers.
    getTypeParser: (oid, format) =>
      oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  };
  const { onError, maxConnections: max } = options;
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
  const pool = new ConnectionPool(
    { ...connection, max, idleTimeoutMillis: 30_000 },
    {
      settings: { idle_in_transaction_session_timeout: String(idleInTransactionMilliseconds) },
      onError,
    },
  );
  const locks = new Locks(connection, onError);
  const notifications = new PostgresNotifications(connection, { graceSeconds: options.graceSeconds ?? 0 });
  await notifications.start();
  const dialect = postgresDialect(pool, (mark) => outcomeOf(mark, connection, options.retrySeconds));
  return new Db(
    {
      name: 'postgres',
      dialect,
      notifications,
      holding: (lock, work) => locks.holding(lock, work),
      snapshot: (work) =>
        new Kysely<Tables>({ dialect })
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (read) => {
            // Between its reads a backup waits for the disk.
            await sql`set local idle_in_transaction_session_timeout = 0`.execute(read);
            return work(read);
          }),
      async close() {
        await Promise.all([notifications.stop(), locks.end()]);
      },
    },
    options,
  );
}
