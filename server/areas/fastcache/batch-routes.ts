import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { CacheEntry, CacheOperation, CacheOutcome } from '#core/cache.ts';
import { Problem } from '#core/problem.ts';
import type { Scope } from '#core/scopes.ts';
import { missingScope } from '#http/access.ts';
import { statusOf } from '#http/errors.ts';
import { onceOf } from '#http/idempotency.ts';
import { etagOf, readPrecondition } from './etags.ts';
import { applicationOf, bodyLimitFor, checkKey, toIncrement, toSet } from './input.ts';
import { expiresAtText, failed, missing } from './render.ts';
import { common, type Deps, tags } from './routes.ts';
import { BatchAnswer, BatchBody, type BatchOperation } from './schema.ts';

/** What each operation would need on its own; the route itself asks for the first. */
const scopeOf: Record<BatchOperation['op'], Scope> = {
  get: 'fastcache:read',
  set: 'fastcache:write',
  increment: 'fastcache:write',
  delete: 'fastcache:delete',
};

/** Values together, whatever each may be alone: a batch is held in memory while it is read. */
const largestBatchValues = 4;

/** A hundred operations of up to seven fields, and as much again for blunders that deserve their own sentence. */
const largestBatchItems = 4_000;

export function cacheBatchRoutes({ cache, clock, hits, maxValueBytes }: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/fastcache/batch',
      {
        bodyLimit: largestBatchValues * bodyLimitFor(maxValueBytes),
        config: {
          errors: [507],
          ...common,
          scope: 'fastcache:read',
          once: true,
          jsonItems: largestBatchItems,
        },
        schema: {
          operationId: 'batchCacheOperations',
          summary: 'Run up to 100 cache operations',
          description:
            'Operations run in order and in isolation; a failed operation does not stop the others. Writing and deleting also require the scopes `fastcache:write` and `fastcache:delete`. A malformed operation rejects the whole batch.',
          tags,
          body: BatchBody,
          response: { 200: BatchAnswer },
        },
      },
      async (request) => {
        const given = request.body.operations;
        demandScopes(request, given);
        const applicationId = applicationOf(request);
        const now = clock.now();
        const operations = given.map((operation, at) => toOperation(operation, at, now, maxValueBytes));
        const outcomes = await cache.run(applicationId, operations, onceOf(request, now));
        const results = outcomes.map((outcome, at) => {
          const operation = operations[at] as CacheOperation;
          if (operation.op === 'get') hits.note(applicationId, 'item' in outcome && outcome.item !== null);
          return toResult(operation, outcome);
        });
        return { results };
      },
    );
  };
}

function demandScopes({ auth }: FastifyRequest, operations: readonly BatchOperation[]): void {
  for (const { op } of operations) if (!auth.scopes.has(scopeOf[op])) throw missingScope(scopeOf[op]);
}

/** A refusal says which of the operations is meant. */
function toOperation(
  operation: BatchOperation,
  at: number,
  now: number,
  maxValueBytes: number,
): CacheOperation {
  try {
    switch (operation.op) {
      case 'get':
        checkKey(operation.key, 'The field "key"');
        return { op: 'get', key: operation.key };
      case 'set':
        return { ...toSet(operation, now, maxValueBytes), condition: conditionOf(operation) };
      case 'delete':
        checkKey(operation.key, 'The field "key"');
        return { op: 'delete', key: operation.key, condition: conditionOf(operation) };
      case 'increment':
        return toIncrement(operation, now);
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.kind, `Operation ${at}: ${error.message}`);
  }
}

function conditionOf({ ifMatch, ifNoneMatch }: { ifMatch?: string; ifNoneMatch?: string }) {
  return readPrecondition(ifMatch, ifNoneMatch);
}

function toResult(operation: CacheOperation, outcome: CacheOutcome) {
  if ('failure' in outcome) return refusal(failed(outcome.failure));
  if ('item' in outcome) {
    const { item } = outcome;
    if (!item || operation.op === 'tally') return refusal(missing());
    return described(200, operation.key, JSON.parse(item.json.toString('utf8')) as string, item);
  }
  if (operation.op !== 'set' || !outcome.entry) return { status: 204 };
  return described(201, operation.key, JSON.parse(operation.json) as string, outcome.entry);
}

function described(status: number, key: string, value: string, entry: CacheEntry) {
  const { expiration, byteSize, version, expiresAt } = entry;
  const item = { key, value, expiration, byteSize };
  return { status, item, etag: etagOf(version), expiresAt: expiresAtText(expiresAt) };
}

function refusal(problem: Problem) {
  return { status: statusOf(problem), error: problem.message };
}
