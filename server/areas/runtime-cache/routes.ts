import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requestHeader } from '#core/compatibility.ts';
import { Problem } from '#core/problem.ts';
import { Entry, EntryPath, PutEntry, Revalidate, TagExpiration, TagState, TagsOf } from './schema.ts';
import type { RuntimeCache } from './service.ts';

const base = '/internal/runtime-cache/v1';
const tags = ['Runtime cache'];
const workloads = { actors: ['deployment', 'function'], product: 'deployments' } as const;
const reads = { ...workloads, scope: 'fastcache:read' } as const;
const writes = { ...workloads, scope: 'fastcache:write' } as const;
/** A rendered page holds many small pieces. */
const jsonItems = 500_000;

/** What frameworks that run on this instance keep their rendered pages and fetched data in. */
export function runtimeCacheRoutes(deps: {
  cache: RuntimeCache;
  maxValueBytes: number;
}): FastifyPluginAsyncTypebox {
  const { cache, maxValueBytes } = deps;

  return async (app) => {
    app.get(
      `${base}/entries/:kind/:key`,
      {
        config: { ...reads, errors: [404] },
        schema: {
          operationId: 'getRuntimeCacheEntry',
          summary: 'Get an entry of the runtime cache',
          tags,
          params: EntryPath,
          response: { 200: Entry },
        },
      },
      async (request, reply) => {
        const { kind, key } = request.params;
        const json = await cache.get(environmentOf(request), buildOf(request), kind, key);
        if (!json) throw new Problem('not_found', 'The runtime cache has no such entry.');
        // Stored as it is answered.
        return reply
          .type('application/json; charset=utf-8')
          .serializer(String)
          .send(json.toString('utf8') as never);
      },
    );

    app.put(
      `${base}/entries/:kind/:key`,
      {
        bodyLimit: maxValueBytes,
        config: { ...writes, errors: [507], jsonItems },
        schema: {
          operationId: 'putRuntimeCacheEntry',
          summary: 'Put an entry into the runtime cache',
          tags,
          params: EntryPath,
          body: PutEntry,
          response: { 204: { type: 'null', description: 'Stored.' } },
        },
      },
      async (request, reply) => {
        const { kind, key } = request.params;
        const json = JSON.stringify(request.body);
        const isStored = await cache.put(environmentOf(request), buildOf(request), kind, key, json);
        if (!isStored)
          throw new Problem('storage_full', 'The runtime cache of the environment has no room for it.');
        return reply.code(204).send(null);
      },
    );

    app.post(
      `${base}/tags/revalidate`,
      {
        config: { ...writes, errors: [507] },
        schema: {
          operationId: 'revalidateRuntimeCacheTags',
          summary: 'Revalidate tags of the runtime cache',
          tags,
          body: Revalidate,
          response: { 204: { type: 'null', description: 'Revalidated.' } },
        },
      },
      async (request, reply) => {
        const { tags: named, durations } = request.body;
        // Without a time to continue, what is stale is gone too.
        await cache.revalidate(environmentOf(request), named, durations && (durations.expire ?? yearSeconds));
        return reply.code(204).send(null);
      },
    );

    app.post(
      `${base}/tags/state`,
      {
        config: reads,
        schema: {
          operationId: 'getRuntimeCacheTagState',
          summary: 'Get the state of tags of the runtime cache',
          tags,
          body: TagsOf,
          response: { 200: TagState },
        },
      },
      async (request) => cache.state(environmentOf(request), request.body.tags),
    );

    app.post(
      `${base}/tags/expiration`,
      {
        config: reads,
        schema: {
          operationId: 'getRuntimeCacheTagExpiration',
          summary: 'Get when tags of the runtime cache expired',
          tags,
          body: TagsOf,
          response: { 200: TagExpiration },
        },
      },
      async (request) => ({
        expiration: (await cache.state(environmentOf(request), request.body.tags)).expired,
      }),
    );
  };
}

const yearSeconds = 31_536_000;

/** Code of a deployment acts in its own environment. */
function environmentOf({ auth }: FastifyRequest): string {
  const { environmentId } = auth.actor;
  if (environmentId === null)
    throw new Problem(
      'forbidden',
      'The runtime cache is for code of deployments: this key has no environment.',
    );
  return environmentId;
}

/** Pages of one build name files that another one does not have. */
function buildOf({ headers, auth }: FastifyRequest): string {
  return (
    requestHeader(headers, 'x-mainstay-build-id') ??
    requestHeader(headers, 'x-mainstay-deployment-id') ??
    auth.actor.id
  );
}
