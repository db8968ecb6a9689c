import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { cacheBatchRoutes } from './batch-routes.ts';
import { cacheInspectRoutes } from './inspect-routes.ts';
import { cacheMetrics } from './metrics.ts';
import { cacheRoutes } from './routes.ts';
import { forgetApplications, HitCounter, measureCache, timed } from './service.ts';
import { cacheSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Key-value cache', group: cacheSettings },
  products: { fastcache: 'Key-value cache' },
} satisfies Area;

export function open(
  parts: Parts<'cache' | 'clock' | 'log' | 'metrics', typeof cacheSettings>,
  { ownerOf }: { ownerOf(applicationId: string): Promise<object | null> },
): OpenedArea {
  const { cache, clock, log, settings } = parts;
  const counts = cacheMetrics();
  const hits = new HitCounter(cache, counts);
  const deps = { cache: timed(cache, counts), clock, hits, maxValueBytes: settings.cacheValueBytes };
  const measure = { everySeconds: 30, name: 'measure the cache', work: () => measureCache(cache, counts) };
  return {
    routes: [cacheRoutes(deps), cacheBatchRoutes(deps), cacheInspectRoutes(deps)],
    tasks: [
      { everySeconds: 2, name: 'sweep the cache', work: () => cache.sweep() },
      { everySeconds: 2, name: 'note hits of the cache', work: () => hits.flush() },
      {
        everySeconds: 3600,
        name: 'forget the cache of deleted applications',
        work: () => forgetApplications(cache, async (id) => (await ownerOf(id)) !== null),
      },
      ...(parts.metrics ? [measure] : []),
    ],
    purgeApplication: async (id) => {
      await cache.clear(id, null);
    },
    close: () => hits.flush().catch((err) => log.warn({ err }, 'The last hits of the cache were not noted.')),
  };
}
