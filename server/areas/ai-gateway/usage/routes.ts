import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import { readPage, toPage } from '#http/paging.ts';
import { OrganizationPath } from '#http/schema.ts';
import type { UsageEvent as Event } from '../ledger/event.ts';
import { csvHead, toCsvLine, toUsageEvent } from './render.ts';
import {
  EventPath,
  ExportQuery,
  RequestsQuery,
  Series,
  SeriesQuery,
  Summary,
  SummaryQuery,
  UsageEvent,
  UsageEventList,
} from './schema.ts';
import { filterOf, rangeOf, rollupsIn, seriesOf, summarize } from './service.ts';
import { countEvents, type EventFilter, findEvent, listEvents, listPending } from './store.ts';

const readers = {
  scope: 'network:ai_gateway:usage:read',
  actors: actorTypes,
  role: 'MEMBER',
  product: 'ai-gateway',
} as const;
const tags = ['AI gateway'];
const base = '/organizations/:organizationId/ai-gateway/usage';
const defaultLimit = 100;
const countedTo = 10_000;
const exportPage = 500;

/** `settled`: what this process has finished is in the database. */
export function usageRoutes(deps: {
  db: Db;
  clock: Clock;
  settled(): Promise<void>;
}): FastifyPluginAsyncTypebox {
  const { db, clock, settled } = deps;

  return async (app) => {
    app.get(
      `${base}/summary`,
      {
        config: readers,
        schema: {
          operationId: 'getAiUsageSummary',
          summary: 'Get the sums of requests, tokens and costs',
          tags,
          params: OrganizationPath,
          querystring: SummaryQuery,
          response: { 200: Summary },
        },
      },
      async (request) => {
        await settled();
        const { organizationId, query } = request;
        const range = { organizationId, applicationId: ownApplication(request), ...rangeOf(query, clock) };
        return summarize(await rollupsIn(db, range));
      },
    );

    app.get(
      `${base}/series`,
      {
        config: readers,
        schema: {
          operationId: 'getAiUsageSeries',
          summary: 'Get requests, tokens and costs over time',
          tags,
          params: OrganizationPath,
          querystring: SeriesQuery,
          response: { 200: Series },
        },
      },
      async (request) => {
        await settled();
        const { organizationId, query } = request;
        const range = { organizationId, applicationId: ownApplication(request), ...rangeOf(query, clock) };
        const interval = query.interval ?? (range.to - range.from <= 7 * 86_400_000 ? 'hour' : 'day');
        if (interval === 'hour' && range.to - range.from > 93 * 86_400_000)
          throw new Problem('invalid_request', 'By the hour at most 93 days can be asked for.');
        return { interval, items: await seriesOf(db, range, { interval, groupBy: query.groupBy }) };
      },
    );

    app.get(
      `${base}/requests`,
      {
        config: readers,
        schema: {
          operationId: 'listAiUsageRequests',
          summary: 'List requests, newest first',
          tags,
          params: OrganizationPath,
          querystring: RequestsQuery,
          response: { 200: UsageEventList },
        },
      },
      async (request) => {
        await settled();
        const { limit = defaultLimit, cursor } = request.query;
        const { after: before } = readPage({ limit, ...(cursor === undefined ? {} : { cursor }) });
        const filter = {
          ...filterOf(request.organizationId, request.query),
          applicationId: ownApplication(request),
        };
        const rows = await listEvents(db, filter, { limit: limit + 1, before });
        const events = rows.map(({ event }) => JSON.parse(event) as Event);
        const open = before === undefined ? await underWay(db, filter) : [];
        const all = [...open, ...events].sort((a, b) => (a.id < b.id ? 1 : -1));
        const counted = (await countEvents(db, filter, countedTo)) + open.length;
        const total = Math.min(counted, countedTo);
        const page = toPage(all, { limit, total, sortKey: ({ id }) => id, item: toUsageEvent });
        return { ...page, ...(counted > countedTo ? { totalCapped: true } : {}) };
      },
    );

    app.get(
      `${base}/requests/:eventId`,
      {
        config: readers,
        schema: {
          operationId: 'getAiUsageRequest',
          summary: 'Get a request with its attempts',
          tags,
          params: EventPath,
          response: { 200: UsageEvent },
        },
      },
      async (request) => {
        await settled();
        const { organizationId, params } = request;
        const found = await findEvent(db, organizationId, params.eventId.toLowerCase());
        const open = found
          ? undefined
          : (await listPending(db, organizationId, 1000)).find(({ id }) => id === params.eventId);
        const event = JSON.parse((found ?? open)?.event ?? 'null') as Event | null;
        const own = ownApplication(request);
        if (!event || (own !== undefined && event.applicationId !== own))
          throw new Problem('not_found', 'There is no request with this id, or its row is kept no longer.');
        return toUsageEvent(event);
      },
    );

    app.get(
      `${base}/export`,
      {
        config: readers,
        schema: {
          operationId: 'exportAiUsage',
          summary: 'Export requests as CSV, newest first',
          tags,
          params: OrganizationPath,
          querystring: ExportQuery,
          response: { 200: { type: 'string', description: 'CSV (RFC 4180).' } },
        },
      },
      async (request, reply) => {
        await settled();
        const filter = {
          ...filterOf(request.organizationId, request.query),
          applicationId: ownApplication(request),
        };
        reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="ai-usage.csv"')
          .serializer((body: string) => body);
        return reply.send(Readable.from(csvOf(db, filter)) as unknown as string);
      },
    );
  };
}

/** An application sees its own requests only, whatever it asks for. */
function ownApplication(request: {
  auth: { actor: { applicationId: string | null } };
  query: unknown;
}): string | undefined {
  const { applicationId } = request.query as { applicationId?: string };
  return request.auth.actor.applicationId ?? applicationId?.toLowerCase();
}

/** Requests under way, where the filter lets them through. */
async function underWay(db: Db, filter: EventFilter): Promise<Event[]> {
  if (filter.status !== undefined && filter.status !== 'pending') return [];
  const rows = await listPending(db, filter.organizationId, 100);
  const matches = (wanted: unknown, value: unknown) => wanted === undefined || wanted === value;
  return rows
    .map(({ event }) => JSON.parse(event) as Event)
    .filter(
      (event) =>
        matches(filter.applicationId, event.applicationId) &&
        matches(filter.model, event.modelRequested) &&
        matches(filter.provider, event.provider) &&
        matches(filter.requestId, event.requestId) &&
        matches(filter.userId, event.authenticatedUserId) &&
        matches(filter.endUserId, event.callerEndUserId) &&
        event.startedAt >= (filter.from ?? 0) &&
        event.startedAt <= (filter.to ?? Number.POSITIVE_INFINITY),
    );
}

/** A page at a time: the next one is read when the client has taken the last. */
async function* csvOf(db: Db, filter: EventFilter): AsyncGenerator<string> {
  yield csvHead;
  let before: string | undefined;
  for (;;) {
    const rows = await listEvents(db, filter, { limit: exportPage, before });
    if (rows.length > 0) yield rows.map(({ event }) => toCsvLine(JSON.parse(event) as Event)).join('');
    if (rows.length < exportPage) return;
    before = rows.at(-1)?.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
