import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Clock } from '#core/clock.ts';
import type { StoredLine } from '#core/log-store.ts';
import { ApplicationPath } from '#http/schema.ts';
import { type Narrowed, readFilters } from './filters.ts';
import { sendExport, type Tails } from './live.ts';
import { readers, tags } from './routes.ts';
import { ExportQuery, FilterQuery, RequestStats, StatsQuery } from './schema.ts';
import { type Deps, showLines } from './service.ts';
import { requestStats } from './stats.ts';

export function requestStreamRoutes(deps: Deps & { clock: Clock; tails: Tails }): FastifyPluginAsyncTypebox {
  const { logs, tails } = deps;
  const sourceOf = (applicationId: string, filters: Narrowed['filters']) => ({
    ...{ stream: 'requests' as const, scope: applicationId, filters },
    show: (lines: readonly StoredLine[]) => showLines(deps, applicationId, lines),
  });

  return async (app) => {
    // Before the server waits for open answers: these would not end by themselves.
    app.addHook('preClose', async () => tails.close());

    app.get(
      '/applications/:applicationId/requests/stats',
      {
        config: readers,
        schema: {
          operationId: 'getRequestStats',
          summary: 'Get statistics of requests',
          tags,
          params: ApplicationPath,
          querystring: StatsQuery,
          response: { 200: RequestStats },
        },
      },
      ({ params, query }) => requestStats({ logs, now: deps.clock.now() }, params.applicationId, query),
    );

    app.get(
      '/applications/:applicationId/requests/stream',
      {
        config: readers,
        schema: {
          operationId: 'streamRequests',
          summary: 'Stream requests as they are answered',
          description:
            'Server-sent events. Each `request` event contains a request in the format of the list; `skipped` reports that requests were left out. `from` and `to` are ignored; `Last-Event-ID` resumes after a lost connection.',
          tags,
          params: ApplicationPath,
          querystring: FilterQuery,
          response: { 200: { type: 'string', description: 'text/event-stream' } },
        },
      },
      async (request, reply) => {
        const { filters } = readFilters(request.query);
        return tails.send(request, reply, logs, {
          organizationId: request.organizationId,
          source: sourceOf(request.params.applicationId, filters),
          event: 'request',
          checkAgain: () => request.checkAgain(),
        });
      },
    );

    app.get(
      '/applications/:applicationId/requests/export',
      {
        config: readers,
        schema: {
          operationId: 'exportRequests',
          summary: 'Export requests as NDJSON',
          description:
            'One request per line, in the format of the list, newest first. The response is streamed.',
          tags,
          params: ApplicationPath,
          querystring: ExportQuery,
          response: { 200: { type: 'string', description: 'application/x-ndjson' } },
        },
      },
      async ({ params, query }, reply) => {
        const { filters, from, to } = readFilters(query);
        const source = { ...sourceOf(params.applicationId, filters), from, to };
        return sendExport(reply, 'requests.ndjson', logs, source, query.limit);
      },
    );
  };
}
