import { type EventEmitter, once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { LogCounts } from '#core/log-store.ts';
import { type StreamLines, type StreamName, streams } from '#core/log-streams.ts';
import { scopeOf } from '#core/logs/entry.ts';
import type { LogBatch, ThreadReply, ThreadRequest } from '#core/logs/thread.ts';
import { Problem } from '#core/problem.ts';

/** While the thread keeps up, lines wait this long for company. */
const defaultTickMilliseconds = 50;
const retryMilliseconds = 1000;
/** What one message to the thread holds: handing it over takes a millisecond. */
const postCharacters = 4 * 1024 * 1024;
/** Scopes and minutes of which dropped lines are counted one by one; beyond, only the total. */
const maxDropCounts = 1000;

/** A worker thread, or what does its work in a test. */
export type LogThread = Pick<Worker, 'postMessage' | 'ref' | 'unref' | 'terminate'> & EventEmitter;

interface UnderWay {
  request: ThreadRequest;
  characters: number;
  lines: Partial<Record<StreamName, number>>;
  /** Of `append`: it is told, and nothing is tried again. */
  done?: PromiseWithResolvers<void>;
}

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never;

/**
 * The end of the writing thread that requests see. A line becomes text at once, since its objects are its caller's, and
 * waits with others for the thread; one message is under way at a time. What waits is bounded, and the rest is counted.
 */
export class LogWriter {
  readonly #start: () => LogThread;
  readonly #tickMilliseconds: number;
  readonly #maxCharacters: number;
  readonly #notice: (text: string) => void;
  readonly #counts = Object.fromEntries(
    Object.keys(streams).map((name) => [name, { written: 0, dropped: 0 }]),
  ) as Record<StreamName, LogCounts>;
  readonly #waiting = new Map<StreamName, string[]>();
  readonly #drops = new Map<string, { stream: StreamName; scope: string; at: number; count: number }>();
  readonly #queue: UnderWay[] = [];
  #characters = 0;
  #waitingCharacters = 0;
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
    this.#maxCharacters = options.maxBytes;
    this.#notice = options.notice;
  }

  write<S extends StreamName>(stream: S, line: StreamLines[S]): void {
    let text: string | undefined;
    try {
      text = JSON.stringify(line);
    } catch {
      // A circle or a BigInt: no line of ours.
    }
    if (text === undefined || this.#closed || this.#characters + text.length > this.#maxCharacters) {
      this.#drop(stream, line);
      return;
    }
    const waiting = this.#waiting.get(stream);
    if (waiting) waiting.push(text);
    else this.#waiting.set(stream, [text]);
    this.#characters += text.length;
    this.#waitingCharacters += text.length;
    this.#schedule(this.#tickMilliseconds);
  }

  append<S extends StreamName>(stream: S, lines: readonly StreamLines[S][]): Promise<void> {
    if (this.#closed) return Promise.reject(unavailable('The log is closed.'));
    const texts = lines.map((line) => JSON.stringify(line)).join('\n');
    if (this.#characters + texts.length > this.#maxCharacters)
      return Promise.reject(unavailable('Too many lines wait to be stored.'));
    this.#characters += texts.length;
    const batches = [{ stream, lines: texts, drops: [] }];
    return this.#send(
      { op: 'store', batches },
      { characters: texts.length, lines: { [stream]: lines.length } },
    );
  }

  purge(stream: StreamName, scope: string): Promise<void> {
    return this.#send({ op: 'purge', stream, scope });
  }

  tend(): Promise<void> {
    return this.#send({ op: 'tend' });
  }

  async flush(): Promise<void> {
    while (this.#waitingCharacters > 0 || this.#underWay || this.#queue.length > 0) {
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
    if (!this.#thread && this.#waitingCharacters === 0) return;
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
    { characters = 0, lines = {} }: { characters?: number; lines?: UnderWay['lines'] } = {},
  ): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#queue.push({ request: { id: 0, ...request } as ThreadRequest, characters, lines, done });
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
    this.#thread ??= this.#started();
    this.#thread.ref();
    this.#thread.postMessage(next.request);
  }

  #gather(): UnderWay | undefined {
    if (this.#waitingCharacters === 0) return undefined;
    const batches: LogBatch[] = [];
    const lines: UnderWay['lines'] = {};
    let characters = 0;
    for (const [stream, waiting] of this.#waiting) {
      let count = 0;
      while (count < waiting.length && characters < postCharacters)
        characters += (waiting[count++] as string).length;
      if (count === 0) continue;
      const taken = count === waiting.length ? waiting : waiting.slice(0, count);
      if (count === waiting.length) this.#waiting.delete(stream);
      else this.#waiting.set(stream, waiting.slice(count));
      batches.push({ stream, lines: taken.join('\n'), drops: this.#takeDrops(stream) });
      lines[stream] = count;
    }
    this.#waitingCharacters -= characters;
    return { request: { id: 0, op: 'store', batches }, characters, lines };
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
    this.#characters -= this.#underWay?.characters ?? 0;
    this.#underWay = undefined;
    // An idle thread does not keep the process alive.
    this.#thread?.unref();
  }

  #next(): void {
    if (this.#queue.length > 0 || this.#waitingCharacters >= postCharacters || this.#idle) this.#post();
    else if (this.#waitingCharacters > 0) this.#schedule(this.#tickMilliseconds);
  }
}

function unavailable(reason: string): Problem {
  const sentence = 'The log cannot be reached just now; try again shortly.';
  return new Problem('unavailable', sentence, { cause: new Error(reason), retryAfterSeconds: 2 });
}
