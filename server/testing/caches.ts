import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLmdb } from '#adapters/lmdb/open.ts';
import { openValkey } from '#adapters/valkey/open.ts';
import type { Cache } from '#core/cache.ts';
import type { Clock } from '#core/clock.ts';
import { startRedis, startRedisCluster } from '../../scripts/redis.ts';

/** The engines of the cache that this run has. `npm test` starts the servers and passes their addresses. */
const servers = {
  redis: process.env['TEST_REDIS_URL'],
  'redis cluster': process.env['TEST_REDIS_CLUSTER_URL'],
};

export type CacheEngine = 'lmdb' | keyof typeof servers;

export const cacheEngines: readonly CacheEngine[] = [
  'lmdb',
  ...(['redis', 'redis cluster'] as const).filter((engine) => servers[engine]),
];

/** Settings that choose the engine; LMDB lives in the data folder. */
export function cacheSettingsOf(engine: CacheEngine): Record<string, string> {
  const url = engine === 'lmdb' ? undefined : servers[engine];
  return url ? { MAINSTAY_CACHE_URL: url } : {};
}

/** A server of this file's own: a sweep under a clock that its tests move takes what other files' tests have kept. */
export async function ownCacheServer(
  engine: Exclude<CacheEngine, 'lmdb'>,
): Promise<AsyncDisposable & { url: string }> {
  const server = await (engine === 'redis' ? startRedis() : startRedisCluster());
  if (!server) throw new Error('This run has no Redis.');
  return server;
}

export interface CacheHome extends AsyncDisposable {
  /** A node on the same engine. */
  open(clock: Clock): Promise<Cache>;
}

export async function cacheHome(engine: CacheEngine, applicationBytes: number): Promise<CacheHome> {
  if (engine !== 'lmdb') {
    const server = await ownCacheServer(engine);
    const url = new URL(server.url);
    return {
      open: (clock) =>
        openValkey(url, { applicationBytes, timeoutSeconds: 5, clock, onError: () => undefined }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  const folder = await mkdtemp(path.join(tmpdir(), `mainstay-cache-${randomBytes(3).toString('hex')}-`));
  const limits = { applicationBytes, totalBytes: 64 * 1024 * 1024 };
  return {
    open: async (clock) => openLmdb(path.join(folder, 'cache'), { limits, clock }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
