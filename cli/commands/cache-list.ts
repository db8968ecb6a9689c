import { openCache } from '../core/cache.ts';
import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import { bytes } from '../core/text.ts';
import type { cacheList } from '../descriptions/more.ts';

export const run: Run<typeof cacheList> = async (context, { options }) => {
  const { out } = context;
  const cache = await openCache(context, options.app);
  const most = options.limit ?? 100;
  const prefix = options.prefix === undefined ? {} : { prefix: options.prefix };
  const found = await collect(cache.keys({ ...prefix, limit: Math.max(1, Math.min(most, 100)) }), most);
  out.result(found, () => {
    if (found.length === 0) return out.note('The cache has no matching keys.');
    out.table(found, [
      { title: 'Key', value: ({ key }) => key },
      { title: 'Size', value: ({ byteSize }) => bytes(byteSize), isFixed: true, alignsRight: true },
      { title: 'Expires', value: ({ expiresAt }) => expiresAt ?? 'never', isFixed: true },
    ]);
  });
};
