import type { FastifyRequest } from 'fastify';
import type { Auth } from '#core/actor.ts';
import { isId } from '#core/ids.ts';
import type { Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import { decodeCursor } from '#http/paging.ts';
import type { Addresses } from './addresses.ts';
import type { Buckets } from './buckets.ts';
import { bucketGone, type StorageDeps, type WriteConditions } from './rules.ts';
import type { BucketRow } from './store.ts';

/** What the routes of storage share. */

const product = 'storage';
export const tags = ['Storage'];
export const readers = {
  scope: 'network:storage:read',
  actors: actorTypes,
  role: 'MEMBER',
  product,
} as const;
export const writers = {
  scope: 'network:storage:write',
  actors: actorTypes,
  role: 'ADMIN',
  product,
} as const;
export const deleters = {
  scope: 'network:storage:delete',
  actors: actorTypes,
  role: 'ADMIN',
  product,
} as const;

/** Which environment a request means: see `Environments` of applications. */
interface EnvironmentResolver {
  resolve(auth: Auth, applicationId: string, wanted?: string): Maybe<{ readonly id: string }>;
}

export interface RouteDeps extends StorageDeps {
  buckets: Buckets;
  environments: EnvironmentResolver;
  addresses: Addresses;
}

interface BucketRequest {
  auth: Auth;
  params: { applicationId: string; bucket: string };
  query: { environment?: string | undefined };
}

/**
 * The bucket that a request names, by its name in the environment or by its id, which no environment is needed for.
 * Throws `Problem('not_found')` for one that the token may not see.
 */
export async function bucketOf(
  { buckets, environments }: RouteDeps,
  { auth, params, query }: BucketRequest,
): Promise<BucketRow> {
  const { applicationId, bucket: wanted } = params;
  const byId = isId(wanted);
  const only = auth.actor.environmentId ?? undefined;
  const needed = byId && query.environment === undefined ? undefined : query.environment;
  const environmentId =
    byId && needed === undefined ? only : (await environments.resolve(auth, applicationId, needed)).id;
  const found = byId ? await buckets.byId(wanted) : await buckets.byName(environmentId ?? '', wanted);
  if (!found || found.application_id !== applicationId) throw bucketGone();
  if (environmentId !== undefined && found.environment_id !== environmentId) throw bucketGone();
  return found;
}

export function noObject(): Problem {
  return new Problem('not_found', 'The bucket has no object with this id.');
}

interface PagingQuery {
  limit?: number | undefined;
  perPage?: number | undefined;
  page?: number | undefined;
  cursor?: string | undefined;
}

/** How much is wanted and from where. `isPlace` refuses cursors of other lists. */
export function readPaging(
  query: PagingQuery,
  isPlace: (text: string) => boolean,
): { limit: number; after: string | undefined } {
  if (query.page !== undefined && query.page > 1 && query.cursor === undefined) {
    const sentence = 'The query parameter "page" can only be 1: ask for further pages with "cursor".';
    throw new Problem('invalid_request', sentence);
  }
  const limit = query.limit ?? query.perPage ?? 100;
  return { limit, after: query.cursor === undefined ? undefined : decodeCursor(query.cursor, isPlace) };
}

/** RFC 9110, 13.1: `"a", W/"b"` or `*`. Weak ones never match a write. */
export function readConditions({ headers }: Pick<FastifyRequest, 'headers'>): WriteConditions {
  const read = (header: string | undefined) => {
    if (header === undefined) return undefined;
    if (header.trim() === '*') return '*' as const;
    const found = [...header.matchAll(/(?:^|,)\s*"([^"]*)"\s*(?=,|$)/g)].map((match) => match[1] as string);
    return found;
  };
  return { ifMatch: read(headers['if-match']), ifNoneMatch: read(headers['if-none-match']) };
}
