import { Problem } from '#core/problem.ts';

/** Lets one at a time through, in order of arrival. */
export class Turn {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => promise);
    this.#waiting++;
    await before;
    return () => {
      this.#waiting--;
      resolve();
    };
  }

  /** Whether nobody has or awaits the turn. */
  get isFree(): boolean {
    return this.#waiting === 0;
  }
}

/** A turn for each name; names that nobody uses take no memory. */
export class NamedTurns {
  readonly #turns = new Map<string, Turn>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(name) ?? new Turn();
    this.#turns.set(name, turn);
    const leave = await turn.take();
    try {
      return await work();
    } finally {
      leave();
      if (turn.isFree) this.#turns.delete(name);
    }
  }
}

/** Lets so many at a time through, in order of arrival, and turns those away for whom too many wait already. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  readonly #maxWaiting: number;
  #free: number;

  constructor({ width, maxWaiting }: { width: number; maxWaiting: number }) {
    this.#free = width;
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  async #wait(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      const sentence = 'Too many of these at once. Try again in a moment.';
      throw new Problem('unavailable', sentence, { retryAfterSeconds: 2 });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }
}
