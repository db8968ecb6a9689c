import { ApiError } from '@mainstay/sdk';
import { type AppCache, openCache } from '../core/cache.ts';
import { Failure, wrongUsage } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { cacheIncrement } from '../descriptions/more.ts';

const attempts = 20;

export const run: Run<typeof cacheIncrement> = async (context, { arguments: { key, by: text }, options }) => {
  const { out } = context;
  const by = Number(text ?? '1');
  if (!Number.isSafeInteger(by)) throw wrongUsage(`"${text}" is not an integer.`);
  const cache = await openCache(context, options.app);
  const value = cache.increment
    ? (await cache.increment(key, by)).value
    : await compareAndSet(cache, key, by);
  out.result({ key, value: String(value) }, () => out.line(String(value)));
};

/** As an admin: read, add, and write only where nobody wrote in between. */
async function compareAndSet(cache: AppCache, key: string, by: number): Promise<string> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const item = await cache.get(key);
    if (item && !/^-?\d+$/.test(item.value))
      throw new Failure(`${key} is not an integer.`, { exit: 'conflict' });
    const value = String(BigInt(item?.value ?? '0') + BigInt(by));
    const left = item?.expiresAt
      ? Math.max(1, Math.round((item.expiresAt.getTime() - Date.now()) / 1000))
      : undefined;
    const conditions = item?.etag ? { ifMatch: item.etag } : { ifNoneMatch: '*' };
    try {
      await cache.set({ key, value, ...(left === undefined ? {} : { expiration: left }) }, conditions);
      return value;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
    }
  }
  throw new Failure(`${key} was changed concurrently too often.`, {
    exit: 'conflict',
    next: 'Run it again.',
  });
}
