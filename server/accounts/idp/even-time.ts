import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs the work and resolves, or rejects, at a multiple of `milliseconds` after the start: whether there was an account to
 * do anything with does not show in how long it took.
 */
export async function inEvenTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    const taken = performance.now() - startedAt;
    await sleep(milliseconds - (taken % milliseconds));
  }
}
