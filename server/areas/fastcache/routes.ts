import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Cache,
  type CacheOperation,
  type CacheOutcome,
  holds,
  type CacheItem as Item,
} from '#core/cache.ts';
import type { Clock } from '#core/clock.ts';
import { Problem } from '#core/problem.ts';
import { onceOf } from '#http/idempotency.ts';
import { preconditionOf } from './etags.ts';
import { applicationOf, bodyLimitFor, queryText, toIncrement, toSet } from './input.ts';
import { entryHeaders, failed, itemBody, itemText, missing, sendItem } from './render.ts';
import { CacheItem, DeletedCount, DeleteQuery, IncrementBody, KeyQuery, SetBody } from './schema.ts';
import type { HitCounter } from './service.ts';

/** What every route of the cache declares. */
export const common = { actors: ['application', 'deployment', 'function'], product: 'fastcache' } as const;
export const tags = ['Key-value cache'];

export interface Deps {
  cache: Pick<Cache, 'get' | 'run' | 'clear' | 'list' | 'usage'>;
  clock: Clock;
  hits: HitCounter;
  /** How large a value may be in UTF-8. */
  maxValueBytes: number;
}

export function cacheRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { cache, clock, hits, maxValueBytes } = deps;
  const bodyLimit = bodyLimitFor(maxValueBytes);

  return async (app) => {
    app.get(
      '/fastcache',
      {
        config: { errors: [404, 412], ...common, scope: 'fastcache:read' },
        schema: {
          operationId: 'getCacheItem',
          summary: 'Get a cache item',
          tags,
          querystring: KeyQuery,
          response: {
            200: CacheItem,
            304: { type: 'null', description: 'The item is still the one that If-None-Match names.' },
          },
        },
      },
      (request, reply) => {
        const applicationId = applicationOf(request);
        const key = queryText(request, 'key', request.query.key);
        const answer = (item: Item | null): void => {
          hits.note(applicationId, item !== null);
          answerItem(request, reply, key, item);
        };
        // Not an async function: a cache that has the item at hand answers in the same turn of the event loop.
        const found = cache.get(applicationId, key);
        return found instanceof Promise ? found.then(answer) : answer(found);
      },
    );

    app.post(
      '/fastcache',
      {
        bodyLimit,
        config: { errors: [412, 507], ...common, scope: 'fastcache:write', once: true },
        schema: {
          operationId: 'setCacheItem',
          summary: 'Set a cache item',
          description:
            '`If-None-Match: *` writes only if the item does not exist; `If-Match` only if it has that entity tag; ' +
            'otherwise 412.',
          tags,
          body: SetBody,
          response: { 201: CacheItem },
        },
      },
      async (request, reply) => {
        const condition = preconditionOf(request.headers);
        const operation = { ...toSet(request.body, clock.now(), maxValueBytes), condition };
        const { entry } = (await runOne(deps, request, operation)) as Extract<
          CacheOutcome,
          { entry: unknown }
        >;
        if (entry) entryHeaders(reply, entry);
        const { key, json, expiration, byteSize } = operation;
        return sendItem(reply.code(201), itemText(key, json, { expiration, byteSize }));
      },
    );

    app.post(
      '/fastcache/increment',
      {
        bodyLimit,
        config: { errors: [507], ...common, scope: 'fastcache:write', once: true },
        schema: {
          operationId: 'incrementCacheItem',
          summary: 'Increment a counter',
          description: 'Atomic. Returns 409 if the item is not an integer or would exceed 2^53 - 1.',
          tags,
          body: IncrementBody,
          response: { 200: CacheItem },
        },
      },
      async (request, reply) => {
        const operation = toIncrement(request.body, clock.now());
        const { item } = (await runOne(deps, request, operation)) as { item: Item };
        entryHeaders(reply, item);
        return sendItem(reply, itemBody(operation.key, item));
      },
    );

    app.delete(
      '/fastcache',
      {
        config: { errors: [412], ...common, scope: 'fastcache:delete' },
        schema: {
          operationId: 'deleteCacheItem',
          summary: 'Delete a cache item, or all with a key prefix',
          description:
            'Deleting a missing item is not an error. With `If-Match`, deletes only the item with that entity tag.',
          tags,
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
          return { deletedCount: await cache.clear(applicationOf(request), text) };
        }
        const condition = preconditionOf(request.headers);
        const operation = { op: 'delete', key: queryText(request, 'key', key ?? ''), condition } as const;
        await runOne(deps, request, operation);
        return reply.code(204).send(null);
      },
    );
  };
}

function answerItem(request: FastifyRequest, reply: FastifyReply, key: string, item: Item | null): void {
  if (!item) throw missing();
  entryHeaders(reply, item);
  const condition = preconditionOf(request.headers);
  if (condition && !holds({ match: condition.match }, item.version)) throw failed('precondition');
  if (condition && !holds(condition, item.version)) void reply.code(304).send();
  else sendItem(reply, itemBody(key, item));
}

/** The outcome of one operation, done once where the request carries an `Idempotency-Key`. Throws when it failed. */
async function runOne(
  { cache, clock }: Deps,
  request: FastifyRequest,
  operation: CacheOperation,
): Promise<CacheOutcome> {
  const [outcome] = await cache.run(applicationOf(request), [operation], onceOf(request, clock.now()));
  if (outcome && 'failure' in outcome) throw failed(outcome.failure);
  return outcome as CacheOutcome;
}
