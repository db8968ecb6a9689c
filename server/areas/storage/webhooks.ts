import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Logger } from 'pino';
import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Outgoing } from '#core/outgoing.ts';
import { Problem } from '#core/problem.ts';
import { insertDelivery } from './delivery-store.ts';
import { claimEvent, dueEvents, type EventRow, postponeEvent, removeEvent } from './event-store.ts';
import type { StorageDeps } from './rules.ts';
import { type BucketRow, findBucket } from './store.ts';

/**
 * Tells webhooks of buckets what happened: at least once, in order for each key, signed as Standard Webhooks says
 * (https://www.standardwebhooks.com). What an endpoint does not take is sent again for about three days.
 */

const atOnce = 8;
const timeoutMilliseconds = 10_000;
/** Longer than a request may take: nobody else sends the event meanwhile. */
const claimMilliseconds = 30_000;
const maxAttempts = 20;
const longestPause = 6 * 3_600_000;
/** Of a bucket, for those who look why nothing arrives. */
export const keptDeliveries = 100;
const maxErrorCharacters = 300;

export interface WebhookDeps extends StorageDeps {
  log: Logger;
  outgoing: Outgoing;
}

/** Sends what is due. Returns how many were sent, taken or not. */
export async function sendEvents(deps: WebhookDeps): Promise<number> {
  const due = await dueEvents(deps.db, deps.clock.now(), 100);
  const waiting = [...due];
  const worker = async () => {
    for (let event = waiting.shift(); event; event = waiting.shift()) await sendEvent(deps, event);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, due.length) }, worker));
  return due.length;
}

async function sendEvent(deps: WebhookDeps, event: EventRow): Promise<void> {
  const { db, clock } = deps;
  const claimed = await db.write((tx) => claimEvent(tx, event, clock.now() + claimMilliseconds));
  if (!claimed) return;
  const bucket = await findBucket(db, event.bucket_id);
  const sent = bucket?.webhook_url ? await send(deps, bucket, event) : undefined;
  const attempts = event.attempts + 1;
  await db.write(async (tx) => {
    if (bucket && sent) {
      const { type } = JSON.parse(event.body) as { type: string };
      await note(tx, deps, bucket, sent, { id: event.id, type, key: event.key, attempts });
    }
    if (!sent || sent.error === null || attempts >= maxAttempts) {
      await removeEvent(tx, event.id);
      return;
    }
    const pause = Math.min(5000 * 2 ** attempts, longestPause);
    await postponeEvent(tx, event.id, clock.now() + pause);
  });
}

/** What became of a request to a webhook. */
export interface Sent {
  /** Null: the endpoint did not answer. */
  status: number | null;
  /** Null: it took the event. */
  error: string | null;
  latencyMs: number;
}

async function send(
  { clock, contents, log, outgoing }: WebhookDeps,
  bucket: BucketRow,
  event: { id: string; body: string },
): Promise<Sent> {
  const timestamp = String(Math.floor(clock.now() / 1000));
  const signed = `${event.id}.${timestamp}.${event.body}`;
  const signature =
    bucket.webhook_secret &&
    createHmac('sha256', contents.openWebhookSecret(bucket)).update(signed).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    ...(signature ? { 'webhook-signature': `v1,${signature}` } : {}),
  };
  const start = performance.now();
  const latencyMs = () => Math.round(performance.now() - start);
  try {
    const status = await post(outgoing, new URL(bucket.webhook_url ?? ''), headers, event.body);
    const isTaken = status >= 200 && status < 300;
    return {
      status,
      error: isTaken ? null : `The endpoint responded with ${status}.`,
      latencyMs: latencyMs(),
    };
  } catch (err) {
    log.debug({ err, bucketId: bucket.id }, 'A webhook of a bucket could not be reached.');
    const reason = (err as Error).message.slice(0, maxErrorCharacters);
    return { status: null, error: `The endpoint did not respond: ${reason}`, latencyMs: latencyMs() };
  }
}

function note(
  tx: Tx,
  { clock }: WebhookDeps,
  bucket: BucketRow,
  { status, error, latencyMs }: Sent,
  event: { id: string; type: string; key: string | null; attempts: number },
): Promise<void> {
  const now = clock.now();
  const row = {
    ...{ id: newId(now), bucket_id: bucket.id, event_id: event.id, type: event.type, key: event.key },
    ...{ attempt: event.attempts, status, error, latency_ms: latencyMs, sent_at: now },
  };
  return insertDelivery(tx, row, keptDeliveries);
}

/** Sends an event that nothing happened for, so that somebody sees whether it arrives. */
export async function sendTest(deps: WebhookDeps, bucket: BucketRow): Promise<Sent> {
  if (bucket.webhook_url === null)
    throw new Problem('conflict', 'The bucket has no webhook. Set "webhookUrl" in its settings first.');
  const now = deps.clock.now();
  const id = newId(now);
  const body = JSON.stringify({
    ...{ id, type: 'test', createdAt: new Date(now).toISOString() },
    bucket: { id: bucket.id, name: bucket.name, applicationId: bucket.application_id },
  });
  const sent = await send(deps, bucket, { id, body });
  await deps.db.write((tx) => note(tx, deps, bucket, sent, { id, type: 'test', key: null, attempts: 1 }));
  return sent;
}

/** The status of the answer, whose body nobody reads. No redirect is followed. */
async function post(
  outgoing: Outgoing,
  url: URL,
  headers: Record<string, string>,
  body: string,
): Promise<number> {
  const lookup = Outgoing.pinned(await outgoing.addressesOf(url.hostname));
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const length = String(Buffer.byteLength(body));
  const options = { method: 'POST', lookup, signal, headers: { ...headers, 'content-length': length } };
  const request = send(url, options, (response) => {
    resolve(response.statusCode ?? 0);
    response.destroy();
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}
