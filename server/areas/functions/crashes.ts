import type { Clock } from '#core/clock.ts';
import { RunFailed } from '#core/runner.ts';

const windowMilliseconds = 60_000;
const most = 5;
/** Between the second crash within a minute and the next start; twice as long after each further one. */
const backOffMilliseconds = 250;

/**
 * Ends of processes of one function within the last minute. The first may have any reason; who ends again and again is started
 * less and less often.
 */
export class Crashes {
  #at: number[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True for the one that makes it too many: until a minute has passed there is no further start. */
  add(): boolean {
    this.#at.push(this.#clock.now());
    return this.#recent() === most;
  }

  /** Nothing of it needs to be remembered. */
  get areNone(): boolean {
    return this.#recent() === 0;
  }

  /** No further start before a minute has passed. */
  get areTooMany(): boolean {
    return this.#recent() >= most;
  }

  /** Resolves when the next start may be attempted. Throws `RunFailed` where it may not. */
  async wait(signal: AbortSignal): Promise<void> {
    const count = this.#recent();
    if (count >= most) throw new RunFailed(`${tooMany} and is temporarily not restarted.`);
    if (count < 2) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, backOffMilliseconds * 2 ** (count - 2));
      signal.addEventListener('abort', () => resolve(), { once: true });
      timer.unref();
    });
    signal.throwIfAborted();
  }

  #recent(): number {
    const since = this.#clock.now() - windowMilliseconds;
    this.#at = this.#at.filter((at) => at > since);
    return this.#at.length;
  }
}

export const tooMany = `The process crashed ${most} times within a minute`;
