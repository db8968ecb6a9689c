import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { encodeCursor } from '#http/paging.ts';
import { auditBucket } from './buckets.ts';
import { purgeObject, restoreObject } from './deletion.ts';
import { cappedTotal, countTrash, listTrash } from './list-store.ts';
import { checkPrefix } from './names.ts';
import { PurgedCount, StoredObject, TrashList, TrashQuery } from './object-schema.ts';
import { findObject } from './object-store.ts';
import { lockOf } from './objects.ts';
import { toObject, toTrashed } from './render.ts';
import { bucketOf, deleters, type RouteDeps, readers, readPaging, tags, writers } from './requests.ts';
import { bucketQueue } from './rules.ts';
import { BucketPath, EnvironmentQuery, ObjectPath } from './schema.ts';

const trash = '/applications/:applicationId/storage/buckets/:bucket/trash';
/** Of one transaction: others write between. */
const purgedAtOnce = 200;

export function trashRoutes(deps: RouteDeps): FastifyPluginAsyncTypebox {
  const { db } = deps;
  const notInTrash = () => new Problem('not_found', 'The trash has no object with this id.');

  return async (app) => {
    app.get(
      trash,
      {
        config: readers,
        schema: {
          operationId: 'listStorageTrash',
          summary: 'List deleted objects that can be restored',
          tags,
          params: BucketPath,
          querystring: TrashQuery,
          response: { 200: TrashList },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const { prefix = '' } = request.query;
        checkPrefix(prefix, 'prefix');
        const { limit, after } = readPaging(request.query, (text) => isId(text.slice(0, 36)));
        const place = after === undefined ? undefined : { id: after.slice(0, 36), key: after.slice(36) };
        const [rows, counted] = await Promise.all([
          listTrash(db, bucket.id, { prefix, after: place, limit: limit + 1 }),
          countTrash(db, bucket.id, prefix),
        ]);
        const kept = rows.slice(0, limit);
        const last = kept.at(-1);
        const more = rows.length > limit && last !== undefined;
        return {
          items: kept.map((row) => toTrashed(row, bucket)),
          ...cappedTotal(counted),
          ...(more ? { nextCursor: encodeCursor(`${last.id}${last.key}`) } : {}),
        };
      },
    );

    app.post(
      `${trash}/:objectId/restore`,
      {
        config: writers,
        schema: {
          operationId: 'restoreStorageObject',
          summary: 'Restore a deleted object',
          tags,
          params: ObjectPath,
          querystring: EnvironmentQuery,
          response: { 200: StoredObject },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const restored = await db.write(async (tx) => {
          const row = await findObject(tx, bucket.id, request.params.objectId);
          if (row?.state !== 'trash') throw notInTrash();
          return restoreObject(tx, deps, bucket, row);
        }, bucketQueue(bucket.id));
        return toObject(restored, bucket);
      },
    );

    app.delete(
      `${trash}/:objectId`,
      {
        config: deleters,
        schema: {
          operationId: 'purgeStorageObject',
          summary: 'Permanently delete an object from the trash',
          tags,
          params: ObjectPath,
          querystring: EnvironmentQuery,
          response: { 204: { type: 'null', description: 'Permanently deleted.' } },
        },
      },
      async (request, reply) => {
        const bucket = await bucketOf(deps, request);
        await db.write(async (tx) => {
          const row = await findObject(tx, bucket.id, request.params.objectId);
          if (row?.state !== 'trash') throw notInTrash();
          await purgeObject(tx, deps, bucket, row);
          await auditBucket(tx, requestSource(request), bucket, 'object_purged', {
            objectId: row.id,
            key: row.key,
          });
        }, bucketQueue(bucket.id));
        return reply.code(204).send(null);
      },
    );

    app.delete(
      trash,
      {
        config: deleters,
        schema: {
          operationId: 'emptyStorageTrash',
          summary: 'Empty the trash',
          tags,
          params: BucketPath,
          querystring: EnvironmentQuery,
          response: { 200: PurgedCount },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        let purgedCount = 0;
        let after: { key: string; id: string } | undefined;
        for (let last = false; !last; ) {
          const purged = await db.write(async (tx) => {
            const rows = await listTrash(tx, bucket.id, { prefix: '', after, limit: purgedAtOnce });
            const now = deps.clock.now();
            const free = rows.filter((row) => lockOf(row, now) === undefined);
            for (const row of free) await purgeObject(tx, deps, bucket, row);
            if (free.length > 0)
              await auditBucket(tx, requestSource(request), bucket, 'trash_emptied', {
                objects: free.length,
              });
            return { count: free.length, end: rows.at(-1), found: rows.length };
          }, bucketQueue(bucket.id));
          purgedCount += purged.count;
          after = purged.end;
          last = purged.found < purgedAtOnce;
        }
        return { purgedCount };
      },
    );
  };
}
