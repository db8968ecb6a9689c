import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sendExport, type Tails } from '#areas/request-logs/service.ts';
import type { Blobs } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import type { LogStore } from '#core/log-store.ts';
import { actorTypes } from '#core/scopes.ts';
import { readManifest } from './artefact.ts';
import { type ReachDeps, reach } from './reach.ts';
import { linesOf, listLines } from './runtime-logs.ts';
import { deploymentMetrics } from './runtime-metrics.ts';
import {
  DeploymentMetrics,
  MetricsQuery,
  RuntimeExportQuery,
  RuntimeFilterQuery,
  RuntimeLogList,
  RuntimeLogQuery,
} from './runtime-schema.ts';
import { DeploymentPath } from './schema.ts';
import type { DeploymentRow } from './store.ts';

const tags = ['Deployments'];
const reads = {
  scope: 'network:requests:read',
  actors: actorTypes,
  checksRole: { organization: 'MEMBER', application: 'MEMBER' },
} as const;

/** What a deployment prints and uses while it answers. */
export function runtimeRoutes(
  deps: ReachDeps & { blobs: Blobs; logs: LogStore; clock: Clock; tails: Tails },
): FastifyPluginAsyncTypebox {
  const { db, blobs, logs, clock, tails } = deps;
  const functionNames = async ({ artefact }: DeploymentRow) =>
    artefact ? (await readManifest(blobs, artefact)).manifest.functions.map(({ name }) => name) : [];

  return async (app) => {
    app.get(
      '/deployments/:deploymentId/runtime-logs',
      {
        config: reads,
        schema: {
          operationId: 'listDeploymentRuntimeLogs',
          summary: 'List runtime logs of a deployment',
          description: 'Output of its functions, newest first.',
          tags,
          params: DeploymentPath,
          querystring: RuntimeLogQuery,
          response: { 200: RuntimeLogList },
        },
      },
      async ({ auth, params, query }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        return listLines(logs, row, query);
      },
    );

    app.get(
      '/deployments/:deploymentId/runtime-logs/stream',
      {
        config: reads,
        schema: {
          operationId: 'streamDeploymentRuntimeLogs',
          summary: 'Stream runtime logs of a deployment',
          description:
            'Server-sent events. Each `line` event contains a line in the format of the list; `skipped` reports that lines were left out. `from` and `to` are ignored; `Last-Event-ID` resumes after a lost connection.',
          tags,
          params: DeploymentPath,
          querystring: RuntimeFilterQuery,
          response: { 200: { type: 'string', description: 'text/event-stream' } },
        },
      },
      async (request, reply) => {
        const { deploymentId } = request.params;
        const { row, organizationId } = await reach(deps, request.auth, deploymentId, 'MEMBER');
        const source = linesOf(row, request.query);
        return tails.send(request, reply, logs, {
          organizationId,
          source,
          event: 'line',
          checkAgain: async () => {
            await request.checkAgain();
            await reach(deps, request.auth, deploymentId, 'MEMBER');
          },
        });
      },
    );

    app.get(
      '/deployments/:deploymentId/runtime-logs/export',
      {
        config: reads,
        schema: {
          operationId: 'exportDeploymentRuntimeLogs',
          summary: 'Export runtime logs of a deployment as NDJSON',
          description: 'One log line per line, in the format of the list, newest first.',
          tags,
          params: DeploymentPath,
          querystring: RuntimeExportQuery,
          response: { 200: { type: 'string', description: 'application/x-ndjson' } },
        },
      },
      async ({ auth, params, query }, reply) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        return sendExport(reply, 'runtime-logs.ndjson', logs, linesOf(row, query), query.limit);
      },
    );

    app.get(
      '/deployments/:deploymentId/metrics',
      {
        config: reads,
        schema: {
          operationId: 'getDeploymentMetrics',
          summary: 'Get the metrics of a deployment',
          description:
            'Requests with durations, and activity and usage of function processes, per interval and function. Default range: the last 24 hours. Process usage is kept for 31 days.',
          tags,
          params: DeploymentPath,
          querystring: MetricsQuery,
          response: { 200: DeploymentMetrics },
        },
      },
      async ({ auth, params, query }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        return deploymentMetrics({ db, logs, now: clock.now() }, row, await functionNames(row), query);
      },
    );
  };
}
