import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type ActionOf, audit, requestSource } from '#accounts/audit-log/service.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { accountActors, type Scope } from '#core/scopes.ts';
import { onceOf } from '#http/idempotency.ts';
import { Id, ListOf } from '#http/schema.ts';
import { preconditionOf } from './etags.ts';
import { bodyLimitFor, queryText, toSet } from './input.ts';
import { listKeys } from './inspect-routes.ts';
import { entryHeaders, failed, itemBody, itemText, missing, sendItem } from './render.ts';
import { type Deps, tags } from './routes.ts';
import {
  CacheItem,
  CacheKey,
  CacheStats,
  DeletedCount,
  DeleteQuery,
  KeyQuery,
  KeysQuery,
  SetBody,
} from './schema.ts';

const ApplicationPath = Type.Object({ applicationId: Id });

function admins<const S extends Scope>(scope: S) {
  return { scope, actors: accountActors, role: 'ADMIN', product: 'fastcache' } as const;
}

/**
 * An application's cache for the admins of its organization. They see what the application keeps there of its users, so
 * each look at keys and values is in the audit log, written before it is granted.
 */
export function applicationCacheRoutes(deps: Deps & { db: Db }): FastifyPluginAsyncTypebox {
  const { db, cache, clock, hits, maxValueBytes } = deps;

  const note = async (
    request: FastifyRequest & { params: { applicationId: string } },
    what: ActionOf<'cache'>,
    details: Record<string, unknown>,
  ): Promise<string> => {
    const { applicationId } = request.params;
    await db.write((tx) =>
      audit(tx, requestSource(request), {
        organizationId: request.organizationId,
        action: `cache.${what}`,
        targetType: 'application',
        targetId: applicationId,
        details,
      }),
    );
    return applicationId;
  };

  return async (app) => {
    app.get(
      '/applications/:applicationId/fastcache',
      {
        config: admins('fastcache:read'),
        schema: {
          operationId: 'getApplicationCacheItem',
          summary: 'Get an item of the cache of an application',
          description: 'For admins of the organization. Recorded in the audit log.',
          tags,
          params: ApplicationPath,
          querystring: KeyQuery,
          response: { 200: CacheItem },
        },
      },
      async (request, reply) => {
        const key = queryText(request, 'key', request.query.key);
        const item = await cache.get(await note(request, 'item_read', { key }), key);
        if (!item) throw missing();
        entryHeaders(reply, item);
        return sendItem(reply, itemBody(key, item));
      },
    );

    app.post(
      '/applications/:applicationId/fastcache',
      {
        bodyLimit: bodyLimitFor(maxValueBytes),
        config: { errors: [412, 507], ...admins('fastcache:write'), once: true },
        schema: {
          operationId: 'setApplicationCacheItem',
          summary: 'Set an item of the cache of an application',
          tags,
          params: ApplicationPath,
          body: SetBody,
          response: { 201: CacheItem },
        },
      },
      async (request, reply) => {
        const condition = preconditionOf(request.headers);
        const operation = { ...toSet(request.body, clock.now(), maxValueBytes), condition };
        const { key, json, expiration, byteSize } = operation;
        const applicationId = await note(request, 'item_set', { key, byteSize });
        const [outcome] = await cache.run(applicationId, [operation], onceOf(request, clock.now()));
        if (outcome && 'failure' in outcome) throw failed(outcome.failure);
        if (outcome && 'entry' in outcome && outcome.entry) entryHeaders(reply, outcome.entry);
        return sendItem(reply.code(201), itemText(key, json, { expiration, byteSize }));
      },
    );

    app.delete(
      '/applications/:applicationId/fastcache',
      {
        config: admins('fastcache:delete'),
        schema: {
          operationId: 'deleteApplicationCacheItem',
          summary: 'Delete an item, or all items with a prefix, from the cache of an application',
          tags,
          params: ApplicationPath,
          querystring: DeleteQuery,
          response: {
            200: DeletedCount,
            204: { type: 'null', description: 'The item no longer exists.' },
          },
        },
      },
      async (request, reply) => {
        const { key, prefix } = request.query;
        if ((key === undefined) === (prefix === undefined))
          throw new Problem('invalid_request', 'Send the query parameter "key" or "prefix", one of the two.');
        if (prefix !== undefined) {
          const text = queryText(request, 'prefix', prefix);
          const applicationId = await note(request, 'cleared', { prefix: text });
          return { deletedCount: await cache.clear(applicationId, text) };
        }
        const text = queryText(request, 'key', key ?? '');
        const applicationId = await note(request, 'item_deleted', { key: text });
        await cache.run(applicationId, [{ op: 'delete', key: text }]);
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/applications/:applicationId/fastcache/keys',
      {
        config: admins('fastcache:read'),
        schema: {
          operationId: 'listApplicationCacheKeys',
          summary: 'List the keys in the cache of an application',
          description: 'For admins of the organization. Recorded in the audit log.',
          tags,
          params: ApplicationPath,
          querystring: KeysQuery,
          response: { 200: ListOf(CacheKey) },
        },
      },
      async (request) => {
        const { applicationId } = request.params;
        const page = await listKeys(cache, request, applicationId, request.query);
        // A list is one look, however many pages it has.
        if (request.query.cursor === undefined)
          await note(request, 'keys_listed', { prefix: request.query.prefix ?? '' });
        return page;
      },
    );

    app.get(
      '/applications/:applicationId/fastcache/stats',
      {
        config: admins('fastcache:read'),
        schema: {
          operationId: 'getApplicationCacheStats',
          summary: 'Get cache statistics of an application',
          tags,
          params: ApplicationPath,
          response: { 200: CacheStats },
        },
      },
      async (request) => {
        await hits.flush();
        return cache.usage(request.params.applicationId);
      },
    );
  };
}
