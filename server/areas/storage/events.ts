import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { insertEvent, lastEventOf } from './event-store.ts';
import type { ObjectRow } from './object-store.ts';
import type { StorageDeps } from './rules.ts';
import type { BucketRow } from './store.ts';

export type ObjectEvent = 'object.created' | 'object.deleted';

/** Notes what happened for the bucket's webhook, in the transaction of the change: it is told if and only if it is so. */
export async function emit(
  tx: Tx,
  { clock }: StorageDeps,
  bucket: BucketRow,
  type: ObjectEvent,
  object: ObjectRow,
): Promise<void> {
  if (bucket.webhook_url === null) return;
  const now = clock.now();
  const own = newId(now);
  // Events of a key are sent in the order of their ids, whatever the clocks of the nodes that noted them say.
  const last = await lastEventOf(tx, bucket.id, object.key);
  const id = last !== undefined && last >= own ? idAfter(last) : own;
  const body = JSON.stringify({
    id,
    type,
    createdAt: new Date(now).toISOString(),
    bucket: { id: bucket.id, name: bucket.name, applicationId: bucket.application_id },
    object: {
      id: object.id,
      key: object.key,
      contentType: object.content_type,
      contentLength: object.content_length,
      etag: object.etag,
    },
  });
  await insertEvent(tx, {
    ...{ id, bucket_id: bucket.id, key: object.key, body, attempts: 0, due_at: now, created_at: now },
  });
}

function idAfter(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
