import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Compilable,
  type CompiledQuery,
  type Dialect,
  Kysely,
  type LogEvent,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from 'kysely';
import type { Notifications, Topic } from '#core/notifications.ts';
import { NothingChanged, type Problem } from '#core/problem.ts';
import { noteCommit, noteStart } from '#core/waits.ts';

/**
 * Every table, by name. An area declares its own beside its queries:
 * `declare module '#core/db.ts' { interface Tables { api_keys: ApiKeyTable } }`.
 * Moments are milliseconds since 1970 (integers), truth values 0 or 1, JSON is text, ids are UUID text.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the areas, see above.
export interface Tables {}

/** An open transaction. Writes demand one, so that the audit record can share it. */
export type Tx = Transaction<Tables>;

/** Thrown by a driver when the transaction lost a race (serialization failure, deadlock, busy file): run it again. */
export class TransactionConflict extends Error {
  override name = 'TransactionConflict';
}

/** Thrown by a driver when a row would break a unique index. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation';
}

export function databaseUnavailable(cause: unknown): Problem {
  const sentence = 'The database cannot be reached just now. Nothing was changed; try again shortly.';
  return new NothingChanged('unavailable', sentence, { cause, retryAfterSeconds: 2 });
}

export interface WriteOptions {
  /**
   * Names what this transaction contends for, such as `organizations-of:<user>`. Engines with concurrent writers take
   * a lock of that name before the transaction begins, so that a crowd queues up instead of failing and retrying.
   */
  queue?: string;
  /** What it changes is not what the caller asked for, such as a count of attempts: see `Waits.hasCommitted`. */
  aside?: true;
  /**
   * What it wrote survives a kill of the process and may be lost when the machine loses power: no wait for the disk. It
   * is never there without what was committed before it. Engines that are reached over a network do as always.
   */
  relaxed?: true;
}

export interface DbOptions {
  /** For how long a transaction that loses races is repeated. */
  retrySeconds: number;
  /** Told of every query, for tracing. */
  onQuery?: ((event: LogEvent) => void) | undefined;
}

/** What an engine supplies. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly dialect: Dialect;
  readonly notifications: Notifications;
  /** Runs `work` while holding the cluster-wide lock of that name. */
  holding<T>(lock: string, work: () => Promise<T>): Promise<T>;
  /** Runs `work` on a state of the database that stands still, without holding anybody up. Only builder queries. */
  snapshot<T>(work: (read: Kysely<Tables>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const inTransaction = new AsyncLocalStorage<true>();
const relaxedWrite = new AsyncLocalStorage<true>();

/** For drivers: whether the transaction that begins here need not wait for the disk. */
export function isRelaxed(): boolean {
  return relaxedWrite.getStore() === true;
}

/**
 * Throws inside the work of a transaction. What is read there has to be read through the transaction: another connection
 * sees another state, and waiting for one while holding one is how transactions come to wait for each other for ever.
 */
export function demandNoTransaction(): void {
  if (inTransaction.getStore())
    throw new Error('Inside a transaction the database is asked through it alone.');
}

/** The dialect, with connections only for those who hold none. */
function guarded(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      driver.acquireConnection = async (options) => {
        demandNoTransaction();
        return acquire(options);
      };
      return driver;
    },
  };
}

/**
 * The database. Reads are Kysely queries on it; writes go through `write`, which is atomic, serializable, durable when
 * it resolves, and repeated when it lost a race.
 */
export class Db extends Kysely<Tables> {
  readonly engine: Engine['name'];
  readonly notifications: Notifications;
  readonly #engine: Engine;
  readonly #retrySeconds: number;
  /** Of this node, so that nodes do not wait for each other to say that they are well. */
  readonly #name = randomUUID();

  constructor(engine: Engine, options: DbOptions) {
    const { onQuery } = options;
    super({ dialect: guarded(engine.dialect), ...(onQuery ? { log: onQuery } : {}) });
    this.engine = engine.name;
    this.notifications = engine.notifications;
    this.#engine = engine;
    this.#retrySeconds = options.retrySeconds;
  }

