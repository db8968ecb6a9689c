/** Lets so many in at once; the rest wait in order of arrival, and not for ever. */
export class Places {
  readonly #longestQueue: number;
  readonly #queue: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
    this.#longestQueue = count * 16;
  }

  /** True with a place, which `leave` gives back; false when the signal came first or too many wait already. */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    if (this.#queue.length >= this.#longestQueue || signal.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const admit = () => resolve(true);
    const giveUp = () => {
      const at = this.#queue.indexOf(admit);
      if (at >= 0) this.#queue.splice(at, 1);
      resolve(false);
    };
    this.#queue.push(admit);
    signal.addEventListener('abort', giveUp, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}
