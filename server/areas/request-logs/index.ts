import type { RequestLog } from '#core/request-log.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { Tails } from './live.ts';
import { registerLogMetrics } from './metrics.ts';
import { requestLogRoutes } from './routes.ts';
import { type Deps, sampledLog } from './service.ts';
import { requestLogSettings } from './settings.ts';
import { requestStreamRoutes } from './stream-routes.ts';

export const area = {
  settings: { heading: 'Request logs', group: requestLogSettings },
  products: { 'request-logs': 'Request logs' },
} satisfies Area;

/**
 * Opened before the areas that answer requests for others, which write to `requestLog`. Whoever has deployments tells
 * their states by `showDeploymentStates`, once it is open.
 */
export function open({
  db,
  logs,
  clock,
  settings,
  metrics,
}: Parts<'db' | 'logs' | 'clock' | 'metrics', typeof requestLogSettings>): OpenedArea & {
  requestLog: RequestLog;
  /** For the areas that show requests too. */
  requests: Deps;
  /** Live streams of every log: one bound for all of them. */
  tails: Tails;
  showDeploymentStates(states: Deps['deploymentStates']): void;
} {
  let deploymentStates: Deps['deploymentStates'] = async () => new Map();
  const deps: Deps = { db, logs, deploymentStates: (ids) => deploymentStates(ids) };
  const tails = new Tails(settings.liveStreams);
  if (metrics) registerLogMetrics(logs);
  return {
    routes: [requestLogRoutes(deps), requestStreamRoutes({ ...deps, clock, tails })],
    tasks: [{ everySeconds: 10, name: 'drop old log files', work: () => logs.sweep() }],
    purgeApplication: async (id) => {
      await logs.purge('requests', id);
      await logs.purge('runtime-logs', id);
    },
    checks: [{ name: 'logs', check: () => logs.ping() }],
    close: () => logs.flush(),
    requests: deps,
    tails,
    requestLog: sampledLog(logs, settings.requestLogSample),
    showDeploymentStates(states) {
      deploymentStates = states;
    },
  };
}
