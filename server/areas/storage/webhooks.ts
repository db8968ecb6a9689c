import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Logger } from 'pino';
import { Outgoing } from '#core/outgoing.ts';
import { claimEvent, dueEvents, type EventRow, postponeEvent, removeEvent } from './event-store.ts';
import type { StorageDeps } from './rules.ts';
import { findBucket } from './store.ts';

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
  const { db, clock, contents, log } = deps;
  const claimed = await db.write((tx) => claimEvent(tx, event, clock.now() + claimMilliseconds));
  if (!claimed) return;
  const bucket = await findBucket(db, event.bucket_id);
  let taken = !bucket?.webhook_url;
  if (bucket?.webhook_url) {
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
    try {
      const status = await post(deps.outgoing, new URL(bucket.webhook_url), headers, event.body);
      taken = status >= 200 && status < 300;
    } catch (err) {
      log.debug({ err, bucketId: bucket.id }, 'A webhook of a bucket could not be reached.');
    }
  }
  const attempts = event.attempts + 1;
  await db.write(async (tx) => {
    if (taken || attempts >= maxAttempts) {
      await removeEvent(tx, event.id);
      return;
    }
    const pause = Math.min(5000 * 2 ** attempts, longestPause);
    await postponeEvent(tx, event.id, clock.now() + pause);
  });
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