  /**
   * Runs `work` in a serializable transaction. It may run more than once, so it must touch nothing but the database:
   * no network, no files. Throws `Problem('unavailable')` when it kept losing for longer than the bound.
   */
  async write<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { relaxed, ...exact } = options;
    if (relaxed) return relaxedWrite.run(true, () => this.write(work, exact));
    const { queue, ...others } = options;
    if (queue) return this.#engine.holding(queue, () => this.write(work, others));
    const deadline = performance.now() + this.#retrySeconds * 1000;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(work, options);
      } catch (error) {
        if (!(error instanceof TransactionConflict)) throw error;
        const pause = Math.random() * Math.min(250, 4 * 2 ** attempt);
        if (performance.now() + pause > deadline) {
          const sentence = 'Too many concurrent changes. Nothing was changed; try again.';
          throw new NothingChanged('unavailable', sentence, { cause: error, retryAfterSeconds: 1 });
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /**
   * A transaction of one statement: with SQLite one message to its thread in place of three. `work` makes that one query
   * and nothing else.
   */
  async writeOne<T>(
    work: (db: Kysely<Tables>) => Promise<T>,
    options: Pick<WriteOptions, 'relaxed'> = {},
  ): Promise<T> {
    if (this.engine !== 'sqlite') return this.write(work, options);
    noteStart();
    try {
      const result = await (options.relaxed ? relaxedWrite.run(true, () => work(this)) : work(this));
      noteCommit();
      return result;
    } catch (error) {
      if (!(error instanceof TransactionConflict)) throw error;
      return this.write(work, options);
    }
  }

  async #attempt<T>(work: (tx: Tx) => Promise<T>, { aside }: WriteOptions): Promise<T> {
    const told: [Topic, string][] = [];
    const result = await this.transaction()
      .setIsolationLevel('serializable')
      .execute(async (tx) => {
        noteStart();
        this.notifications.collect(tx, told);
        const value = await inTransaction.run(true, () => work(tx));
        if (told.length > 0) await this.notifications.send(tx, told);
        return value;
      });
    if (!aside) noteCommit();
    // This process obeys at once; the others hear of it through the engine.
    for (const [topic, key] of told) this.notifications.deliver(topic, key);
    return result;
  }

  /** Reads that all see the same moment, however long they take. */
  snapshot<T>(work: (read: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#engine.snapshot(work);
  }

  /** Throws when the database does not answer. */
  async ping(): Promise<void> {
    await sql`select 1`.execute(this);
  }

  /** Throws when what a write needs is not to be had: a lock, a connection, a transaction. */
  async pingWrites(): Promise<void> {
    // Of SQLite a page of the file is written: its disk may be full. PostgreSQL gives the transaction a number.
    const change = this.engine === 'sqlite' ? sql`pragma user_version = 1` : sql`select 1`;
    await this.write((tx) => change.execute(tx), { queue: `readiness:${this.#name}` });
  }

  async close(): Promise<void> {
    await this.#engine.close();
    await this.destroy();
  }
}

/** What a driver is given by `together`; its result has the rows of each as one row. */
export interface QueryGroup extends CompiledQuery<unknown> {
  readonly group: readonly CompiledQuery[];
}

export function isGroup(query: CompiledQuery): query is QueryGroup {
  return 'group' in query;
}

/**
 * Runs queries of a transaction that need no answers of each other, in this order: with SQLite they are one message to its
 * thread, with PostgreSQL one round trip: both cost more than most queries. Resolves with the rows of each.
 */
export async function together<const Q extends readonly Compilable<unknown>[]>(
  tx: Tx,
  ...queries: Q
): Promise<{ [K in keyof Q]: Q[K] extends Compilable<infer Row> ? Row[] : never }> {
  const group = queries.map((query) => query.compile());
  const [first] = group;
  if (!first) throw new Error('Nothing was asked.');
  const asked: QueryGroup = {
    ...{ query: first.query, queryId: first.queryId, parameters: [], group },
    sql: group.map((query) => query.sql).join('; '),
  };
  const { rows } = await tx.executeQuery(asked);
  return rows as { [K in keyof Q]: Q[K] extends Compilable<infer Row> ? Row[] : never };
}

/** How many rows a query finds that has selected nothing yet. */
// biome-ignore lint/suspicious/noExplicitAny: whatever it joins.
export async function countRows(query: SelectQueryBuilder<any, any, any>): Promise<number> {
  const { n } = await query.select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return Number(n);
}
