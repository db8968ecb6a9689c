import { findOrganization } from '#accounts/organizations/service.ts';
import type { Maybe } from '#core/maybe.ts';
import type { Series } from '#core/series.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { applicationCacheRoutes } from './application-routes.ts';
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
  parts: Parts<'db' | 'cache' | 'clock' | 'log' | 'metrics', typeof cacheSettings>,
  needs: {
    ownerOf(applicationId: string): Promise<object | null>;
    /** The organization that the application belongs to. */
    organizationOf(applicationId: string): Maybe<string | null>;
    series: Series;
  },
): OpenedArea {
  const { db, cache, clock, log, settings } = parts;
  const { ownerOf, organizationOf, series } = needs;
  const counts = cacheMetrics();
  const hits = new HitCounter({ cache, metrics: counts, organizationOf, series });
  const deps = { cache: timed(cache, counts), clock, hits, maxValueBytes: settings.cacheValueBytes };
  const measure = { everySeconds: 30, name: 'measure the cache', work: () => measureCache(cache, counts) };
  return {
    routes: [
      cacheRoutes(deps),
      cacheBatchRoutes(deps),
      cacheInspectRoutes(deps),
      applicationCacheRoutes({ ...deps, db }),
    ],
    tasks: [
      { everySeconds: 2, name: 'sweep the cache', work: () => cache.sweep() },
      { everySeconds: 2, name: 'note hits of the cache', work: () => hits.flush() },
      {
        everySeconds: 3600,
        name: 'forget the cache of deleted applications',
        // Answers of models are kept by organization.
        work: () =>
          forgetApplications(
            cache,
            async (id) => (await ownerOf(id)) !== null || (await findOrganization(db, id)) !== undefined,
          ),
      },
      ...(parts.metrics ? [measure] : []),
    ],
    purgeApplication: async (id) => {
      await cache.clear(id, null);
    },
    close: () => hits.flush().catch((err) => log.warn({ err }, 'The last hits of the cache were not noted.')),
  };
}
