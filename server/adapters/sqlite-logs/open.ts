import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RawLine } from '#adapters/sqlite-logs/block-lines.ts';
import type { ReadAnswers, ReadReply, ReadRequest } from '#adapters/sqlite-logs/reader-thread.ts';
import type { SqliteLogOptions } from '#adapters/sqlite-logs/writer-thread.ts';
import type { LogStore, StoredLine } from '#core/log-store.ts';
import { type StreamName, streams } from '#core/log-streams.ts';
import { LogWriter } from '#core/logs/writer.ts';
import { Problem } from '#core/problem.ts';

/** What a batch and a block in the making need, and no more: V8 lets garbage lie about as long as there is room. */
const resourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 };

/** Day files in that folder. Several processes may have it open. `notice` is told what an operator should know. */
export function openSqliteLogs(
  options: SqliteLogOptions & { bufferBytes: number; notice: (text: string) => void },
): LogStore {
  const { bufferBytes, notice, ...workerData } = options;
  const writer = new LogWriter({
    start: () => new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData, resourceLimits }),
    maxBytes: bufferBytes,
    notice,
  });
  const reader = new Reader(options.folder);
  return {
    engine: 'sqlite',
    write: (stream, line) => writer.write(stream, line),
    append: (stream, lines) => writer.append(stream, lines),
    appendJson: (stream, lists) => writer.appendJson(stream, lists),
    flush: () => writer.flush(),
    async search(stream, query) {
      const { lines, ...page } = await reader.ask({ stream, op: 'search', query });
      return { ...page, lines: lines.map(toLine) };
    },
    async find(stream, scope, id) {
      const line = await reader.ask({ stream, op: 'find', query: { scope, id: id.toLowerCase() } });
      return line && toLine(line);
    },
    series: (stream, query) => reader.ask({ stream, op: 'series', query }),
    top: (stream, query) => reader.ask({ stream, op: 'top', query }),
    async changes(stream, query) {
      return (await reader.ask({ stream, op: 'changes', query })).map(toLine);
    },
    // Files of two days are written by two transactions.
    settleMilliseconds: 300,
    purge: (stream, scope) => writer.purge(stream, scope),
    // Where nothing was ever written, no thread is started to look.
    sweep: async () => {
      if (existsSync(options.folder)) await writer.tend();
    },
    counts: () => writer.counts(),
    ping: async () => {},
    async [Symbol.asyncDispose]() {
      await writer.close();
      await reader.close();
    },
  };
}

/** Day files that could not be read and were set aside, for `doctor`. */
export function brokenLogFiles(folder: string): string[] {
  const found: string[] = [];
  for (const stream of Object.keys(streams) as StreamName[]) {
    try {
      const names = readdirSync(path.join(folder, stream));
      found.push(
        ...names.filter((name) => /\.db\.broken-\d+$/.test(name)).map((name) => path.join(stream, name)),
      );
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return found;
}

function toLine({ body, detail, ...rest }: RawLine): StoredLine {
  return { ...rest, body: JSON.parse(body), detail: detail === '' ? null : JSON.parse(detail) };
}

type Waiting = PromiseWithResolvers<ReadAnswers[keyof ReadAnswers]>;

/** The main thread's end of the thread that reads; it is started by the first question. */
class Reader {
  readonly #folder: string;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #lastId = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  ask<R extends ReadRequest>(request: R): Promise<ReadAnswers[R['op']]> {
    this.#thread ??= this.#start();
    this.#thread.ref();
    const id = ++this.#lastId;
    const waiter: Waiting = Promise.withResolvers();
    this.#waiting.set(id, waiter);
    this.#thread.postMessage({ id, ...request });
    return waiter.promise as Promise<ReadAnswers[R['op']]>;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    const exit = once(thread, 'exit');
    thread.ref();
    thread.postMessage('close');
    await exit;
  }

  #start(): Worker {
    const thread = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      workerData: { folder: this.#folder },
    });
    thread.on('message', (reply: ReadReply) => {
      const waiter = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (this.#waiting.size === 0) thread.unref();
      if ('failure' in reply) waiter?.reject(new Error(reply.failure));
      else waiter?.resolve(reply.answer);
    });
    let cause: unknown;
    thread.on('error', (error) => {
      cause = error;
    });
    thread.on('exit', () => {
      this.#thread = undefined;
      const lost = [...this.#waiting.values()];
      this.#waiting.clear();
      const sentence = 'The log cannot be read just now; try again shortly.';
      for (const { reject } of lost)
        reject(new Problem('unavailable', sentence, { cause, retryAfterSeconds: 2 }));
    });
    return thread;
  }
}
