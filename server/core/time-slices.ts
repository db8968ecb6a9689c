import { setImmediate as nextTurn } from 'node:timers/promises';

const turnMs = 5;

/** Runs a long computation that yields between its steps, and lets the process do other work every 5 ms. */
export async function inTimeSlices<T>(steps: Generator<void, T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - since < turnMs) continue;
    await nextTurn();
    since = performance.now();
  }
}

/** The same computation without a pause, for a command or a thread of its own. */
export function inOneGo<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
