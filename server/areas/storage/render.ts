import type { Static } from 'typebox';
import type { Addresses } from './addresses.ts';
import type { ObjectProperties, ObjectVersion, StoredObject, TrashedObject } from './object-schema.ts';
import type { ObjectRow } from './object-store.ts';
import { attributesOf } from './objects.ts';
import { quotaOf, type StorageLimits } from './rules.ts';
import type { Bucket, BucketSettings, CorsRule, LifecycleRule } from './schema.ts';
import type { BucketRow, UsageRow } from './store.ts';
import type { UploadSession } from './upload-schema.ts';
import type { UploadRow } from './upload-store.ts';

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

export function toBucket(row: BucketRow, addresses: Addresses): Static<typeof Bucket> {
  return {
    id: row.id,
    applicationId: row.application_id,
    name: row.name,
    slug: row.slug,
    visibility: row.visibility,
    cdnHostname: addresses.hostnameOf(row),
    environmentId: row.environment_id,
    createdAt: time(row.created_at),
    updatedAt: time(row.updated_at),
  };
}

export function toSettings(
  row: BucketRow,
  usage: UsageRow,
  limits: StorageLimits,
): Static<typeof BucketSettings> {
  return {
    visibility: row.visibility,
    versioning: row.versioning,
    quotaBytes: row.quota_bytes,
    quotaObjects: row.quota_objects,
    cacheControl: row.cache_control,
    cors: JSON.parse(row.cors) as CorsRule[],
    lifecycle: JSON.parse(row.lifecycle) as LifecycleRule[],
    webhookUrl: row.webhook_url,
    usage: {
      objects: usage.live_objects,
      bytes: usage.live_bytes,
      oldVersions: usage.old_objects,
      oldVersionBytes: usage.old_bytes,
      trashedObjects: usage.trash_objects,
      trashedBytes: usage.trash_bytes,
      openUploads: usage.uploads,
    },
    effectiveQuota: quotaOf(row, limits),
  };
}

export function toObject(row: ObjectRow, bucket: BucketRow): Static<typeof StoredObject> {
  return {
    id: row.id,
    bucketId: row.bucket_id,
    applicationId: bucket.application_id,
    uploadSessionId: row.upload_session_id,
    key: row.key,
    contentType: row.content_type,
    contentLength: row.content_length,
    checksumSha1: row.checksum_sha1,
    checksumSha256: row.checksum_sha256,
    checksumMd5: row.checksum_md5,
    uploadedAt: time(row.uploaded_at),
    createdAt: time(row.created_at),
    updatedAt: time(row.updated_at),
  };
}

export function toVersion(row: ObjectRow, bucket: BucketRow): Static<typeof ObjectVersion> {
  const isCurrent = row.state === 'live' || row.state === 'marker';
  return { ...toObject(row, bucket), isCurrent, isDeleteMarker: row.delete_marker === 1 };
}

export function toTrashed(row: ObjectRow, bucket: BucketRow): Static<typeof TrashedObject> {
  return { ...toObject(row, bucket), deletedAt: time(row.deleted_at ?? row.updated_at) };
}

export function toProperties(row: ObjectRow): Static<typeof ObjectProperties> {
  const attributes = attributesOf(row);
  return {
    id: row.id,
    key: row.key,
    etag: row.etag,
    contentType: row.content_type,
    cacheControl: attributes.cacheControl ?? null,
    contentDisposition: attributes.contentDisposition ?? null,
    contentEncoding: attributes.contentEncoding ?? null,
    contentLanguage: attributes.contentLanguage ?? null,
    metadata: attributes.metadata ?? {},
    tags: attributes.tags ?? {},
  };
}

export function toUpload(row: UploadRow, bucket: BucketRow): Static<typeof UploadSession> {
  return {
    id: row.id,
    bucketId: row.bucket_id,
    applicationId: bucket.application_id,
    key: row.key,
    contentType: row.content_type,
    contentLength: row.content_length,
    checksumSha1: row.checksum_sha1,
    checksumSha256: row.checksum_sha256,
    checksumMd5: row.checksum_md5,
    state: row.state,
    expiresAt: time(row.expires_at),
    uploadedAt: row.uploaded_at === null ? null : time(row.uploaded_at),
    createdAt: time(row.created_at),
    updatedAt: time(row.updated_at),
  };
}
