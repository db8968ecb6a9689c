import { type Static, Type } from 'typebox';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

export const EnvironmentParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description:
      "Slug or id. Default: the environment of the token's deployment, or the default environment of the application.",
  }),
);
export const EnvironmentQuery = Type.Object({ environment: EnvironmentParameter });

export const BucketName = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Name or id of the bucket.',
});
export const ApplicationPath = Type.Object({ applicationId: Id });
export const BucketPath = Type.Object({ applicationId: Id, bucket: BucketName });
export const ObjectPath = Type.Object({ applicationId: Id, bucket: BucketName, objectId: Id });

export const VersionPath = Type.Object({ applicationId: Id, bucket: BucketName, versionId: Id });
export const UploadPath = Type.Object({ applicationId: Id, bucket: BucketName, uploadId: Id });

const visibilities = ['public', 'private'] as const;

export const Bucket = Type.Object(
  {
    id: Id,
    applicationId: Id,
    name: Type.String(),
    slug: Type.String({ description: 'The name over S3 and in addresses; unique in the instance.' }),
    visibility: OneOf(visibilities),
    cdnHostname: Type.String({ description: 'Host that serves the objects of a public bucket.' }),
    environmentId: Id,
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'StorageBucket' },
);
export const BucketList = ListOf(Bucket);

export const TotalsQuery = Type.Object({ applicationId: Type.Optional(Id) });
export const Totals = Type.Object(
  { buckets: Type.Integer(), objects: Type.Integer(), bytes: Type.Integer() },
  { title: 'StorageTotals' },
);

const Limit1000 = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 100.' }));
const PerPage = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Same as `limit`.' }));
const Cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 4096, description: 'The `nextCursor` of the previous page.' }),
);
const PageNumber = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Only 1; for other pages send `cursor`.' }),
);
export const paging = { limit: Limit1000, perPage: PerPage, cursor: Cursor, page: PageNumber };

export const PageQuery = Type.Object({ environment: EnvironmentParameter, ...paging });
export type PageQuery = Static<typeof PageQuery>;

const TotalCapped = Type.Optional(
  Type.Boolean({ description: 'Whether there are more than `total`, which is counted up to 10 000.' }),
);
const NextCursor = Type.Optional(
  Type.String({ description: 'Cursor of the next page, if there are more items.' }),
);
export const page = { total: Type.Integer(), totalCapped: TotalCapped, nextCursor: NextCursor };

export const Key = Type.String({ maxLength: 4096, description: '1 to 1024 bytes of UTF-8.' });

export const CreateBucket = Body({
  name: Type.String({ maxLength: 256, description: '3 to 63 lowercase letters, digits and inner hyphens.' }),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Slug or id.' })),
  environmentId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  visibility: Type.Optional(OneOf(visibilities)),
  slug: Type.Optional(Type.String({ maxLength: 256, description: 'Ignored; the server chooses the id.' })),
});

export const DeleteBucketQuery = Type.Object({
  environment: EnvironmentParameter,
  onlyIfEmpty: Type.Optional(
    Type.Boolean({ description: 'Reject the request if the bucket contains objects or trash.' }),
  ),
});

const Origins = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 50 });
const HeaderNames = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 });
export const CorsRule = Type.Object(
  {
    allowedOrigins: Origins,
    allowedMethods: Type.Array(OneOf(['GET', 'HEAD', 'PUT', 'POST', 'DELETE']), { minItems: 1, maxItems: 5 }),
    allowedHeaders: Type.Optional(HeaderNames),
    exposeHeaders: Type.Optional(HeaderNames),
    maxAgeSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  },
  { additionalProperties: false, title: 'StorageCorsRule' },
);
export type CorsRule = Static<typeof CorsRule>;

