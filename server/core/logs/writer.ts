import { type EventEmitter, once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { newId } from '#core/ids.ts';
import type { LogCounts } from '#core/log-store.ts';
import { type StreamLines, type StreamName, streams } from '#core/log-streams.ts';
import { ChunkPool, type LinesChunk, type OpenChunk } from '#core/logs/chunks.ts';
import { scopeOf } from '#core/logs/entry.ts';
import type { LogBatch, StoreKey, ThreadReply, ThreadRequest } from '#core/logs/thread.ts';
import { Problem } from '#core/problem.ts';

/** While the thread keeps up, lines wait this long for company: fewer messages and transactions, and little to lose. */
const defaultTickMilliseconds = 100;
const retryMilliseconds = 1000;
/** What one message to the thread holds. */
const postBytes = 2 * 1024 * 1024;
/** Scopes and minutes of which dropped lines are counted one by one; beyond, only the total. */
const maxDropCounts = 1000;

/** A worker thread, or what does its work in a test. */
export type LogThread = Pick<Worker, 'postMessage' | 'ref' | 'unref' | 'terminate'> & EventEmitter;

interface UnderWay {
  request: ThreadRequest;
  chunks: OpenChunk[];
  bytes: number;
  lines: Partial<Record<StreamName, number>>;
  /** Of `append`: it is told, and nothing is tried again. */
  done?: PromiseWithResolvers<void>;
}

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never;

/**
 * The end of the writing thread that requests see. A line becomes text at once, since its objects are its caller's, and
 * waits with others in memory that the thread reads; one message is under way at a time. What waits is bounded, and the
 * rest is counted.
 */
export class LogWriter {
  readonly #start: () => LogThread;
  readonly #id = newId();
  readonly #tickMilliseconds: number;
  readonly #maxBytes: number;
  readonly #notice: (text: string) => void;
  readonly #counts = Object.fromEntries(
    Object.keys(streams).map((name) => [name, { written: 0, dropped: 0 }]),
  ) as Record<StreamName, LogCounts>;
  readonly #chunks = new ChunkPool();
  readonly #waiting = new Map<StreamName, OpenChunk[]>();
  readonly #drops = new Map<string, { stream: StreamName; scope: string; at: number; count: number }>();
  readonly #queue: UnderWay[] = [];
  #bytes = 0;
  #waitingBytes = 0;
  #thread: LogThread | undefined;
  #underWay: UnderWay | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idle: PromiseWithResolvers<void> | undefined;
  #lastId = 0;
  #failing = false;
  #closed = false;

  constructor(options: {
    start: () => LogThread;
    maxBytes: number;
    notice: (text: string) => void;
    tickMilliseconds?: number;
  }) {
    this.#start = options.start;
    this.#tickMilliseconds = options.tickMilliseconds ?? defaultTickMilliseconds;
    this.#maxBytes = options.maxBytes;
    this.#notice = options.notice;
  }

  write<S extends StreamName>(stream: S, line: StreamLines[S]): void {
    let text: string | undefined;
    try {
      text = JSON.stringify(line);
    } catch {
      // A circle or a BigInt: no line of ours.
    }
    if (text === undefined || this.#closed || this.#bytes + text.length > this.#maxBytes) {
      this.#drop(stream, line);
      return;
    }
    let waiting = this.#waiting.get(stream);
    if (!waiting) {
      waiting = [];
      this.#waiting.set(stream, waiting);
    }
    const taken = this.#add(waiting, text);
    this.#bytes += taken;
    this.#waitingBytes += taken;
    this.#schedule(this.#tickMilliseconds);
  }

  append<S extends StreamName>(stream: S, lines: readonly StreamLines[S][]): Promise<void> {
    return this.#append(
      stream,
      lines.map((line) => JSON.stringify(line)),
    );
  }

  appendJson(stream: StreamName, lists: readonly string[]): Promise<void> {
    return this.#append(
      stream,
      lists.map((list) => list.slice(1, -1)),
    );
  }

  /** Each text is one line, or several with commas between them. */
  #append(stream: StreamName, texts: readonly string[]): Promise<void> {
    if (this.#closed) return Promise.reject(unavailable('The log is closed.'));
    const chunks: OpenChunk[] = [];
    let bytes = 0;
    for (const text of texts) {
      bytes += this.#add(chunks, text);
      if (this.#bytes + bytes <= this.#maxBytes) continue;
      this.#chunks.release(chunks);
      return Promise.reject(unavailable('Too many lines wait to be stored.'));
    }
    this.#bytes += bytes;
    const batches = [{ stream, chunks: chunks.map(sharedPart), drops: [] }];
    return this.#send({ op: 'store', key: this.#key(), batches }, { chunks, bytes });
  }

  purge(stream: StreamName, scope: string): Promise<void> {
    return this.#send({ op: 'purge', stream, scope });
  }

  tend(): Promise<void> {
    return this.#send({ op: 'tend' });
  }

  async flush(): Promise<void> {
    while (this.#waitingBytes > 0 || this.#underWay || this.#queue.length > 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#post();
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
  }

  counts(): Record<StreamName, LogCounts> {
    return structuredClone(this.#counts);
  }

  /** Stores what waits, for so long; what the thread has not stored by then is lost. */
  async close(milliseconds = 5000): Promise<void> {
    this.#closed = true;
    if (!this.#thread && this.#waitingBytes === 0) return;
    const timeout = AbortSignal.timeout(milliseconds);
    await Promise.race([this.flush(), once(timeout, 'abort')]);
    clearTimeout(this.#timer);
    const thread = this.#thread;
    if (!thread) return;
    thread.removeAllListeners('exit');
    const exit = once(thread, 'exit');
    thread.ref();
    thread.postMessage({ id: 0, op: 'close' } satisfies ThreadRequest);
    await Promise.race([exit, once(timeout, 'abort')]);
    await thread.terminate();
    this.#thread = undefined;
  }

  #key(): StoreKey {
    return { writer: this.#id, number: 0 };
  }

  /** How many bytes it is. */
  #add(chunks: OpenChunk[], text: string): number {
    const taken = chunks.at(-1)?.add(text);
    if (taken) return taken;
    const chunk = this.#chunks.take(text);
    chunks.push(chunk);
    return chunk.add(text);
  }

  #drop<S extends StreamName>(stream: S, line: StreamLines[S]): void {
    this.#counts[stream].dropped++;
    const scope = scopeOf(stream, line);
    const at = Math.floor(Date.now() / 60_000) * 60_000;
    const name = `${stream} ${scope} ${at}`;
    const known = this.#drops.get(name);
    if (known) known.count++;
    else if (this.#drops.size < maxDropCounts) this.#drops.set(name, { stream, scope, at, count: 1 });
  }

  #schedule(milliseconds: number): void {
    if (this.#timer || this.#underWay) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#post();
    }, milliseconds);
    this.#timer.unref();
  }

  #send(
    request: WithoutId<ThreadRequest>,
    given: Partial<Pick<UnderWay, 'chunks' | 'bytes' | 'lines'>> = {},
  ): Promise<void> {
    const done = Promise.withResolvers<void>();
    const nothing = { chunks: [], bytes: 0, lines: {} };
    this.#queue.push({ request: { id: 0, ...request } as ThreadRequest, ...nothing, ...given, done });
    this.#post();
    return done.promise;
  }

  #post(): void {
    if (this.#underWay) return;
    const next = this.#queue.shift() ?? this.#gather();
    if (!next) {
      this.#idle?.resolve();
      this.#idle = undefined;
      return;
    }
    this.#underWay = next;
    next.request.id = ++this.#lastId;
    if (next.request.op === 'store') next.request.key.number = next.request.id;
    this.#thread ??= this.#started();
    this.#thread.ref();
    this.#thread.postMessage(next.request);
  }

  #gather(): UnderWay | undefined {
    if (this.#waitingBytes === 0) return undefined;
    const batches: LogBatch[] = [];
    const lines: UnderWay['lines'] = {};
    const chunks: OpenChunk[] = [];
    let bytes = 0;
    for (const [stream, waiting] of this.#waiting) {
      let end = 0;
      while (end < waiting.length && bytes < postBytes) bytes += (waiting[end++] as OpenChunk).bytes;
      const taken = waiting.splice(0, end);
      if (waiting.length === 0) this.#waiting.delete(stream);
      if (end === 0) continue;
      chunks.push(...taken);
      batches.push({ stream, chunks: taken.map(sharedPart), drops: this.#takeDrops(stream) });
      lines[stream] = taken.reduce((sum, chunk) => sum + chunk.lines, 0);
    }
    this.#waitingBytes -= bytes;
    return { request: { id: 0, op: 'store', key: this.#key(), batches }, chunks, bytes, lines };
  }

  #takeDrops(stream: StreamName): LogBatch['drops'] {
    const found = [...this.#drops].filter(([, drop]) => drop.stream === stream);
    for (const [name] of found) this.#drops.delete(name);
    return found.map(([, { scope, at, count }]) => ({ scope, at, count }));
  }

  #started(): LogThread {
    const thread = this.#start();
    thread.on('message', (reply: ThreadReply) => this.#hear(reply));
    let cause: unknown;
    thread.on('error', (error) => {
      cause = error;
    });
    thread.on('exit', () => {
      this.#thread = undefined;
      this.#fail(
        `The thread of the log ended: ${cause instanceof Error ? cause.message : 'no reason given'}`,
      );
    });
    thread.unref();
    return thread;
  }

  #hear(reply: ThreadReply): void {
    if ('notice' in reply) {
      this.#notice(reply.notice);
      return;
    }
    if (reply.id !== this.#underWay?.request.id) return;
    if ('failure' in reply) {
      this.#fail(reply.failure);
      return;
    }
    const done = this.#underWay;
    this.#finish();
    for (const [stream, count] of Object.entries(reply.stored))
      this.#counts[stream as StreamName].written += count;
    for (const [stream, count] of Object.entries(reply.unusable))
      this.#counts[stream as StreamName].dropped += count;
    if (this.#failing && done.request.op === 'store') {
      this.#failing = false;
      this.#notice('Log lines are stored again.');
    }
    done.done?.resolve();
    this.#next();
  }

  /** Lines are tried again a little later; whoever waits for an answer gets one. */
  #fail(reason: string): void {
    const failed = this.#underWay;
    if (!failed) return;
    if (failed.request.op === 'store' && !this.#failing) {
      this.#failing = true;
      this.#notice(`Log lines cannot be stored just now; requests go on: ${reason}`);
    }
    if (failed.done) {
      this.#finish();
      failed.done.reject(unavailable(reason));
      this.#next();
      return;
    }
    if (this.#closed) {
      for (const [stream, count] of Object.entries(failed.lines))
        this.#counts[stream as StreamName].dropped += count;
      this.#finish();
      this.#next();
      return;
    }
    setTimeout(() => {
      if (this.#underWay !== failed) return;
      this.#thread ??= this.#started();
      failed.request.id = ++this.#lastId;
      this.#thread.postMessage(failed.request);
    }, retryMilliseconds).unref();
  }

  #finish(): void {
    this.#bytes -= this.#underWay?.bytes ?? 0;
    this.#chunks.release(this.#underWay?.chunks ?? []);
    this.#underWay = undefined;
    // An idle thread does not keep the process alive.
    this.#thread?.unref();
  }

  #next(): void {
    if (this.#queue.length > 0 || this.#waitingBytes >= postBytes || this.#idle) this.#post();
    else if (this.#waitingBytes > 0) this.#schedule(this.#tickMilliseconds);
  }
}

function sharedPart({ memory, bytes }: OpenChunk): LinesChunk {
  return { memory, bytes };
}

function unavailable(reason: string): Problem {
  const sentence = 'The log cannot be reached just now; try again shortly.';
  return new Problem('unavailable', sentence, { cause: new Error(reason), retryAfterSeconds: 2 });
}
