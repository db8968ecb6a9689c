import { openCache } from '../core/cache.ts';
import type { Run } from '../core/run.ts';
import { readAll } from '../core/stdin.ts';
import { secondsOf } from '../core/time.ts';
import type { cacheSet } from '../descriptions/more.ts';

export const run: Run<typeof cacheSet> = async (context, { arguments: given, options }) => {
  const { out } = context;
  const value = given.value === '-' ? await readAll(process.stdin) : given.value;
  const expiration = options.ttl === undefined ? {} : { expiration: secondsOf(options.ttl) };
  const cache = await openCache(context, options.app);
  await cache.set({ key: given.key, value, ...expiration });
  out.result({ key: given.key, ...expiration }, () => out.success(`${given.key} set.`));
};
