import { Worker } from 'node:worker_threads';
import { Semaphore } from '#core/semaphore.ts';
import type { Strength, StrengthRequest } from './strength-thread.ts';

export type { Strength } from './strength-thread.ts';

/** The thread, and its memory, are given back when nobody has chosen a password for so long. */
const idleMilliseconds = 60_000;

/** Estimates how hard a password is to guess. The thread that does it starts with the first question. */
export class StrengthMeter implements AsyncDisposable {
  readonly #gate = new Semaphore({ width: 1, maxWaiting: 50 });
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  /** `about` is what a guesser knows of the person: names, addresses. */
  estimate(password: string, about: readonly string[]): Promise<Strength> {
    return this.#gate.run(() => this.#ask({ id: ++this.#lastId, password, about }));
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
    const answered = (answer: { strength: Strength }) => resolve(answer.strength);
    thread.ref();
    thread.once('message', answered).once('error', reject);
    thread.postMessage(request);
    try {
      return await promise;
    } catch (error) {
      this.#thread = undefined;
      throw error;
    } finally {
      thread.off('message', answered).off('error', reject).unref();
      this.#idle = setTimeout(() => void this.close(), idleMilliseconds);
      this.#idle.unref();
    }
  }
}
