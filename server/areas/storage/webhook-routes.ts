import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Once } from '#http/idempotency.ts';
import { rotateWebhookSecret } from './buckets.ts';
import { type DeliveryRow, listDeliveries } from './delivery-store.ts';
import { bucketOf, type RouteDeps, readers, tags, writers } from './requests.ts';
import { bucketGone } from './rules.ts';
import { BucketPath, EnvironmentQuery, WebhookDeliveries, WebhookSecret, WebhookTest } from './schema.ts';
import { findBucket } from './store.ts';
import { keptDeliveries, sendTest, type WebhookDeps } from './webhooks.ts';

const bucketPath = '/applications/:applicationId/storage/buckets/:bucket';

export function webhookRoutes(deps: RouteDeps & WebhookDeps & { once: Once }): FastifyPluginAsyncTypebox {
  const { db, once } = deps;

  return async (app) => {
    app.post(
      `${bucketPath}/webhook-secret`,
      {
        config: { ...writers, once: true },
        schema: {
          operationId: 'rotateStorageWebhookSecret',
          summary: 'Rotate the secret that signs requests to the webhook',
          tags,
          params: BucketPath,
          querystring: EnvironmentQuery,
          response: { 200: WebhookSecret },
        },
      },
      async (request) => {
        const { id } = await bucketOf(deps, request);
        return once(request, async (tx) => ({
          secret: await rotateWebhookSecret(tx, deps, requestSource(request), id),
        }));
      },
    );

    app.post(
      `${bucketPath}/webhook-test`,
      {
        config: { ...writers, errors: [409] },
        schema: {
          operationId: 'testStorageWebhook',
          summary: 'Send a test event to the webhook of a bucket',
          tags,
          params: BucketPath,
          querystring: EnvironmentQuery,
          response: { 200: WebhookTest },
        },
      },
      async (request) => {
        const { id } = await bucketOf(deps, request);
        // The address as it is now, not as it is remembered.
        const bucket = await findBucket(db, id);
        if (!bucket) throw bucketGone();
        const sent = await sendTest(deps, bucket);
        return { ok: sent.error === null, ...sent };
      },
    );

    app.get(
      `${bucketPath}/webhook-deliveries`,
      {
        config: readers,
        schema: {
          operationId: 'listStorageWebhookDeliveries',
          summary: 'List the webhook deliveries of a bucket',
          description: `Newest first, one entry per attempt; the last ${keptDeliveries} are kept.`,
          tags,
          params: BucketPath,
          querystring: EnvironmentQuery,
          response: { 200: WebhookDeliveries },
        },
      },
      async (request) => {
        const { id } = await bucketOf(deps, request);
        const items = (await listDeliveries(db, id, keptDeliveries)).map(toDelivery);
        return { items, total: items.length };
      },
    );
  };
}

function toDelivery(row: DeliveryRow) {
  return {
    ...{ id: row.id, eventId: row.event_id, type: row.type, key: row.key, attempt: row.attempt },
    ...{ ok: row.error === null, status: row.status, error: row.error, latencyMs: row.latency_ms },
    sentAt: new Date(row.sent_at).toISOString(),
  };
}
