import { Worker } from 'node:worker_threads';
import type { Rows } from '#adapters/sqlite/connection.ts';
import { fromFailure } from '#adapters/sqlite/errors.ts';
import {
  commitBegun,
  commitDone,
  commitFirst,
  type WriterData,
  type WriterReply,
  type WriterRequest,
} from '#adapters/sqlite/writer-thread.ts';
import { databaseUnavailable } from '#core/db.ts';
import { outcomeUnknown } from '#core/problem.ts';

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never;

interface Waiting extends PromiseWithResolvers<Rows> {
  op: WriterRequest['op'];
}

/** The main thread's end of the writer thread, which is started when it is needed, and again after it died. */
export class Writer {
  readonly #data: Omit<WriterData, 'commits'>;
  #current: WriterSession | undefined;
  #closed = false;

  constructor(file: string, busyMilliseconds: number) {
    this.#data = { file, busyMilliseconds };
    this.#current = new WriterSession(this.#data);
  }

  /** The thread of now. A transaction keeps to the one that it began in, and fails with it. */
  get session(): WriterSession {
    if (this.#closed) throw databaseUnavailable(new Error('The database is closed.'));
    if (!this.#current || this.#current.isDead) this.#current = new WriterSession(this.#data);
    return this.#current;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#current?.isDead === false) await this.#current.close();
  }
}

export class WriterSession {
  readonly #thread: Worker;
  readonly #commits = new BigInt64Array(new SharedArrayBuffer(24));
  readonly #waiting = new Map<number, Waiting>();
  /** Not sent yet: a message wakes the other thread, which costs more than most statements do. */
  #unsent: WriterRequest[] = [];
  #lastId = 0;
  #dead: unknown;

  constructor(data: Omit<WriterData, 'commits'>) {
    const workerData: WriterData = { ...data, commits: this.#commits };
    this.#thread = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData });
    this.#thread.on('message', (replies: WriterReply[]) => {
      for (const reply of replies) {
        const waiter = this.#waiting.get(reply.id);
        this.#waiting.delete(reply.id);
        if ('failure' in reply) waiter?.reject(fromFailure(reply.failure));
        else waiter?.resolve(reply);
      }
    });
    this.#thread.on('error', (error) => {
      this.#dead ??= error;
    });
    this.#thread.on('exit', () => this.#died());
    // An idle writer does not keep the process alive; a request under way does.
    this.#thread.unref();
  }

  get isDead(): boolean {
    return this.#dead !== undefined;
  }

  /** Sends a statement, awaits its rows. Those that are asked for in one go travel together. */
  send(request: WithoutId<WriterRequest>): Promise<Rows> {
    if (this.#dead) return Promise.reject(databaseUnavailable(this.#dead));
    const id = ++this.#lastId;
    const waiter = Promise.withResolvers<Rows>();
    if (this.#waiting.size === 0) this.#thread.ref();
    this.#waiting.set(id, { ...waiter, op: request.op });
    this.#unsent.push({ id, ...request });
    if (this.#unsent.length === 1) process.nextTick(() => this.#post());
    return waiter.promise.finally(() => {
      if (this.#waiting.size === 0) this.#thread.unref();
    });
  }

  #post(): void {
    const requests = this.#unsent;
    this.#unsent = [];
    this.#thread.postMessage(requests);
  }

  async close(): Promise<void> {
    await this.send({ op: 'close' });
    await this.#thread.terminate();
  }

  /** What was written before a commit was begun is gone with the thread. */
  #died(): void {
    this.#dead ??= new Error('The SQLite writer has ended.');
    const [first, begun, done] = [commitFirst, commitBegun, commitDone].map((place) =>
      Number(this.#commits[place]),
    ) as [number, number, number];
    for (const [id, { op, resolve, reject }] of this.#waiting) {
      const isEnd = op === 'commit' || op === 'write';
      if (!isEnd || id > begun) reject(databaseUnavailable(this.#dead));
      else if (op === 'commit' && id >= first && begun === done) resolve({ rows: [], changes: 0 });
      else reject(outcomeUnknown(this.#dead));
    }
    this.#waiting.clear();
  }
}
