import type { Environment } from '#accounts/applications/service.ts';
import type { Maybe } from '#core/maybe.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { runtimeCacheRoutes } from './routes.ts';
import { RuntimeCache, spaceOf } from './service.ts';
import { runtimeCacheSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Gateway', group: runtimeCacheSettings },
} satisfies Area;

export function open(
  { cache, clock, settings }: Parts<'cache' | 'clock', typeof runtimeCacheSettings>,
  { environmentsOf }: { environmentsOf(applicationId: string): Maybe<readonly Environment[]> },
): OpenedArea {
  const runtimeCache = new RuntimeCache({ cache, clock });
  return {
    routes: [runtimeCacheRoutes({ cache: runtimeCache, maxValueBytes: settings.runtimeCacheValueBytes })],
    purgeApplication: async (applicationId) => {
      for (const { id } of await environmentsOf(applicationId)) await cache.clear(spaceOf(id), null);
    },
  };
}
