import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { LogPosition, LogStore } from '#core/log-store.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import { decodeCursor, encodeCursor } from '#http/paging.ts';
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
import {
  type EventFilter,
  eachEvent,
  filterOf,
  rangeOf,
  searchEvents,
  seriesOf,
  summarize,
} from './service.ts';
import { listPending } from './store.ts';

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

/** `settled`: what this process has finished is in the database; `stored`: and in the log store. */
export function usageRoutes(deps: {
  db: Db;
  logs: LogStore;
  clock: Clock;
  settled(): Promise<void>;
  stored(): Promise<void>;
}): FastifyPluginAsyncTypebox {
  const { db, logs, clock, settled, stored } = deps;

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
        await stored();
        const { organizationId, query } = request;
        const range = { organizationId, applicationId: ownApplication(request), ...rangeOf(query, clock) };
        return summarize(deps, range);
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
          throw new Problem('invalid_request', 'Hourly data is available for ranges up to 93 days.');
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
        await stored();
        const { limit = defaultLimit, cursor } = request.query;
        const after = cursor === undefined ? undefined : readCursor(cursor);
        const filter = {
          ...filterOf(request.organizationId, request.query),
          applicationId: ownApplication(request),
        };
        const open = after === undefined ? (await underWay(db, filter)).slice(0, limit) : [];
        const page = await searchEvents(logs, filter, {
          limit: Math.max(1, limit - open.length),
          after: after?.position,
          // Pages of one list tell the same total.
          count: after === undefined,
        });
        const items = [...open.map(toUsageEvent), ...page.events];
        const counted = page.total ?? { count: 0, capped: false };
        const total = after?.total ?? {
          count: Math.min(counted.count + open.length, countedTo),
          capped: counted.capped,
        };
        return {
          items: items.slice(0, limit),
          total: total.count,
          ...(total.capped ? { totalCapped: true } : {}),
          ...nextOf(items, limit, page.next, total),
        };
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
        await stored();
        const { organizationId, params } = request;
        const id = params.eventId.toLowerCase();
        const found = await logs.find('ai-usage', organizationId, id);
        const event = (found?.body as Static<typeof UsageEvent>) ?? (await openEvent(db, organizationId, id));
        const own = ownApplication(request);
        if (!event || (own !== undefined && event.applicationId !== own))
          throw new Problem('not_found', 'There is no request with this id, or it is no longer retained.');
        return event;
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
        await stored();
        const filter = {
          ...filterOf(request.organizationId, request.query),
          applicationId: ownApplication(request),
        };
        reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="ai-usage.csv"')
          .serializer((body: string) => body);
        return reply.send(Readable.from(csvOf(logs, filter)) as unknown as string);
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

async function openEvent(db: Db, organizationId: string, id: string) {
  const open = (await listPending(db, organizationId, 1000)).find((one) => one.id === id);
  return open && toUsageEvent(JSON.parse(open.event) as Event);
}

async function* csvOf(logs: LogStore, filter: EventFilter): AsyncGenerator<string> {
  yield csvHead;
  for await (const events of eachEvent(logs, filter)) {
    yield events.map(toCsvLine).join('');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Total {
  count: number;
  capped: boolean;
}

const cursorShape = /^(\d{1,16}) ([0-9a-f-]{36}) (\d{1,5}) ([01])$/;

function readCursor(cursor: string): { position: LogPosition; total: Total } {
  const [, at, id = '', count, capped] =
    cursorShape.exec(decodeCursor(cursor, (text) => cursorShape.test(text))) ?? [];
  return { position: { at: Number(at), id }, total: { count: Number(count), capped: capped === '1' } };
}

/** Behind the last event that is shown; what is under way is on the first page only. */
function nextOf(
  items: readonly Static<typeof UsageEvent>[],
  limit: number,
  next: LogPosition | undefined,
  total: Total,
): { nextCursor?: string } {
  const last = items[limit - 1];
  const position = items.length > limit && last ? { at: Date.parse(last.startedAt), id: last.id } : next;
  if (!position) return {};
  const { at, id } = position;
  return { nextCursor: encodeCursor(`${at} ${id} ${total.count} ${total.capped ? 1 : 0}`) };
}