const Days = Type.Integer({ minimum: 1, maximum: 36_500 });
export const LifecycleRule = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 255 })),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    prefix: Type.Optional(Type.String({ maxLength: 1024 })),
    expireAfterDays: Type.Optional(Days),
    tags: Type.Optional(
      Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 256 }), {
        maxProperties: 10,
        description: 'Only objects that have all of these tags.',
      }),
    ),
    largerThan: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only objects larger than this, in bytes.' }),
    ),
    smallerThan: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Only objects smaller than this, in bytes.' }),
    ),
    expireAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Date from which all matching objects expire.' }),
    ),
    removeExpiredMarkers: Type.Optional(
      Type.Boolean({ description: 'Remove delete markers that have no versions.' }),
    ),
    expireOldVersionsAfterDays: Type.Optional(Days),
    keepOldVersions: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    abortUploadsAfterDays: Type.Optional(Days),
  },
  { additionalProperties: false, title: 'StorageLifecycleRule' },
);
export type LifecycleRule = Static<typeof LifecycleRule>;

export const BucketSettings = Type.Object(
  {
    visibility: OneOf(visibilities),
    versioning: OneOf(['off', 'enabled', 'suspended']),
    quotaBytes: Nullable(Type.Integer({ description: 'null: the limit of the instance.' })),
    quotaObjects: Nullable(Type.Integer()),
    cacheControl: Nullable(Type.String({ description: 'Sent with objects that have none of their own.' })),
    cors: Type.Array(CorsRule),
    lifecycle: Type.Array(LifecycleRule),
    webhookUrl: Nullable(Type.String()),
    usage: Type.Object({
      objects: Type.Integer(),
      bytes: Type.Integer(),
      oldVersions: Type.Integer(),
      oldVersionBytes: Type.Integer(),
      trashedObjects: Type.Integer(),
      trashedBytes: Type.Integer(),
      openUploads: Type.Integer(),
    }),
    effectiveQuota: Type.Object({ bytes: Type.Integer(), objects: Type.Integer() }),
  },
  { title: 'StorageBucketSettings' },
);

export const ChangeBucket = Type.Object(
  {
    visibility: Type.Optional(OneOf(visibilities)),
    versioning: Type.Optional(OneOf(['enabled', 'suspended'])),
    quotaBytes: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2 ** 52 }))),
    quotaObjects: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }))),
    cacheControl: Type.Optional(Nullable(Type.String({ maxLength: 256 }))),
    cors: Type.Optional(Type.Array(CorsRule, { maxItems: 100 })),
    lifecycle: Type.Optional(Type.Array(LifecycleRule, { maxItems: 100 })),
    webhookUrl: Type.Optional(Nullable(Type.String({ maxLength: 2048 }))),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const WebhookSecret = Type.Object(
  { secret: Type.String({ description: 'Shown once. Signs every request to the webhook.' }) },
  { title: 'StorageWebhookSecret' },
);

const outcome = {
  ok: Type.Boolean(),
  status: Nullable(Type.Integer({ description: 'null if the endpoint did not respond.' })),
  error: Nullable(Type.String()),
  latencyMs: Type.Integer(),
};
export const WebhookTest = Type.Object(outcome, { title: 'StorageWebhookTest' });
export const WebhookDeliveries = ListOf(
  Type.Object(
    {
      id: Id,
      eventId: Id,
      type: Type.String({ description: 'object.created, object.deleted or test.' }),
      key: Nullable(Type.String()),
      attempt: Type.Integer({ description: 'Counts from 1.' }),
      ...outcome,
      sentAt: Time,
    },
    { title: 'StorageWebhookDelivery' },
  ),
);

export const UsageQuery = Type.Object({
  environment: EnvironmentParameter,
  from: Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Day, UTC. Default: 30 days ago.' }),
  ),
  to: Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Day, UTC. Default: today.' }),
  ),
});
export const UsageList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        day: Type.String(),
        bytes: Type.Integer(),
        objects: Type.Integer(),
        requests: Type.Integer(),
        bytesIn: Type.Integer(),
        bytesOut: Type.Integer(),
      }),
    ),
    total: Type.Integer(),
  },
  { title: 'StorageUsage' },
);
