import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { openedByAnother } from '#adapters/lmdb/open-lock.ts';
import {
  progressOf,
  type WriterAnswer,
  type WriterAnswers,
  type WriterData,
  type WriterFailure,
  type WriterOptions,
  type WriterRequest,
} from '#adapters/lmdb/writer-thread.ts';
import { cacheUnavailable } from '#core/cache.ts';
import { NothingChanged, outcomeUnknown } from '#core/problem.ts';

/** How long a batch may wait for the write lock: a process that holds it may be frozen, a thread may have died with it. */
const longestWaitMilliseconds = 8000;

interface Waiting {
  request: WriterRequest;
  resolve(answer: WriterAnswer): void;
  reject(error: unknown): void;
}

/**
 * The main thread's end of the writer thread. While one batch is being written the next gathers, so that a commit is
 * shared by all who came meanwhile. The thread is started by the first request.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #onWritten: () => void;
  readonly #progress = new Int32Array(new SharedArrayBuffer(4));
  readonly #longestWait: number;
  #thread: Worker | undefined;
  #gathering: Waiting[] = [];
  #underWay: Waiting[] = [];
  #scheduled = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  /** The thread waits for the lock with a batch that was given up: what comes meanwhile is refused at once. */
  #isStuck = false;

  /** `onWritten` is called after each commit, before anybody hears of it. */
  constructor(options: WriterOptions, onWritten: () => void, longestWait = longestWaitMilliseconds) {
    this.#longestWait = longestWait;
    this.#options = options;
    this.#onWritten = onWritten;
  }

  send<R extends WriterRequest>(request: R): Promise<WriterAnswers[R['kind']]> {
    if (this.#closed) return Promise.reject(cacheUnavailable(new Error('The cache is closed.')));
    if (this.#isStuck) return Promise.reject(cacheUnavailable(lockHeld()));
    return new Promise((resolve, reject) => {
      this.#gathering.push({ request, resolve: resolve as Waiting['resolve'], reject });
      if (this.#scheduled || this.#underWay.length > 0) return;
      this.#scheduled = true;
      // Requests that arrived in the same turn of the event loop go together.
      setImmediate(() => this.#post());
    });
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    while (this.#gathering.length + this.#underWay.length > 0)
      await new Promise((resolve) => setImmediate(resolve));
    this.#closed = true;
    if (!this.#thread) return;
    const thread = this.#thread;
    thread.removeAllListeners('exit');
    // It would not hear of it.
    if (this.#isStuck) return thread.unref();
    const exit = once(thread, 'exit');
    thread.ref();
    thread.postMessage('close');
    await exit;
  }

  #post(): void {
    this.#scheduled = false;
    this.#underWay = this.#gathering;
    this.#gathering = [];
    Atomics.store(this.#progress, 0, progressOf.waiting);
    this.#thread ??= this.#start();
    this.#thread.ref();
    this.#thread.postMessage(this.#underWay.map(({ request }) => request));
    this.#timer = setTimeout(() => this.#giveUp(), this.#longestWait);
  }

  /** What has not begun to be written is not written from then on. */
  #giveUp(): void {
    const { waiting, givenUp } = progressOf;
    const hasBegun = Atomics.compareExchange(this.#progress, 0, waiting, givenUp) !== waiting;
    this.#isStuck = true;
    const [underWay, gathering] = [this.#underWay, this.#gathering];
    this.#underWay = [];
    this.#gathering = [];
    for (const { reject } of underWay)
      reject(hasBegun ? outcomeUnknown(lockHeld()) : cacheUnavailable(lockHeld()));
    for (const { reject } of gathering) reject(cacheUnavailable(lockHeld()));
  }

  #start(): Worker {
    const workerData: WriterData = { ...this.#options, progress: this.#progress };
    const thread = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData });
    thread.on('message', (answers: (WriterAnswer | WriterFailure)[]) => this.#settle(answers));
    let cause: unknown;
    thread.on('error', (error) => {
      cause = error;
    });
    thread.on('exit', () => this.#died(cause));
    return thread;
  }

  #settle(answers: (WriterAnswer | WriterFailure)[]): void {
    clearTimeout(this.#timer);
    this.#isStuck = false;
    const settled = this.#underWay;
    this.#underWay = [];
    this.#onWritten();
    if (this.#gathering.length > 0) this.#post();
    // An idle writer does not keep the process alive.
    else this.#thread?.unref();
    settled.forEach(({ resolve, reject }, index) => {
      const answer = answers[index];
      if (answer && 'failure' in answer) reject(toProblem(answer.failure));
      else resolve(answer);
    });
  }

  /** What was under way may have been written or not; what had not been sent goes to a new thread. */
  #died(cause: unknown = new Error('The writer of the cache ended.')): void {
    clearTimeout(this.#timer);
    this.#isStuck = false;
    this.#thread = undefined;
    const lost = this.#underWay;
    this.#underWay = [];
    const hasWritten = Atomics.load(this.#progress, 0) === progressOf.writing;
    const problem = hasWritten ? outcomeUnknown(cause) : cacheUnavailable(cause);
    for (const { reject } of lost) reject(problem);
    if (this.#gathering.length > 0) this.#post();
  }
}

function lockHeld(): Error {
  return new Error(
    'The cache took no write in time: another process, a slow disk or a thread that died holds its lock.',
  );
}

const mapFull = -30792;
/** errno of a write that found no room: EIO, EFBIG, ENOSPC, EDQUOT (Linux), EDQUOT (macOS). */
const noRoom = [5, 27, 28, 122, 69];

function toProblem({ message, code }: WriterFailure['failure']): Error {
  const cause = new Error(`LMDB ${code}: ${message}`);
  if (code === openedByAnother) return cacheUnavailable(cause);
  if (code !== mapFull && !noRoom.includes(code)) return cause;
  const sentence =
    'The disk of the server is full or failing. Nothing was changed; its operator has to free space.';
  return new NothingChanged('storage_full', sentence, { cause });
}
