import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { encodeCursor } from '#http/paging.ts';
import { auditBucket } from './buckets.ts';
import { contentOf } from './copies.ts';
import { purgeObject } from './deletion.ts';
import { cappedTotal, countVersions, listVersions } from './list-store.ts';
import { checkKey } from './names.ts';
import { StoredObject, VersionList, VersionsQuery } from './object-schema.ts';
import { findObject, type ObjectRow } from './object-store.ts';
import { attributesOf, putObject } from './objects.ts';
import { toObject, toVersion } from './render.ts';
import { bucketOf, deleters, type RouteDeps, readers, readPaging, tags, writers } from './requests.ts';
import { bucketQueue } from './rules.ts';
import { BucketPath, EnvironmentQuery, VersionPath } from './schema.ts';

const versions = '/applications/:applicationId/storage/buckets/:bucket/versions';

/** What a key of a versioned bucket held before. */
export function versionRoutes(deps: RouteDeps): FastifyPluginAsyncTypebox {
  const { db } = deps;

  /** A version that is not in the trash, which has routes of its own. */
  function demandVersion(row: ObjectRow | undefined): ObjectRow {
    if (row && row.state !== 'trash') return row;
    throw new Problem('not_found', 'The bucket has no version with this id.');
  }

  return async (app) => {
    app.get(
      versions,
      {
        config: readers,
        schema: {
          operationId: 'listStorageObjectVersions',
          summary: 'List the versions of a key, newest first',
          description: 'Includes delete markers. Deleted objects in the trash are listed separately.',
          tags,
          params: BucketPath,
          querystring: VersionsQuery,
          response: { 200: VersionList },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const { key } = request.query;
        checkKey(key);
        const { limit, after } = readPaging(request.query, isId);
        const [rows, counted] = await Promise.all([
          listVersions(db, bucket.id, key, { before: after, limit: limit + 1 }),
          countVersions(db, bucket.id, key),
        ]);
        const kept = rows.slice(0, limit);
        const last = kept.at(-1);
        return {
          items: kept.map((row) => toVersion(row, bucket)),
          ...cappedTotal(counted),
          ...(rows.length > limit && last ? { nextCursor: encodeCursor(last.id) } : {}),
        };
      },
    );

    app.post(
      `${versions}/:versionId/restore`,
      {
        config: { ...writers, errors: [409] },
        schema: {
          operationId: 'restoreStorageObjectVersion',
          summary: 'Restore an old version of an object',
          description: 'Its content becomes a new current version. Existing versions are kept.',
          tags,
          params: VersionPath,
          querystring: EnvironmentQuery,
          response: { 200: StoredObject },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const restored = await db.write(async (tx) => {
          const row = demandVersion(await findObject(tx, bucket.id, request.params.versionId));
          if (row.delete_marker) {
            const sentence =
              'A delete marker has no content. Delete the marker to have the version before it.';
            throw new Problem('conflict', sentence);
          }
          if (row.state === 'live') return row;
          return putObject(tx, deps, bucket, {
            key: row.key,
            content: await contentOf(tx, deps, bucket, row),
            contentType: row.content_type,
            attributes: attributesOf(row),
          });
        }, bucketQueue(bucket.id));
        return toObject(restored, bucket);
      },
    );

    app.delete(
      `${versions}/:versionId`,
      {
        config: deleters,
        schema: {
          operationId: 'deleteStorageObjectVersion',
          summary: 'Permanently delete a version of an object',
          description: 'If it was the current version, the previous version becomes current.',
          tags,
          params: VersionPath,
          querystring: EnvironmentQuery,
          response: { 204: { type: 'null', description: 'Permanently deleted.' } },
        },
      },
      async (request, reply) => {
        const bucket = await bucketOf(deps, request);
        await db.write(async (tx) => {
          const row = demandVersion(await findObject(tx, bucket.id, request.params.versionId));
          await purgeObject(tx, deps, bucket, row);
          const details = { objectId: row.id, key: row.key };
          await auditBucket(tx, requestSource(request), bucket, 'object_purged', details);
        }, bucketQueue(bucket.id));
        return reply.code(204).send(null);
      },
    );
  };
}
