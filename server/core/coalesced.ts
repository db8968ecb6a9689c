/**
 * Work that runs one at a time. A call while it runs is one more run after it, however many calls there are: each caller gets
 * the end of a run that began after its call, and so has seen what the caller knew of.
 */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  run(): Promise<void> {
    if (this.#isWaiting) return this.#last;
    this.#isWaiting = true;
    this.#last = this.#last
      .catch(() => {})
      .then(() => {
        this.#isWaiting = false;
        return this.#work();
      });
    return this.#last;
  }

  /** Resolves once nothing runs or waits, whatever came of it. */
  async idle(): Promise<void> {
    await this.#last.catch(() => {});
  }
}
