import type pg from 'pg';
import { fromPostgres } from '#adapters/postgres/errors.ts';
import { ConnectionPool, type PooledConnection } from '#adapters/postgres/pool.ts';
import { NamedMutexes } from '#core/semaphore.ts';
import { currentWaits, demandClient } from '#core/waits.ts';

/** A holder says that it lives every second; one that is frozen loses its lock after three. */
const beatMilliseconds = 1000;
const idleMilliseconds = 3000;
/** The server gives up waiting first; after so much longer it is the server that is gone. */
const graceMilliseconds = 2000;
const connections = 4;
/** How many of this process may wait for one lock. */
const maxWaiting = 1000;

/**
 * Locks that all nodes share, as advisory locks of a session. They keep a crowd from failing and retrying; that its
 * writes are right is due to serializable transactions, so a lock may be taken from a holder that says nothing.
 */
export class Locks {
  readonly #pool: ConnectionPool;
  readonly #mutexes = new NamedMutexes({ maxWaiting });

  constructor(connection: pg.PoolConfig, onError: (error: Error) => void) {
    // Apart from the pool that the work under a lock uses: else those who wait could starve the one who works.
    this.#pool = new ConnectionPool(
      // Waiting is bounded by `lock_timeout`. Idle ones leave before the server would end them.
      { ...connection, max: connections, statement_timeout: 0, idleTimeoutMillis: idleMilliseconds / 2 },
      { settings: { idle_session_timeout: String(idleMilliseconds) }, onError },
    );
  }

  /** Taken before the transaction begins: its snapshot must not be older than the lock. */
  holding<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#mutexes.run(name, async () => {
      const connection = await this.#take(name);
      let beating: Promise<unknown> = Promise.resolve();
      const beat = async () => {
        await beating;
        await connection.query('select 1', []).catch(() => undefined);
      };
      const timer = setInterval(() => {
        beating = beat();
      }, beatMilliseconds);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        // Nobody has to wait for this; a connection that cannot say that it let go is closed, which lets go.
        beating
          .then(() => connection.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]))
          .catch(() => undefined)
          .finally(() => connection.release());
      }
    });
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #take(name: string): Promise<PooledConnection> {
    const waits = currentWaits();
    const connection = await this.#pool.connect().catch((error: unknown) => {
      throw fromPostgres(error);
    });
    const since = performance.now();
    try {
      const bound = Math.max(1, Math.round(waits.remainingMilliseconds));
      await connection.query(
        `select set_config('lock_timeout', $2, false), pg_advisory_lock(hashtextextended($1, 0))`,
        [name, String(bound)],
        { timeoutMilliseconds: bound + graceMilliseconds },
      );
      demandClient(waits);
      return connection;
    } catch (error) {
      // It may have got the lock after all.
      connection.discard(error);
      throw fromPostgres(error);
    } finally {
      waits.add(performance.now() - since);
    }
  }
}
