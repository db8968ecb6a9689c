import { openCache } from '../core/cache.ts';
import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { cacheGet } from '../descriptions/more.ts';

export const run: Run<typeof cacheGet> = async (context, { arguments: { key }, options }) => {
  const { out } = context;
  const item = await (await openCache(context, options.app)).get(key);
  if (!item) throw new Failure(`The cache has no key ${key}.`, { exit: 'notFound' });
  out.result(item, () => {
    out.raw(item.value);
    if (out.isTerminal && !item.value.endsWith('\n')) out.line();
  });
};
