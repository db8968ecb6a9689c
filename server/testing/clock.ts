import type { Clock } from '#core/clock.ts';

/** A clock that tests move. Starts at the real time, so that tokens and records look like any others. */
export class TestClock implements Clock {
  #offset = 0;
  readonly #stoppedAt: number | undefined;

  /** `still`: no time passes but what the test lets pass. */
  constructor({ still = false } = {}) {
    this.#stoppedAt = still ? Date.now() : undefined;
  }

  now(): number {
    return (this.#stoppedAt ?? Date.now()) + this.#offset;
  }

  advance(seconds: number): void {
    this.#offset += seconds * 1000;
  }
}
