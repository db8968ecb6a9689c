import { sql } from 'kysely';
import pg from 'pg';
import { Sockets } from '#adapters/postgres/sockets.ts';
import type { Tx } from '#core/db.ts';
import { Notifications, type Topic } from '#core/notifications.ts';

const heartbeatMilliseconds = 250;
const currentMilliseconds = 900;
const channel = 'mainstay_news';

/**
 * Notifications by LISTEN and NOTIFY. PostgreSQL delivers notifications before the answer to the next query of the listening
 * connection, so every answered heartbeat proves that all that was committed before it was sent has arrived.
 */
export class PostgresNotifications extends Notifications {
  readonly #connection: pg.ClientConfig;
  readonly #graceMilliseconds: number;
  #client: pg.Client | undefined;
  readonly #sockets = new Sockets();
  #provenAt = Number.NEGATIVE_INFINITY;
  #lastProof: number | undefined;
  /** Since this moment the server has not answered at all. That it is there and refuses is another matter. */
  #unreachableSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #nextBeat: Promise<void> | undefined;
  #stopped = false;

  /** `graceSeconds`: for how long what is cached is still accepted while the server cannot be reached. */
  constructor(connection: pg.ClientConfig, { graceSeconds }: { graceSeconds: number }) {
    super();
    this.#connection = connection;
    this.#graceMilliseconds = graceSeconds * 1000;
  }

  current(): boolean {
    return performance.now() - this.#provenAt < currentMilliseconds || this.degraded();
  }

  override degraded(): boolean {
    if (this.#unreachableSince === undefined) return false;
    return performance.now() - this.#unreachableSince < this.#graceMilliseconds;
  }

  /** A heartbeat under way may have been sent too early: the next one counts. */
  catchUp(): Promise<void> {
    this.#nextBeat ??= (this.#beating ?? Promise.resolve()).then(() => {
      this.#nextBeat = undefined;
      return this.#beat();
    });
    return this.#nextBeat;
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
  #beat(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#beating ??= this.#doBeat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #doBeat(): Promise<void> {
    const sentAt = performance.now();
    try {
      if (this.#client) await this.#client.query('select 1');
      else await this.#connect();
      this.#provenAt = sentAt;
      this.#lastProof = sentAt;
      this.#unreachableSince = undefined;
    } catch (error) {
      this.#unreachableSince = isAway(error) ? this.#lastProof : undefined;
      await this.#drop();
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

/** Nothing answers there, or only that it is starting or stopping. A server that refuses us for another reason is there. */
function isAway(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^57P0[123]$/.test(error.code ?? '');
}
