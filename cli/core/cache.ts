import type { CachedItem, Client } from '@mainstay/sdk';
import { applicationId } from './choose.ts';
import type { Context } from './context.ts';
import { claimsOf } from './session.ts';

/** The cache of an application: by its own key as its code sees it, otherwise as an admin. */
export interface AppCache {
  get(key: string): Promise<CachedItem | undefined>;
  set(
    body: { key: string; value: string; expiration?: number },
    conditions?: { ifMatch?: string; ifNoneMatch?: string },
  ): Promise<unknown>;
  delete(key: string): Promise<{ deletedCount: number }>;
  deleteByPrefix(prefix: string): Promise<{ deletedCount: number }>;
  keys(query: {
    prefix?: string;
    limit?: number;
  }): AsyncIterable<{ key: string; expiresAt: string | null; byteSize: number }>;
  /** Undefined where only the application itself can. */
  increment: ((key: string, by: number) => Promise<{ value: string }>) | undefined;
}

export async function openCache(context: Context, app: string | undefined): Promise<AppCache> {
  const client = await context.client();
  const { tokens } = await context.connection();
  const { actor_type: actor } = claimsOf(await tokens());
  const isItself = actor === 'application' || actor === 'deployment' || actor === 'function';
  return isItself && app === undefined
    ? ofItself(client)
    : ofAdmin(client, await applicationId(context, app));
}

function ofItself({ fastcache }: Client): AppCache {
  return {
    get: (key) => fastcache.get(key),
    set: (body, conditions) => fastcache.set(body, conditions),
    delete: (key) => fastcache.delete(key),
    deleteByPrefix: (prefix) => fastcache.deleteByPrefix(prefix),
    keys: (query) => fastcache.keys(query),
    increment: (key, by) => fastcache.increment({ key, by }),
  };
}

function ofAdmin({ applicationCache }: Client, app: string): AppCache {
  return {
    get: (key) => applicationCache.get(app, key),
    set: (body, conditions) => applicationCache.set(app, body, conditions),
    delete: (key) => applicationCache.delete(app, key),
    deleteByPrefix: (prefix) => applicationCache.deleteByPrefix(app, prefix),
    keys: (query) => applicationCache.keys(app, query),
    increment: undefined,
  };
}
