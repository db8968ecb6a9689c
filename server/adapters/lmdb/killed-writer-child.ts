import { writeSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { openLmdb } from '#adapters/lmdb/open.ts';
import { type CacheOperation, never } from '#core/cache.ts';
import { systemClock } from '#core/clock.ts';
import { set } from '../../contracts/cache.ts';

/**
 * Ends its own writing thread amid batches, as running out of memory does, and tells how its writes were answered. It is
 * killed in the end: a thread that waits for a lock whose owner died cannot be stopped.
 */

const [folder = '', app = ''] = process.argv.slice(2);
const MiB = 1024 * 1024;
const cache = openLmdb(folder, {
  limits: { applicationBytes: 64 * MiB, totalBytes: 64 * MiB },
  clock: systemClock,
  longestWait: 5000,
});
const threads: Worker[] = [];
process.on('worker', (worker: Worker) => threads.push(worker));
const increment: CacheOperation = { op: 'increment', key: 'n', by: 1, expiration: 0, expiresAt: never };
const many = Array.from({ length: 3000 }, (_, at) => set(`k${at}`, 'x'.repeat(200)));
const answers = { written: 0, failed: 0, longest: 0, problems: [] as string[] };
for (let round = 0; round < 25; round++) {
  // The first writes make the thread, and warm it; later on it is left alone in a third of the rounds.
  const delay = round < 3 || round % 3 === 0 ? undefined : Math.random() * 30;
  const began = performance.now();
  const writing = cache.run(app, round === 0 ? [increment] : [increment, ...many]);
  if (delay !== undefined)
    setTimeout(
      () =>
        void threads
          .at(-1)
          ?.terminate()
          .catch(() => {}),
      delay,
    );
  await writing.then(
    () => answers.written++,
    (error) => {
      answers.failed++;
      answers.problems.push(error.kind);
    },
  );
  answers.longest = Math.max(answers.longest, performance.now() - began);
}
writeSync(1, JSON.stringify(answers));
process.kill(process.pid, 'SIGKILL');
