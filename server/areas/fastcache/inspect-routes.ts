import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Problem } from '#core/problem.ts';
import { readPage, toPage } from '#http/paging.ts';
import { ListOf } from '#http/schema.ts';
import { applicationOf, queryText } from './input.ts';
import { toKey } from './render.ts';
import { common, type Deps, tags } from './routes.ts';
import { CacheKey, CacheStats, KeysQuery } from './schema.ts';

const defaultLimit = 100;

/** What a cursor holds: how many keys there were when the list began, and the last key of the page. */
const position = /^(\d+):(.*)$/s;

export function cacheInspectRoutes({ cache, hits }: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/fastcache/keys',
      {
        config: { ...common, scope: 'fastcache:read' },
        schema: {
          operationId: 'listCacheKeys',
          summary: 'List cache keys',
          tags,
          querystring: KeysQuery,
          response: { 200: ListOf(CacheKey) },
        },
      },
      async (request) => {
        return listKeys(cache, request, applicationOf(request), request.query);
      },
    );

    app.get(
      '/fastcache/stats',
      {
        config: { ...common, scope: 'fastcache:read' },
        schema: {
          operationId: 'getCacheStats',
          summary: 'Get cache statistics',
          tags,
          response: { 200: CacheStats },
        },
      },
      async (request) => {
        await hits.flush();
        return cache.usage(applicationOf(request));
      },
    );
  };
}

/** A page of the keys that an application has in the cache. */
export async function listKeys(
  cache: Deps['cache'],
  request: FastifyRequest,
  applicationId: string,
  query: Static<typeof KeysQuery>,
) {
  const { prefix: given = '', limit: wanted = defaultLimit, cursor } = query;
  const prefix = queryText(request, 'prefix', given);
  const { after: from } = readPage({ limit: wanted, ...(cursor ? { cursor } : {}) }, (text) =>
    position.test(text),
  );
  const [, counted, after] = position.exec(from ?? '') ?? [];
  if (after !== undefined && !after.startsWith(prefix))
    throw new Problem('invalid_request', 'The query parameter "cursor" belongs to another prefix.');
  const page = { prefix, after, limit: wanted + 1, total: counted === undefined };
  const { items, total = Number(counted) } = await cache.list(applicationId, page);
  return toPage(items, { limit: wanted, total, sortKey: ({ key }) => `${total}:${key}`, item: toKey });
}
