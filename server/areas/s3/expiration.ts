import {
  attributesOf,
  type BucketRow,
  fitsLifecycle,
  type LifecycleRule,
  type ObjectRow,
} from '#areas/storage/service.ts';
import type { Call, ResponseHeaders } from './call.ts';

const parsed = new WeakMap<BucketRow, LifecycleRule[]>();

/** `x-amz-expiration`: when a lifecycle rule will delete the object, and which. */
export function expirationHeader({ deps }: Call, bucket: BucketRow, row: ObjectRow): ResponseHeaders {
  if (bucket.lifecycle === '[]' || row.state !== 'live') return {};
  let rules = parsed.get(bucket);
  if (!rules) {
    rules = JSON.parse(bucket.lifecycle) as LifecycleRule[];
    parsed.set(bucket, rules);
  }
  let first: { at: number; id: string } | undefined;
  for (const rule of rules) {
    const at = dueAt(rule, row.uploaded_at, deps.dayMilliseconds);
    if (rule.enabled === false || at === undefined || (first && first.at <= at)) continue;
    if (fitsLifecycle(rule, { key: row.key, size: row.content_length, tags: attributesOf(row).tags ?? {} }))
      first = { at, id: rule.id ?? '' };
  }
  if (!first) return {};
  const id = encodeURIComponent(first.id);
  return { 'x-amz-expiration': `expiry-date="${new Date(first.at).toUTCString()}", rule-id="${id}"` };
}

/** Days end at midnight, UTC. */
function dueAt(rule: LifecycleRule, from: number, day: number): number | undefined {
  if (rule.expireAt !== undefined) return Date.parse(rule.expireAt);
  if (rule.expireAfterDays === undefined) return undefined;
  const at = from + rule.expireAfterDays * day;
  return Math.ceil(at / 86_400_000) * 86_400_000;
}
