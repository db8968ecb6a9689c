import { Worker } from 'node:worker_threads';
import { Semaphore } from '#core/semaphore.ts';
import type { Strength, StrengthRequest } from './strength-thread.ts';

export type { Strength } from './strength-thread.ts';

/** The thread, and its memory, are given back when nobody has chosen a password for so long. */
const idleMilliseconds = 60_000;

/** Estimates how hard a password is to guess. The thread that does it starts with the first question. */
export class StrengthMeter implements AsyncDisposable {
  /** Of each use one is in the thread at a time: whoever plays with the meter of the page keeps nobody from signing up. */
  readonly #gates = {
    choice: new Semaphore({ width: 1, maxWaiting: 50 }),
    meter: new Semaphore({ width: 1, maxWaiting: 20 }),
  };
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #asking = 0;

  /** `about` is what a guesser knows of the person: names, addresses. `use`: a password is chosen, or only shown for. */
  estimate(password: string, about: readonly string[], use: 'choice' | 'meter'): Promise<Strength> {
    return this.#gates[use].run(() => this.#ask({ id: ++this.#lastId, password, about }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #ask(request: StrengthRequest): Promise<Strength> {
    clearTimeout(this.#idle);
    this.#thread ??= new Worker(new URL('./strength-thread.ts', import.meta.url));
    const thread = this.#thread;
    const { promise, resolve, reject } = Promise.withResolvers<Strength>();
    const answered = (answer: { id: number; strength: Strength }) => {
      if (answer.id === request.id) resolve(answer.strength);
    };
    this.#asking++;
    thread.ref();
    thread.on('message', answered).once('error', reject);
    thread.postMessage(request);
    try {
      return await promise;
    } catch (error) {
      this.#thread = undefined;
      throw error;
    } finally {
      thread.off('message', answered).off('error', reject);
      if (--this.#asking === 0) {
        thread.unref();
        this.#idle = setTimeout(() => void this.close(), idleMilliseconds);
        this.#idle.unref();
      }
    }
  }
}
