import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { isoTime } from '#core/clock.ts';
import { accountActors } from '#core/scopes.ts';
import type { Once } from '#http/idempotency.ts';
import { ApplicationPath } from '#http/schema.ts';
import { sendTest } from './delivery.ts';
import {
  ChangeLogDrain,
  CreateLogDrain,
  LogDrain,
  LogDrainList,
  LogDrainPath,
  LogDrainTest,
} from './schema.ts';
import { changeDrain, createDrain, type Deps, deleteDrain, drainOf, targetOf } from './service.ts';
import { type DrainRow, list } from './store.ts';

const product = 'request-logs';
const readers = {
  scope: 'network:applications:read',
  actors: accountActors,
  role: 'MEMBER',
  product,
} as const;
const writers = {
  scope: 'network:applications:write',
  actors: accountActors,
  role: 'ADMIN',
  product,
} as const;
const tags = ['Log drains'];

export function logDrainRoutes(deps: Deps & { once: Once }): FastifyPluginAsyncTypebox {
  const { db, vault, once } = deps;
  const show = (row: DrainRow) => toLogDrain(row, targetOf(vault, row));

  return async (app) => {
    app.get(
      '/applications/:applicationId/log-drains',
      {
        config: readers,
        schema: {
          operationId: 'listLogDrains',
          summary: 'List log drains',
          tags,
          params: ApplicationPath,
          response: { 200: LogDrainList },
        },
      },
      async ({ params }) => {
        const items = (await list(db, params.applicationId)).map(show);
        return { items, total: items.length };
      },
    );

    app.post(
      '/applications/:applicationId/log-drains',
      {
        config: { ...writers, once: true },
        schema: {
          operationId: 'createLogDrain',
          summary: 'Create a log drain',
          tags,
          params: ApplicationPath,
          body: CreateLogDrain,
          response: { 200: LogDrain },
        },
      },
      async (request) => {
        const { organizationId, body, params } = request;
        const owner = { organizationId, applicationId: params.applicationId };
        return once(request, async (tx) =>
          show(await createDrain(tx, deps, requestSource(request), owner, body)),
        );
      },
    );

    app.get(
      '/applications/:applicationId/log-drains/:drainId',
      {
        config: readers,
        schema: {
          operationId: 'getLogDrain',
          summary: 'Get a log drain',
          tags,
          params: LogDrainPath,
          response: { 200: LogDrain },
        },
      },
      async ({ params }) => show(await drainOf(db, params.applicationId, params.drainId)),
    );

    app.patch(
      '/applications/:applicationId/log-drains/:drainId',
      {
        config: writers,
        schema: {
          operationId: 'updateLogDrain',
          summary: 'Update a log drain',
          tags,
          params: LogDrainPath,
          body: ChangeLogDrain,
          response: { 200: LogDrain },
        },
      },
      async (request) => {
        const { organizationId, body, params } = request;
        const row = await db.write(async (tx) => {
          const before = await drainOf(tx, params.applicationId, params.drainId);
          return changeDrain(tx, deps, requestSource(request), organizationId, before, body);
        });
        return show(row);
      },
    );

    app.delete(
      '/applications/:applicationId/log-drains/:drainId',
      {
        config: writers,
        schema: {
          operationId: 'deleteLogDrain',
          summary: 'Delete a log drain',
          tags,
          params: LogDrainPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const { organizationId, params } = request;
        await db.write(async (tx) => {
          const row = await drainOf(tx, params.applicationId, params.drainId);
          await deleteDrain(tx, requestSource(request), organizationId, row);
        });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/applications/:applicationId/log-drains/:drainId/test',
      {
        config: writers,
        schema: {
          operationId: 'testLogDrain',
          summary: 'Send a test request to a log drain',
          tags,
          params: LogDrainPath,
          response: { 200: LogDrainTest },
        },
      },
      async ({ params }) => sendTest(deps, await drainOf(db, params.applicationId, params.drainId)),
    );
  };
}

function toLogDrain(row: DrainRow, { url, headers }: ReturnType<typeof targetOf>): Static<typeof LogDrain> {
  const status = row.delivered_at === null ? 'waiting' : 'delivering';
  return {
    id: row.id,
    applicationId: row.application_id,
    name: row.name,
    type: row.type,
    url: url.split('?', 1)[0] as string,
    headerNames: Object.keys(headers),
    enabled: row.enabled === 1,
    status: row.enabled === 0 ? 'disabled' : row.failures > 0 ? 'failing' : status,
    lastError: row.last_error,
    lastDeliveredAt: row.delivered_at === null ? null : isoTime(row.delivered_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
