import { Worker } from 'node:worker_threads';
import type { Rows } from '#adapters/sqlite/connection.ts';
import { fromFailure } from '#adapters/sqlite/errors.ts';
import type { WriterReply, WriterRequest } from '#adapters/sqlite/writer-thread.ts';
import { databaseUnavailable } from '#core/db.ts';

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never;

/** The main thread's end of the writer thread: sends a statement, awaits its rows. */
export class Writer {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Rows>>();
  #lastId = 0;
  #dead: unknown;

  constructor(file: string, busyMilliseconds: number) {
    this.#thread = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      workerData: { file, busyMilliseconds },
    });
    this.#thread.on('message', (reply: WriterReply) => {
      const waiter = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('failure' in reply) waiter?.reject(fromFailure(reply.failure));
      else waiter?.resolve(reply);
    });
    this.#thread.on('error', (error) => this.#fail(error));
    this.#thread.on('exit', () => this.#fail(new Error('The SQLite writer has ended.')));
    // An idle writer does not keep the process alive; a request under way does.
    this.#thread.unref();
  }

  send(request: WithoutId<WriterRequest>): Promise<Rows> {
    if (this.#dead) return Promise.reject(databaseUnavailable(this.#dead));
    const id = ++this.#lastId;
    const waiter = Promise.withResolvers<Rows>();
    if (this.#waiting.size === 0) this.#thread.ref();
    this.#waiting.set(id, waiter);
    this.#thread.postMessage({ id, ...request });
    return waiter.promise.finally(() => {
      if (this.#waiting.size === 0) this.#thread.unref();
    });
  }

  async close(): Promise<void> {
    await this.send({ op: 'close' });
    await this.#thread.terminate();
  }

  #fail(error: unknown): void {
    this.#dead ??= error;
    for (const waiter of this.#waiting.values()) waiter.reject(databaseUnavailable(error));
    this.#waiting.clear();
  }
}
