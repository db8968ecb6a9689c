import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import type { Once } from '#http/idempotency.ts';
import { encodeCursor } from '#http/paging.ts';
import { checkContentType } from './content-type.ts';
import { cappedTotal, countedUpTo } from './list-store.ts';
import { checkKey } from './names.ts';
import { toUpload } from './render.ts';
import { bucketOf, type RouteDeps, readers, readPaging, tags, writers } from './requests.ts';
import { bucketQueue } from './rules.ts';
import { BucketPath, EnvironmentQuery, PageQuery, UploadPath } from './schema.ts';
import { CreatedUpload, CreateUpload, UploadList, UploadSession } from './upload-schema.ts';
import { countUploads, findUpload, listUploads, type UploadRow } from './upload-store.ts';
import { completeUpload, createUpload, isOpen, terminateUpload } from './uploads.ts';

const uploads = '/applications/:applicationId/storage/buckets/:bucket/uploads';

export function uploadRoutes(deps: RouteDeps & { once: Once }): FastifyPluginAsyncTypebox {
  const { db, clock, once, addresses } = deps;
  const noUpload = () => new Problem('not_found', 'The bucket has no upload session with this id.');

  /** A session whose time is over looks so before a sweeper has been there. */
  const shown = (row: UploadRow): UploadRow =>
    isOpen(row) && row.expires_at <= clock.now() ? { ...row, state: 'expired' } : row;

  return async (app) => {
    app.get(
      uploads,
      {
        config: readers,
        schema: {
          operationId: 'listStorageUploads',
          summary: 'List upload sessions, newest first',
          tags,
          params: BucketPath,
          querystring: PageQuery,
          response: { 200: UploadList },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const { limit, after } = readPaging(request.query, isId);
        const [rows, counted] = await Promise.all([
          listUploads(db, bucket.id, { limit: limit + 1, before: after }),
          countUploads(db, bucket.id, countedUpTo + 1),
        ]);
        const kept = rows.slice(0, limit);
        const last = kept.at(-1);
        return {
          items: kept.map((row) => toUpload(shown(row), bucket)),
          ...cappedTotal(counted),
          ...(rows.length > limit && last ? { nextCursor: encodeCursor(last.id) } : {}),
        };
      },
    );

    app.post(
      uploads,
      {
        config: { ...writers, once: true },
        schema: {
          operationId: 'createStorageUpload',
          summary: 'Create an upload session',
          tags,
          params: BucketPath,
          querystring: EnvironmentQuery,
          body: CreateUpload,
          response: { 200: CreatedUpload },
        },
      },
      async (request) => {
        const { key, contentLength, contentType = null } = request.body;
        checkKey(key);
        checkContentType(contentType);
        const { checksumSha256: sha256, checksumSha1: sha1 = null, checksumMd5: md5 = null } = request.body;
        const bucket = await bucketOf(deps, request);
        const wanted = { key, contentLength, contentType, sha256, sha1, md5 };
        return once(
          request,
          async (tx) => {
            const row = await createUpload(tx, deps, bucket, wanted);
            const isPublic = bucket.visibility === 'public';
            return {
              session: toUpload(row, bucket),
              upload: {
                method: 'PATCH' as const,
                url: addresses.uploadUrl(row.id),
                headers: { 'Tus-Resumable': '1.0.0' },
                publicObjectUrl: isPublic ? addresses.publicUrl(bucket, key) : null,
              },
            };
          },
          bucketQueue(bucket.id),
        );
      },
    );

    app.get(
      `${uploads}/:uploadId`,
      {
        config: readers,
        schema: {
          operationId: 'getStorageUpload',
          summary: 'Get an upload session',
          tags,
          params: UploadPath,
          querystring: EnvironmentQuery,
          response: { 200: UploadSession },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const row = await findUpload(db, request.params.uploadId);
        if (row?.bucket_id !== bucket.id || row.kind !== 'tus') throw noUpload();
        // Every byte is here, and the process that took the last one is gone.
        const isWhole = isOpen(row) && row.received === row.content_length;
        return toUpload(shown(isWhole ? await completeUpload(deps, bucket, row) : row), bucket);
      },
    );

    app.delete(
      `${uploads}/:uploadId`,
      {
        config: writers,
        schema: {
          operationId: 'cancelStorageUpload',
          summary: 'Cancel an upload session',
          tags,
          params: UploadPath,
          querystring: EnvironmentQuery,
          response: { 204: { type: 'null', description: 'Canceled, or already ended.' } },
        },
      },
      async (request, reply) => {
        const bucket = await bucketOf(deps, request);
        const row = await findUpload(db, request.params.uploadId);
        if (row?.bucket_id !== bucket.id || row.kind !== 'tus') throw noUpload();
        await terminateUpload(deps, row);
        return reply.code(204).send(null);
      },
    );
  };
}
