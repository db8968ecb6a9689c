import { openLmdb } from '#adapters/lmdb/open.ts';
import { never } from '#core/cache.ts';
import { systemClock } from '#core/clock.ts';
import { newId } from '#core/ids.ts';
import type { Problem } from '#core/problem.ts';

/** A process for the test of the full disk: it may make files of 1 MiB only, writes more, and prints what happened. */
const [folder = ''] = process.argv.slice(2);
const limits = { applicationBytes: 64 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };
await using cache = openLmdb(folder, { limits, clock: systemClock });
// Without this the kernel ends a process that writes beyond its limit.
process.on('SIGXFSZ', () => undefined);

const app = newId();
const set = (key: string, text: string) => {
  const json = JSON.stringify(text);
  const times = { expiration: 0, expiresAt: never };
  return cache.run(app, [{ op: 'set', key, json, byteSize: text.length, ...times }]);
};
const read = async () => JSON.parse(String((await cache.get(app, 'kept'))?.json)) as string;

await set('kept', 'kept');
const before = await read();
let problem: Problem | undefined;
for (let at = 0; at < 1000 && !problem; at++)
  await set(`more ${at}`, 'x'.repeat(20_000)).catch((error: Problem) => {
    problem = error;
  });
const after = await read();
process.stdout.write(JSON.stringify({ kind: problem?.kind, message: problem?.message, before, after }));
