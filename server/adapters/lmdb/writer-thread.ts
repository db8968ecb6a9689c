import { parentPort, workerData } from 'node:worker_threads';
import { ABORT, TransactionFlags } from 'lmdb';
import { type Environment, openEnvironment, prefixRange } from '#adapters/lmdb/environment.ts';
import { Generation } from '#adapters/lmdb/generation.ts';
import { OpenLock, openedByAnother } from '#adapters/lmdb/open-lock.ts';
import { everything, removeExpired, removeRange, runOperations } from '#adapters/lmdb/operations.ts';
import { statesFrom } from '#adapters/lmdb/states.ts';
import { type Limits, Tables } from '#adapters/lmdb/tables.ts';
import type { CacheOperation, CacheOutcome, Once } from '#core/cache.ts';

/** The thread that writes: a commit may wait for the disk or for another process, and the event loop must not. */

export interface WriterOptions {
  folder: string;
  mapBytes: number;
  limits: Limits;
}

export interface WriterData extends WriterOptions {
  /** Shared with the main thread: how far the batch is, so that it knows what died with this thread. */
  progress: Int32Array<SharedArrayBuffer>;
}

/** Of a batch. Whoever leaves `waiting` decides: the thread by writing, the main thread by giving up. */
export const progressOf = { waiting: 0, writing: 1, givenUp: 2 } as const;

/** `now`: milliseconds since 1970. */
export type WriterRequest =
  | { kind: 'run'; now: number; applicationId: string; operations: readonly CacheOperation[]; once?: Once }
  /** One step; `after` is the last key of the step before. A prefix of null: everything, and the counts too. */
  | { kind: 'clear'; now: number; applicationId: string; prefix: string | null; after?: Uint8Array }
  /** One step: looks at the applications after this one. */
  | { kind: 'sweep'; now: number; after?: string };

export interface WriterAnswers {
  /** Undefined: the id of `once` was used for another request. */
  run: CacheOutcome[] | undefined;
  /** `last`: there may be more after it. */
  clear: { seen: number; last: Uint8Array | undefined };
  /** `after`: where to continue; undefined: this was the last one. */
  sweep: { after: string | undefined };
}

export type WriterAnswer = WriterAnswers[WriterRequest['kind']];

/** What survives the way between threads: structured cloning keeps no properties of an Error. */
export interface WriterFailure {
  failure: { message: string; code: number };
}

/** An item to remove costs some 10 microseconds: a step of any kind takes a few milliseconds. */
const stepItems = 256;
const stepStates = 5000;

class WriterThread {
  readonly #env: Environment;
  readonly #generation: Generation;
  readonly #openLock: OpenLock;
  readonly #limits: Limits;
  readonly #progress: WriterData['progress'];

  constructor({ folder, mapBytes, limits, progress }: WriterData) {
    this.#progress = progress;
    this.#generation = Generation.open(folder);
    this.#env = openEnvironment(this.#generation.file, mapBytes);
    this.#openLock = new OpenLock(folder);
    this.#limits = limits;
  }

  /** Does them in one transaction; when that fails, each in one of its own, so that none fails for another's sake. */
  answer(requests: readonly WriterRequest[]): (WriterAnswer | WriterFailure)[] {
    try {
      this.#openLock.share();
    } catch (error) {
      const { message } = error as Error;
      return requests.map(() => ({ failure: { message, code: openedByAnother } }));
    }
    try {
      return this.#transaction(requests);
    } catch (error) {
      if (requests.length === 1) return [{ failure: toFailure(error) }];
      return requests.flatMap((request) => this.answer([request]));
    }
  }

  async close(): Promise<void> {
    this.#openLock.share();
    // Holding the write lock, so that nobody writes between the sync and the note of it.
    this.#env.root.transactionSync(() => {
      this.#generation.markClean();
      return ABORT;
    });
    this.#generation.close();
    await this.#env.root.close();
    this.#openLock.close();
  }

  #transaction(requests: readonly WriterRequest[]): WriterAnswer[] {
    const { root } = this.#env;
    root.resetReadTxn();
    const due = requests.map((request) => (request.kind === 'sweep' ? this.#due(request) : undefined));
    const nothingToWrite = requests.every(({ kind }, index) => kind === 'sweep' && !due[index]?.expired);
    if (nothingToWrite) return due.map((found) => ({ after: found?.last }));
    let answers: WriterAnswer[] | undefined;
    root.transactionSync(() => {
      const { waiting, writing, givenUp } = progressOf;
      // Its callers have been told that nothing was changed.
      if (Atomics.compareExchange(this.#progress, 0, waiting, writing) === givenUp) return ABORT;
      this.#generation.markDirty();
      // The requests of a batch came within the same moment.
      const tables = new Tables(this.#env, this.#limits, requests[0]?.now ?? 0);
      answers = requests.map((request, index) => this.#do(tables, request, due[index]));
      tables.finish();
      return undefined;
    }, TransactionFlags.SYNCHRONOUS_COMMIT);
    return answers ?? requests.map(() => undefined);
  }

  #do(tables: Tables, request: WriterRequest, due: Due | undefined): WriterAnswer {
    switch (request.kind) {
      case 'run':
        return runOperations(tables, request.applicationId, request.operations, request.once);
      case 'clear':
        return this.#clear(tables, request);
      case 'sweep': {
        const { expired, before, last } = due as Due;
        if (!expired) return { after: last };
        return { after: removeExpired(tables, expired, stepItems) ? before : expired };
      }
    }
  }

  #clear(tables: Tables, request: WriterRequest & { kind: 'clear' }): WriterAnswers['clear'] {
    const { applicationId, prefix, after } = request;
    const range = prefix === null ? everything(applicationId) : prefixRange(applicationId, prefix);
    const start = after ? Buffer.concat([after, Buffer.of(0)]) : range.start;
    const step = removeRange(tables, applicationId, { start, end: range.end }, stepItems);
    if (prefix === null && !step.last) tables.removeState(applicationId);
    return step;
  }

  /** The next application that has expired items, looked for among a bounded number of them. */
  #due({ after, now }: WriterRequest & { kind: 'sweep' }): Due {
    let before = after;
    for (const [applicationId, { nextExpiry }] of statesFrom(this.#env, { after, limit: stepStates })) {
      if (nextExpiry <= now) return { expired: applicationId, before, last: applicationId };
      before = applicationId;
    }
    // The next step finds none after the last one.
    return { expired: undefined, before, last: before === after ? undefined : before };
  }
}

interface Due {
  expired: string | undefined;
  /** The application before the expired one: to come to it again. */
  before: string | undefined;
  /** The application that was looked at last; undefined: there are no more. */
  last: string | undefined;
}

function toFailure(error: unknown): { message: string; code: number } {
  const { message, code } = error as Error & { code?: unknown };
  return { message, code: typeof code === 'number' ? code : 0 };
}

if (parentPort) {
  const port = parentPort;
  const thread = new WriterThread(workerData as WriterData);
  port.on('message', async (requests: WriterRequest[] | 'close') => {
    if (requests !== 'close') return port.postMessage(thread.answer(requests));
    await thread.close();
    port.close();
  });
}
