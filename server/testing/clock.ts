import type { Clock } from '#core/clock.ts';

/** A clock that tests move. Starts at the real time, so that tokens and records look like any others. */
export class TestClock implements Clock {
  #offset = 0;

  now(): number {
    return Date.now() + this.#offset;
  }

  advance(seconds: number): void {
    this.#offset += seconds * 1000;
  }
}
