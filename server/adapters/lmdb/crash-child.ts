import { openLmdb } from '#adapters/lmdb/open.ts';
import { never } from '#core/cache.ts';
import { systemClock } from '#core/clock.ts';

/**
 * A process for the tests of processes: counts up `n`, or opens and closes the cache so often, or writes keys one after another and prints each once it is
 * acknowledged, until it is killed.
 */
const [task = '', folder = '', applicationId = '', times = '0'] = process.argv.slice(2);
const limits = { applicationBytes: 64 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };
const open = () => openLmdb(folder, { limits, clock: systemClock });
for (let at = 0; task === 'open' && at < Number(times); at++) await open()[Symbol.asyncDispose]();
if (task === 'open') process.exit();
const cache = open();
const always = { expiration: 0, expiresAt: never };

if (task === 'count') {
  for (let round = 0; round < Number(times) / 10; round++) {
    const increments = Array.from({ length: 10 }, () =>
      cache.run(applicationId, [{ op: 'increment', key: 'n', by: 1, ...always }]),
    );
    await Promise.all(increments);
  }
  await cache[Symbol.asyncDispose]();
} else {
  const write = async (writer: number): Promise<never> => {
    for (let at = 0; ; at++) {
      const key = `${process.pid}:${writer}:${at}`;
      const json = JSON.stringify(key.repeat(20));
      await cache.run(applicationId, [{ op: 'set', key, json, byteSize: json.length - 2, ...always }]);
      process.stdout.write(`${key}\n`);
    }
  };
  await Promise.all([0, 1, 2, 3].map(write));
}
