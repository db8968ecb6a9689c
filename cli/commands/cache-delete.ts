import { openCache } from '../core/cache.ts';
import type { Run } from '../core/run.ts';
import type { cacheDelete } from '../descriptions/more.ts';

export const run: Run<typeof cacheDelete> = async (context, { arguments: { key }, options }) => {
  const { out } = context;
  const cache = await openCache(context, options.app);
  if (options.prefix) await context.confirm(`Delete all keys starting with "${key}"?`);
  const answer = options.prefix ? await cache.deleteByPrefix(key) : await cache.delete(key);
  out.result(answer, () => out.success(`${answer.deletedCount} deleted.`));
};
