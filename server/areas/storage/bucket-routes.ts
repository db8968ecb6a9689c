import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { Problem } from '#core/problem.ts';
import type { Once } from '#http/idempotency.ts';
import { readPage, toPage } from '#http/paging.ts';
import { changeBucket, createBucket, deleteBucket } from './buckets.ts';
import { checkHeaderText } from './content-type.ts';
import { checkBucketName } from './names.ts';
import { toBucket, toSettings } from './render.ts';
import { bucketOf, deleters, type RouteDeps, readers, tags, writers } from './requests.ts';
import { bucketGone, bucketQueue } from './rules.ts';
import {
  ApplicationPath,
  Bucket,
  BucketList,
  BucketPath,
  BucketSettings,
  ChangeBucket,
  CreateBucket,
  DeleteBucketQuery,
  EnvironmentQuery,
  PageQuery,
  UsageList,
  UsageQuery,
} from './schema.ts';
import { countBuckets, findBucket, findUsage, listBuckets, listDays } from './store.ts';

const buckets = '/applications/:applicationId/storage/buckets';

export function bucketRoutes(deps: RouteDeps & { once: Once }): FastifyPluginAsyncTypebox {
  const { db, clock, once, environments, addresses, limits } = deps;

  return async (app) => {
    app.get(
      buckets,
      {
        config: readers,
        schema: {
          operationId: 'listStorageBuckets',
          summary: 'List buckets',
          tags,
          params: ApplicationPath,
          querystring: PageQuery,
          response: { 200: BucketList },
        },
      },
      async ({ auth, params, query }) => {
        const { applicationId } = params;
        const bound = query.environment !== undefined || auth.actor.environmentId !== null;
        const environment = bound
          ? await environments.resolve(auth, applicationId, query.environment)
          : undefined;
        const of = { applicationId, environmentId: environment?.id };
        const { limit, after } = readPage(query);
        const rows = await listBuckets(db, of, {
          limit: limit === undefined ? undefined : limit + 1,
          after,
        });
        const total = limit === undefined ? rows.length : await countBuckets(db, of);
        return toPage(rows, {
          ...{ limit, total, sortKey: (row) => row.id },
          item: (row) => toBucket(row, addresses),
        });
      },
    );

    app.post(
      buckets,
      {
        config: { ...writers, once: true },
        schema: {
          operationId: 'createStorageBucket',
          summary: 'Create a bucket',
          tags,
          params: ApplicationPath,
          body: CreateBucket,
          response: { 200: Bucket },
        },
      },
      async (request) => {
        const { auth, organizationId, params, body } = request;
        const { applicationId } = params;
        const { name, visibility = 'private' } = body;
        checkBucketName(name);
        const wanted = body.environment ?? body.environmentId;
        const environment = await environments.resolve(auth, applicationId, wanted);
        if (body.environment !== undefined && body.environmentId !== undefined) {
          const other = await environments.resolve(auth, applicationId, body.environmentId);
          if (other.id !== environment.id) {
            const sentence =
              'The fields "environment" and "environmentId" name two environments: send one of them.';
            throw new Problem('invalid_request', sentence);
          }
        }
        const environmentId = environment.id;
        const bucket = { organizationId, applicationId, environmentId, name, visibility };
        // In a queue: names are unique in the environment, and in the whole instance.
        return once(
          request,
          async (tx) => toBucket(await createBucket(tx, deps, requestSource(request), bucket), addresses),
          { queue: 'storage-bucket-names' },
        );
      },
    );

    app.get(
      `${buckets}/:bucket`,
      {
        config: readers,
        schema: {
          operationId: 'getStorageBucket',
          summary: 'Get a bucket',
          tags,
          params: BucketPath,
          querystring: EnvironmentQuery,
          response: { 200: Bucket },
        },
      },
      async (request) => toBucket(await bucketOf(deps, request), addresses),
    );

    app.delete(
      `${buckets}/:bucket`,
      {
        config: deleters,
        schema: {
          operationId: 'deleteStorageBucket',
          summary: 'Delete a bucket with all its objects',
          tags,
          params: BucketPath,
          querystring: DeleteBucketQuery,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const { id } = await bucketOf(deps, request);
        const { onlyIfEmpty = false } = request.query;
        await db.write(
          (tx) => deleteBucket(tx, deps, requestSource(request), id, { onlyIfEmpty }),
          bucketQueue(id),
        );
        return reply.code(204).send(null);
      },
    );

    app.get(
      `${buckets}/:bucket/settings`,
      {
        config: readers,
        schema: {
          operationId: 'getStorageBucketSettings',
          summary: 'Get the settings of a bucket and what it holds',
          tags,
          params: BucketPath,
          querystring: EnvironmentQuery,
          response: { 200: BucketSettings },
        },
      },
      async (request) => {
        const { id } = await bucketOf(deps, request);
        const [bucket, usage] = await Promise.all([findBucket(db, id), findUsage(db, id)]);
        if (!bucket || !usage) throw bucketGone();
        return toSettings(bucket, usage, limits);
      },
    );

    app.patch(
      `${buckets}/:bucket/settings`,
      {
        config: writers,
        schema: {
          operationId: 'updateStorageBucketSettings',
          summary: 'Update the settings of a bucket',
          tags,
          params: BucketPath,
          querystring: EnvironmentQuery,
          body: ChangeBucket,
          response: { 200: BucketSettings },
        },
      },
      async (request) => {
        const { id } = await bucketOf(deps, request);
        const { body } = request;
        if (body.cacheControl) checkHeaderText(body.cacheControl, 'cacheControl');
        if (body.webhookUrl) checkWebhookUrl(body.webhookUrl);
        return db.write(async (tx) => {
          const changed = await changeBucket(tx, deps, requestSource(request), id, body);
          const usage = await findUsage(tx, id);
          if (!usage) throw bucketGone();
          return toSettings(changed, usage, limits);
        });
      },
    );

    app.get(
      `${buckets}/:bucket/usage`,
      {
        config: readers,
        schema: {
          operationId: 'listStorageBucketUsage',
          summary: 'List the daily usage of a bucket',
          tags,
          params: BucketPath,
          querystring: UsageQuery,
          response: { 200: UsageList },
        },
      },
      async (request) => {
        const { id } = await bucketOf(deps, request);
        const day = (time: number) => new Date(time).toISOString().slice(0, 10);
        const { from = day(clock.now() - 30 * 86_400_000), to = day(clock.now()) } = request.query;
        const rows = await listDays(db, id, from, to);
        const items = rows.map(({ day: on, bytes, objects, requests, bytes_in, bytes_out }) => ({
          ...{ day: on, bytes, objects, requests, bytesIn: bytes_in, bytesOut: bytes_out },
        }));
        return { items, total: items.length };
      },
    );
  };
}

function checkWebhookUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash) return;
  throw new Problem(
    'invalid_request',
    'The field "webhookUrl" must be an http or https address without user and fragment.',
  );
}
