import { Type } from 'typebox';
import { Body, Id, Nullable, OneOf, Time } from '#http/schema.ts';
import { BucketName, EnvironmentParameter, Key, page, paging } from './schema.ts';

/** Objects as the API shows them: what a key holds, its versions, what is in the trash. */

const objectFields = {
  id: Id,
  bucketId: Id,
  applicationId: Id,
  uploadSessionId: Nullable(Id),
  key: Type.String(),
  contentType: Nullable(Type.String()),
  contentLength: Type.Integer(),
  checksumSha1: Nullable(Type.String()),
  checksumSha256: Nullable(Type.String()),
  checksumMd5: Nullable(Type.String()),
  uploadedAt: Time,
  createdAt: Time,
  updatedAt: Time,
};
export const StoredObject = Type.Object(objectFields, { title: 'StorageObject' });
export const TrashedObject = Type.Object(
  { ...objectFields, deletedAt: Time },
  { title: 'TrashedStorageObject' },
);

export const ListObjectsQuery = Type.Object({
  environment: EnvironmentParameter,
  ...paging,
  prefix: Type.Optional(Type.String({ description: 'Only keys with this prefix.' })),
  delimiter: Type.Optional(
    Type.String({
      maxLength: 16,
      description: 'Keys that contain it after the prefix are grouped. Default "/"; empty lists every key.',
    }),
  ),
});
export const ObjectList = Type.Object({
  items: Type.Array(StoredObject),
  ...page,
  commonPrefixes: Type.Array(Type.String()),
});

export const TrashQuery = Type.Object({
  environment: EnvironmentParameter,
  ...paging,
  prefix: Type.Optional(Type.String()),
});
export const TrashList = Type.Object({ items: Type.Array(TrashedObject), ...page });
export const PurgedCount = Type.Object({ purgedCount: Type.Integer() }, { title: 'PurgedCount' });

export const VersionsQuery = Type.Object({
  environment: EnvironmentParameter,
  ...paging,
  key: Key,
});
export const ObjectVersion = Type.Object(
  {
    ...objectFields,
    isCurrent: Type.Boolean({
      description: 'Whether it is the current version or delete marker of the key.',
    }),
    isDeleteMarker: Type.Boolean({ description: 'Whether it is a delete marker, which has no content.' }),
  },
  { title: 'StorageObjectVersion' },
);
export const VersionList = Type.Object({ items: Type.Array(ObjectVersion), ...page });

const Metadata = Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 2048 }), {
  maxProperties: 64,
});
const Tags = Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 256 }), {
  maxProperties: 10,
});
const HeaderText = Nullable(Type.String({ maxLength: 1024 }));

export const ObjectProperties = Type.Object(
  {
    id: Id,
    key: Type.String(),
    etag: Type.String({ description: 'Without quotes.' }),
    contentType: Nullable(Type.String()),
    cacheControl: HeaderText,
    contentDisposition: HeaderText,
    contentEncoding: HeaderText,
    contentLanguage: HeaderText,
    metadata: Metadata,
    tags: Tags,
  },
  { title: 'StorageObjectProperties' },
);

export const ChangeProperties = Type.Object(
  {
    contentType: Type.Optional(Nullable(Type.String({ maxLength: 256 }))),
    cacheControl: Type.Optional(HeaderText),
    contentDisposition: Type.Optional(HeaderText),
    contentEncoding: Type.Optional(HeaderText),
    contentLanguage: Type.Optional(HeaderText),
    metadata: Type.Optional(Metadata),
    tags: Type.Optional(Tags),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const DeletePrefixQuery = Type.Object({
  environment: EnvironmentParameter,
  prefix: Type.String({
    maxLength: 4096,
    description: 'Must not be empty. End it with a slash for a folder.',
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
  cursor: paging.cursor,
});
export const DeletedCount = Type.Object(
  {
    deletedCount: Type.Integer(),
    keptCount: Type.Integer({ description: 'Under retention or a legal hold.' }),
    nextCursor: page.nextCursor,
  },
  { title: 'StorageDeletedCount' },
);

export const PutObjectQuery = Type.Object({ environment: EnvironmentParameter, key: Key });
export const CopyObject = Body({
  key: Key,
  bucket: Type.Optional(BucketName),
});
export const MoveObject = Body({ key: Key });

export const AccessUrlQuery = Type.Object({
  environment: EnvironmentParameter,
  expiresInSeconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 86_400, description: 'Default: 3600.' }),
  ),
  download: Type.Optional(
    Type.Boolean({ description: 'Whether browsers download the object instead of displaying it.' }),
  ),
  width: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 4096,
      description: 'Maximum size of an image, which is scaled down.',
    }),
  ),
  height: Type.Optional(Type.Integer({ minimum: 1, maximum: 4096 })),
  fit: Type.Optional(OneOf(['cover', 'contain', 'inside'])),
  format: Type.Optional(OneOf(['webp', 'avif', 'jpeg', 'png'])),
  quality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export const AccessUrl = Type.Object(
  {
    accessType: OneOf(['public', 'signed']),
    url: Type.String(),
    expiresAt: Nullable(Time),
  },
  { title: 'StorageAccessUrl' },
);
