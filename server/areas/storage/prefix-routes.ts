import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { Problem } from '#core/problem.ts';
import { encodeCursor } from '#http/paging.ts';
import { auditBucket } from './buckets.ts';
import { trashPrefix } from './deletion.ts';
import { checkPrefix } from './names.ts';
import { DeletedCount, DeletePrefixQuery } from './object-schema.ts';
import { bucketOf, deleters, type RouteDeps, readPaging, tags } from './requests.ts';
import { BucketPath } from './schema.ts';

/** What one request moves: a caller with more of them shows how far it is between two. */
const maxAtOnce = 1000;

export function prefixRoutes(deps: RouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.delete(
      '/applications/:applicationId/storage/buckets/:bucket/objects',
      {
        config: deleters,
        schema: {
          operationId: 'deleteStorageObjectsByPrefix',
          summary: 'Move all objects whose keys have a prefix to the trash',
          description:
            `Moves up to ${maxAtOnce} objects; repeat the request with \`cursor\` while the response has a \`nextCursor\`. ` +
            'Objects under retention or a legal hold are not moved.',
          tags,
          params: BucketPath,
          querystring: DeletePrefixQuery,
          response: { 200: DeletedCount },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const { prefix, limit = maxAtOnce } = request.query;
        checkPrefix(prefix, 'prefix');
        const { after } = readPaging(request.query, (text) => text.startsWith(prefix));
        if (prefix === '') {
          const sentence =
            'The query parameter "prefix" must not be empty. To delete everything, delete the bucket.';
          throw new Problem('invalid_request', sentence);
        }
        const { deleted, kept, last } = await trashPrefix(
          deps,
          bucket,
          { prefix, after, limit },
          (tx, objects) =>
            auditBucket(tx, requestSource(request), bucket, 'objects_deleted', { prefix, objects }),
        );
        return {
          deletedCount: deleted,
          keptCount: kept,
          ...(last === undefined ? {} : { nextCursor: encodeCursor(last) }),
        };
      },
    );
  };
}
