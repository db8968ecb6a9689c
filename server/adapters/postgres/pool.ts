import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { Sockets } from '#adapters/postgres/sockets.ts';
import { Semaphore } from '#core/semaphore.ts';

/** How many may wait for a connection. */
const maxWaiting = 1000;

/**
 * A pool for which waiting is bounded, and that lends no connection again on which a query was given up: its answer may
 * still come, to whoever asks next.
 */
export class ConnectionPool implements PostgresPool {
  readonly options: pg.PoolConfig;
  readonly #pool: pg.Pool;
  readonly #places: Semaphore;
  readonly #sockets = new Sockets();
  readonly #connections = new WeakMap<pg.PoolClient, PooledConnection>();

  /** `settings` are of the session, as PostgreSQL names them. */
  constructor(
    options: pg.PoolConfig & { max: number },
    { settings, onError }: { settings: Record<string, string>; onError: (error: Error) => void },
  ) {
    // Queries that are asked at once are sent at once, not each when the one before is answered.
    this.options = { ...options, stream: this.#sockets.make, pipeline: true };
    this.#places = new Semaphore({ width: options.max, maxWaiting });
    this.#pool = new pg.Pool({
      ...this.options,
      onConnect: (client) =>
        client.query(
          'select set_config(name, value, false) from json_each_text($1) as settings (name, value)',
          [JSON.stringify(settings)],
        ),
    });
    this.#pool.on('error', onError);
    // The pool listens on idle connections only: one lost between two statements of a transaction would end the process.
    this.#pool.on('connect', (client) => client.on('error', onError));
  }

  async connect(): Promise<PooledConnection> {
    const leave = await this.#places.acquire();
    try {
      const client = await this.#pool.connect();
      let connection = this.#connections.get(client);
      if (!connection) {
        connection = new PooledConnection(client);
        this.#connections.set(client, connection);
      }
      connection.lend(leave);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Waits for the connections that are lent. */
  end(): Promise<void> {
    return this.#sockets.closeAfter(this.#pool.end());
  }
}

interface Answer {
  command: 'SELECT';
  rowCount: number;
  // biome-ignore lint/suspicious/noExplicitAny: rows are of whatever was asked for.
  rows: any[];
}

export class PooledConnection implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  #leave: (() => void) | undefined;
  #broken: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    client.on('error', (error) => {
      this.#broken ??= error;
    });
  }

  lend(leave: () => void): void {
    this.#leave = leave;
  }

  /** Of several statements in one text, the answer to the last. */
  query<R>(
    text: string,
    parameters: readonly unknown[],
    options?: { timeoutMilliseconds?: number },
  ): Promise<Answer & { rows: R[] }>;
  query(): never;
  async query(
    text = '',
    parameters: readonly unknown[] = [],
    options: { timeoutMilliseconds?: number } = {},
  ): Promise<Answer> {
    if (this.#broken) throw this.#broken;
    const { timeoutMilliseconds: query_timeout } = options;
    const query = { text, values: [...parameters], ...(query_timeout ? { query_timeout } : {}) };
    try {
      const answer = await this.#client.query(query);
      return (Array.isArray(answer) ? answer.at(-1) : answer) as Answer;
    } catch (error) {
      if (!isRefusal(error)) this.#broken ??= error as Error;
      throw error;
    }
  }

  /** Closes it, and with it whatever the session holds. */
  discard(reason: unknown): void {
    this.#broken ??= reason instanceof Error ? reason : new Error(String(reason));
    this.release();
  }

  /** Lets it be used again, or closes it when anything but a refusal happened on it. */
  release(): void {
    const leave = this.#leave;
    this.#leave = undefined;
    this.#client.release(this.#broken);
    leave?.();
  }
}

/** The server answered, and the connection is as good as before. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}
