import type { FastifyInstance } from 'fastify';
import { Readiness } from '#core/readiness.ts';
import { Tasks } from '#core/tasks.ts';
import { registerAccess } from '#http/access.ts';
import type { Listener } from '#http/area.ts';
import { registerCors } from '#http/cors.ts';
import { dashboardRoutes } from '#http/dashboard.ts';
import { documentationRoutes } from '#http/documentation.ts';
import { registerFreshReads } from '#http/fresh-reads.ts';
import { healthRoutes } from '#http/health.ts';
import { manualRoutes } from '#http/manual.ts';
import { registerMetrics } from '#http/metrics.ts';
import { registerPaging } from '#http/paging.ts';
import { permissionRoutes } from '#http/permissions.ts';
import { registerRateLimit } from '#http/rate-limit.ts';
import { registerSeries } from '#http/series.ts';
import { createServer } from '#http/server.ts';
import { openAreas } from './platform/areas.ts';
import { openRunner, openServiceEngines } from './platform/engines.ts';
import type { Platform } from './platform/platform.ts';
import { version } from './platform/version.ts';

export interface App {
  app: FastifyInstance;
  /** Ports besides the API's own: opened after it, closed before it. */
  listeners: readonly Listener[];
}

/**
 * The HTTP application over an open platform: hooks, and the routes of every area. Closing it stops its tasks and its
 * areas; the platform stays open.
 */
export async function buildApp(
  platform: Platform,
  /** Something that has to see every route, such as the generator of openapi.json. */
  options: { plugin?: (app: FastifyInstance) => PromiseLike<unknown> } = {},
): Promise<App> {
  const { config, log, clock, db } = platform;
  const app = createServer(config, log);
  await options.plugin?.(app);
  if (config.metrics) registerMetrics(app);
  if (config.tracesUrl) (await import('#http/traces.ts')).registerTraces(app);
  await registerCors(app, config.corsOrigins);

  const serviceEngines = await openServiceEngines(config);
  const port = () => {
    const address = app.server.address();
    return address !== null && typeof address === 'object' ? address.port : config.port;
  };
  const runner = await openRunner(config, log, port, serviceEngines);
  const { areas, access, series } = await openAreas({
    ...platform,
    runner,
    serviceEngines,
    ...config,
    version,
    cacheEntries: config.keyCacheSize,
    settings: config,
  });
  registerPaging(app);
  registerFreshReads(app, db.notifications);
  registerAccess(app, access);
  registerSeries(app, series);
  registerRateLimit(app, { perMinute: config.requestsPerMinute, clock });
  await app.register(documentationRoutes());
  await app.register(permissionRoutes(access));
  for (const routes of areas.flatMap((area) => area.routes ?? [])) await app.register(routes);
  await app.register(manualRoutes());
  await app.register(dashboardRoutes(undefined, () => areas.flatMap((area) => area.pageOrigins?.() ?? [])));
  const readiness = new Readiness({ db });
  const checks = areas.flatMap((area) => area.checks ?? []);
  await app.register(
    healthRoutes({ dependencies: [{ name: 'database', check: () => readiness.check() }, ...checks] }),
  );

  const tasks = new Tasks(log);
  for (const { everySeconds, name, work } of areas.flatMap((area) => area.tasks ?? []))
    tasks.every(everySeconds, name, work);
  app.addHook('onClose', async () => {
    await tasks[Symbol.asyncDispose]();
    for (const area of areas.toReversed()) await area.close?.();
    await runner?.[Symbol.asyncDispose]();
  });
  return { app, listeners: areas.flatMap((area) => area.listeners ?? []) };
}
