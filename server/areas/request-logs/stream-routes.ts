import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Clock } from '#core/clock.ts';
import { ApplicationPath } from '#http/schema.ts';
import { readFilters } from './filters.ts';
import { readers, tags } from './routes.ts';
import { ExportQuery, FilterQuery, RequestStats, StatsQuery } from './schema.ts';
import type { Deps } from './service.ts';
import { requestStats } from './stats.ts';
import { exportLines, liveTail, Tails } from './tail.ts';

export function requestStreamRoutes(deps: Deps & { clock: Clock }): FastifyPluginAsyncTypebox {
  const tails = new Tails();
  const closing = new AbortController();

  return async (app) => {
    // Before the server waits for open answers: these would not end by themselves.
    app.addHook('preClose', async () => closing.abort());

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
      ({ params, query }) =>
        requestStats({ logs: deps.logs, now: deps.clock.now() }, params.applicationId, query),
    );

    app.get(
      '/applications/:applicationId/requests/stream',
      {
        config: readers,
        schema: {
          operationId: 'streamRequests',
          summary: 'Stream requests as they are answered',
          description:
            'Server-sent events. Each `request` event holds a request as the list shows it; `skipped` says that more came ' +
            'than are sent. `from` and `to` are ignored; `Last-Event-ID` goes on where a connection broke off.',
          tags,
          params: ApplicationPath,
          querystring: FilterQuery,
          response: { 200: { type: 'string', description: 'text/event-stream' } },
        },
      },
      async (request, reply) => {
        const { applicationId } = request.params;
        readFilters(request.query);
        const free = tails.take(applicationId);
        const lastEventId = request.headers['last-event-id'];
        const events = liveTail(deps, applicationId, request.query, {
          lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
          signal: closing.signal,
          checkAgain: () => request.checkAgain(),
        });
        const stream = Readable.from(events, { objectMode: false });
        once(stream, 'close').then(free, free);
        return reply
          .type('text/event-stream; charset=utf-8')
          .header('x-accel-buffering', 'no')
          .send(stream as never);
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
            'One request a line, as the list shows it, newest first. Starts at once, however many there are.',
          tags,
          params: ApplicationPath,
          querystring: ExportQuery,
          response: { 200: { type: 'string', description: 'application/x-ndjson' } },
        },
      },
      async ({ params, query }, reply) => {
        readFilters(query);
        const lines = exportLines(deps, params.applicationId, query as Parameters<typeof exportLines>[2]);
        return reply
          .type('application/x-ndjson; charset=utf-8')
          .header('content-disposition', 'attachment; filename="requests.ndjson"')
          .send(Readable.from(lines, { objectMode: false }) as never);
      },
    );
  };
}
