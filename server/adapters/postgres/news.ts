import { sql } from 'kysely';
import pg from 'pg';
import { Sockets } from '#adapters/postgres/sockets.ts';
import type { Tx } from '#core/db.ts';
import { News, type Topic } from '#core/news.ts';

const heartbeatMilliseconds = 250;
const currentMilliseconds = 900;
const channel = 'mainstay_news';

/**
 * News by LISTEN and NOTIFY. PostgreSQL delivers notifications before the answer to the next query of the listening
 * connection, so every answered heartbeat proves that all that was committed before it was sent has arrived.
 */
export class PostgresNews extends News {
  readonly #connection: pg.ClientConfig;
  #client: pg.Client | undefined;
  readonly #sockets = new Sockets();
  #provenAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #beating = false;
  #stopped = false;

  constructor(connection: pg.ClientConfig) {
    super();
    this.#connection = connection;
  }

  current(): boolean {
    return performance.now() - this.#provenAt < currentMilliseconds;
  }

  async send(tx: Tx, items: readonly [Topic, string][]): Promise<void> {
    for (const item of items) await sql`select pg_notify(${channel}, ${JSON.stringify(item)})`.execute(tx);
  }

  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => void this.#beat(), heartbeatMilliseconds);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#sockets.closeAfter(this.#drop());
  }

  /** One heartbeat; connects first where there is no connection. Never throws: `current` tells. */
  async #beat(): Promise<void> {
    if (this.#beating || this.#stopped) return;
    this.#beating = true;
    const sentAt = performance.now();
    try {
      if (this.#client) await this.#client.query('select 1');
      else await this.#connect();
      this.#provenAt = sentAt;
    } catch {
      await this.#drop();
    } finally {
      this.#beating = false;
    }
  }

  async #connect(): Promise<void> {
    const times = { query_timeout: 700, connectionTimeoutMillis: 2000 };
    const client = new pg.Client({ ...this.#connection, stream: this.#sockets.make, ...times });
    client.on('error', () => void this.#drop());
    client.on('notification', ({ payload }) => {
      const [topic, key] = JSON.parse(payload ?? '[]') as [Topic, string];
      this.deliver(topic, key);
    });
    await client.connect();
    await client.query(`listen ${channel}`);
    this.#client = client;
    // Whatever was told while nobody listened is lost to us.
    this.deliverEverything();
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#provenAt = Number.NEGATIVE_INFINITY;
    await client?.end().catch(() => undefined);
  }
}
