import { Type } from 'typebox';
import { Body, Id, Nullable, OneOf, Time } from '#http/schema.ts';
import { Key, page } from './schema.ts';

/** Upload sessions as the API shows them. */

const Digest = (digits: number) =>
  Type.String({ pattern: `^[0-9a-f]{${digits}}$`, description: 'Lowercase hexadecimal.' });

export const CreateUpload = Body({
  key: Key,
  contentLength: Type.Integer({ minimum: 0, maximum: 2 ** 52 }),
  checksumSha256: Digest(64),
  contentType: Type.Optional(Nullable(Type.String({ maxLength: 256 }))),
  checksumSha1: Type.Optional(Nullable(Digest(40))),
  checksumMd5: Type.Optional(Nullable(Digest(32))),
});

export const UploadSession = Type.Object(
  {
    id: Id,
    bucketId: Id,
    applicationId: Id,
    key: Type.String(),
    contentType: Nullable(Type.String()),
    contentLength: Nullable(Type.Integer()),
    checksumSha1: Nullable(Type.String()),
    checksumSha256: Nullable(Type.String()),
    checksumMd5: Nullable(Type.String()),
    state: OneOf(['pending', 'ready', 'completed', 'failed', 'expired']),
    expiresAt: Time,
    uploadedAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'StorageUploadSession' },
);
export const UploadList = Type.Object({ items: Type.Array(UploadSession), ...page });
export const CreatedUpload = Type.Object(
  {
    session: UploadSession,
    upload: Type.Object({
      method: OneOf(['PATCH']),
      url: Type.String({ description: 'Speaks tus 1.0 and needs no bearer token.' }),
      headers: Type.Record(Type.String(), Type.String()),
      publicObjectUrl: Nullable(Type.String()),
    }),
  },
  { title: 'CreatedStorageUpload' },
);
