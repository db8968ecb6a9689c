import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Series } from '#core/series.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { seriesRoutes } from './routes.ts';
import { StoredSeries } from './service.ts';

export const area = { tables: ['series_points'] } satisfies Area;

export function open({ db, clock, log }: Parts<'db' | 'clock' | 'log'>): OpenedArea & { series: Series } {
  const series = new StoredSeries({ db, clock });
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const measure = async () => {
    series.sample('memoryBytes', process.memoryUsage.rss());
    if (delay.count > 0) series.sample('eventLoopMilliseconds', delay.mean / 1e6);
    delay.reset();
    const started = performance.now();
    await db.ping();
    series.sample('databaseMilliseconds', performance.now() - started);
  };
  return {
    series,
    routes: [seriesRoutes({ series })],
    tasks: [
      { everySeconds: 10, name: 'write usage', work: () => series.flush() },
      { everySeconds: 60, name: 'measure the node', work: measure },
      { everySeconds: 3600, name: 'sweep usage', work: () => series.sweep() },
    ],
    close: async () => {
      delay.disable();
      await series.flush().catch((err) => log.warn({ err }, 'The last usage was not written.'));
    },
  };
}
