import { AsyncLocalStorage } from 'node:async_hooks';
import { NothingChanged, Problem } from '#core/problem.ts';

/**
 * How long a request may wait for mutexes, locks and connections, all waits together: what it does itself, such as
 * sending a stream, does not count. Once it has committed something it is no longer given up, so each further wait
 * has the whole bound again.
 */
export class Waits {
  readonly #limit: number;
  readonly #isAbandoned: () => boolean;
  #waited = 0;
  #started = false;
  #committed = false;

  constructor({ seconds, isAbandoned }: { seconds: number; isAbandoned: () => boolean }) {
    this.#limit = seconds * 1000;
    this.#isAbandoned = isAbandoned;
  }

  /** True when nobody is there any more to take the answer, and nothing was begun yet. */
  get isAbandoned(): boolean {
    return !this.#started && this.#isAbandoned();
  }

  /** From here on it is carried through, whoever goes away: it may have to clean up, or to note what it used. */
  start(): void {
    this.#started = true;
  }

  get remainingMilliseconds(): number {
    return this.#committed ? this.#limit : Math.max(0, this.#limit - this.#waited);
  }

  /** For work that others share: it does not end with the request that happened to start it. */
  shared(): Waits {
    return new Waits({ seconds: this.#limit / 1000, isAbandoned: () => false });
  }

  add(milliseconds: number): void {
    this.#waited += milliseconds;
  }

  get hasCommitted(): boolean {
    return this.#committed;
  }

  commit(): void {
    this.#started = true;
    this.#committed = true;
  }
}

const defaultSeconds = 15;
const current = new AsyncLocalStorage<Waits>();

export function runWithin<T>(waits: Waits, work: () => T): T {
  return current.run(waits, work);
}

/** The bounds of the request that is under way; of commands and tasks, ones of their own. */
export function currentWaits(): Waits {
  return current.getStore() ?? new Waits({ seconds: defaultSeconds, isAbandoned: () => false });
}

/** Runs what several requests wait for together: none of them may give it up for the others. */
export function runShared<T>(work: () => T): T {
  return current.run(currentWaits().shared(), work);
}

/** The first change of this request begins. */
export function noteStart(): void {
  current.getStore()?.start();
}

/** The work of this request has committed something: from here on it is carried through. */
export function noteCommit(): void {
  current.getStore()?.commit();
}

/** Before work starts that nobody may be waiting for any more. */
export function demandClient(waits: Waits): void {
  if (waits.isAbandoned)
    throw new Problem('client_gone', 'The client went away before its request was started.');
}

export class WaitedTooLong extends NothingChanged {
  constructor(cause: unknown) {
    const sentence =
      'The server is busy: the request waited too long and was not processed. Try again shortly.';
    super('unavailable', sentence, { cause, retryAfterSeconds: 2 });
  }
}
