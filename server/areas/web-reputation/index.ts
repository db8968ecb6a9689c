import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { registerReputationMetrics } from './metrics.ts';
import { adminReputationRoutes, overrideRoutes } from './override-routes.ts';
import { Overrides } from './overrides.ts';
import { reputationRoutes } from './routes.ts';
import { openReputation, type Resolver } from './service.ts';
import { reputationSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Web reputation', group: reputationSettings },
  tables: ['reputation_overrides'],
  products: { 'web-reputation': 'Web reputation' },
} satisfies Area;

export async function open(
  parts: Parts<'db' | 'clock' | 'log' | 'dataDir' | 'version' | 'metrics', typeof reputationSettings>,
  { once }: { once: Once },
): Promise<OpenedArea & { resolver: Resolver }> {
  const { db, clock, log, dataDir, version, metrics, settings } = parts;
  const { feeds, reputation, resolver } = await openReputation({
    config: { ...settings, dataDir },
    clock,
    log,
    version,
  });
  if (metrics) registerReputationMetrics(feeds);
  const overrides = new Overrides({ db, maxBytes: settings.overrideCacheBytes });
  const overriding = { db, clock, once, limit: settings.overrideLimit };
  return {
    resolver,
    routes: [
      reputationRoutes({ feeds, reputation, overrides }),
      overrideRoutes(overriding),
      adminReputationRoutes({ ...overriding, feeds }),
    ],
    tasks: [
      { everySeconds: 10, name: 'look for a new name index', work: () => feeds.reopen() },
      { everySeconds: 60, name: 'refresh reputation lists', work: () => feeds.tend(clock.now()) },
    ],
    close: () => feeds[Symbol.asyncDispose](),
  };
}
