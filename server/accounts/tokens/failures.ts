import { senderOf } from '#core/addresses.ts';
import type { Clock } from '#core/clock.ts';
import { Problem } from '#core/problem.ts';
import { RateLimiter } from '#http/rate-limit.ts';

const maxDelayMilliseconds = 2000;
/** Held-back answers cost a connection and a timer each; beyond so many, failures are refused at once. */
const maxDelayed = 1000;

/**
 * Slows and then refuses those who keep presenting wrong credentials. It never stands in the way of right ones: a client
 * id is no secret, and guessing at it must not lock its owner out; 256-bit secrets need no lock-out.
 */
export class FailureThrottle {
  readonly #byClient: RateLimiter;
  readonly #byAddress: RateLimiter;
  readonly #limit: number;
  #delayed = 0;

  constructor({ limit, clock }: { limit: number; clock: Clock }) {
    this.#limit = limit;
    this.#byClient = new RateLimiter({ limit, windowSeconds: 60, clock });
    this.#byAddress = new RateLimiter({ limit, windowSeconds: 60, clock });
  }

  /** Counts a failure; waits, or throws `Problem('too_many_requests')`. Undefined: the client id could not be read. */
  async failed(clientId: string | undefined, address: string): Promise<void> {
    const standings = [this.#byAddress.count(senderOf(address))];
    if (clientId !== undefined) standings.push(this.#byClient.count(clientId));
    const worst = standings.reduce((a, b) => (b.remaining < a.remaining ? b : a));
    const excess = this.#limit * 0.9 - worst.remaining;
    if (worst.remaining < 0 || (excess > 0 && this.#delayed >= maxDelayed)) {
      const sentence = 'Too many failed attempts. Correct the credentials before trying again.';
      throw new Problem('too_many_requests', sentence, { retryAfterSeconds: worst.resetSeconds });
    }
    if (excess > 0)
      await this.#wait(Math.min(maxDelayMilliseconds, (maxDelayMilliseconds * excess) / this.#limit));
  }

  async #wait(milliseconds: number): Promise<void> {
    this.#delayed++;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    this.#delayed--;
  }
}
