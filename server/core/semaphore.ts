import { currentWaits, demandClient, WaitedTooLong, type Waits } from '#core/waits.ts';

interface Waiter {
  waits: Waits;
  since: number;
  timer: NodeJS.Timeout;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Lets so many at a time through, in order of arrival. Waiting is bounded by the request's `Waits`; those for whom too
 * many wait already are refused at once, and those whose client has gone are dropped before they start.
 */
export class Semaphore {
  readonly #waiting = new Set<Waiter>();
  readonly #width: number;
  readonly #maxWaiting: number;
  #free: number;

  constructor({ width, maxWaiting }: { width: number; maxWaiting: number }) {
    this.#width = width;
    this.#free = width;
    this.#maxWaiting = maxWaiting;
  }

  /** Resolves with the function that gives the place back; it has to be called once. */
  async acquire(): Promise<() => void> {
    const waits = currentWaits();
    demandClient(waits);
    if (this.#free > 0) this.#free--;
    else await this.#wait(waits);
    return () => this.#release();
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Nobody has a place, and nobody waits for one. */
  get isIdle(): boolean {
    return this.#free === this.#width;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.size > 0;
  }

  #wait(waits: Waits): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) throw new WaitedTooLong(new Error('The queue is full.'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#leave(waiter);
      reject(new WaitedTooLong(new Error('The time to wait was over.')));
    }, waits.remainingMilliseconds);
    const waiter: Waiter = { waits, since: performance.now(), timer, resolve, reject };
    this.#waiting.add(waiter);
    return promise;
  }

  #leave(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    this.#waiting.delete(waiter);
    waiter.waits.add(performance.now() - waiter.since);
  }

  #release(): void {
    for (const waiter of this.#waiting) {
      this.#leave(waiter);
      try {
        demandClient(waiter.waits);
      } catch (error) {
        waiter.reject(error);
        continue;
      }
      waiter.resolve();
      return;
    }
    this.#free++;
  }
}

/** A mutex for each name; names that nobody uses take no memory. */
export class NamedMutexes {
  readonly #mutexes = new Map<string, Semaphore>();
  readonly #maxWaiting: number;

  constructor({ maxWaiting }: { maxWaiting: number }) {
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const mutex = this.#mutexes.get(name) ?? new Semaphore({ width: 1, maxWaiting: this.#maxWaiting });
    this.#mutexes.set(name, mutex);
    try {
      return await mutex.run(work);
    } finally {
      if (mutex.isIdle) this.#mutexes.delete(name);
    }
  }
}
