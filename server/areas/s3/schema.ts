import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, DisplayName, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

export const ApplicationPath = Type.Object({ applicationId: Id });
export const CredentialPath = Type.Object({ applicationId: Id, credentialId: Id });
export const CredentialQuery = CursorQuery;

const accesses = ['read', 'readwrite'] as const;

const credentialFields = {
  id: Id,
  applicationId: Id,
  name: Type.String(),
  accessKeyId: Type.String({ description: 'Identifies the credential. It is not secret.' }),
  environmentId: Id,
  access: OneOf(accesses),
  bucket: Nullable(
    Type.Object({
      id: Id,
      name: Nullable(Type.String(), { description: 'null if the bucket was deleted.' }),
    }),
    { description: 'null for all buckets of the environment.' },
  ),
  prefix: Nullable(Type.String(), { description: 'Prefix of the keys that it can access; null for all.' }),
  expiresAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
  createdAt: Time,
};

/** What a client has to be told beside the two keys. */
const connection = {
  endpoint: Type.String({ description: 'With the base path `/s3`.' }),
  rootEndpoint: Nullable(Type.String(), {
    description:
      'Endpoint without a base path, for clients that do not support one; null if the operator has not published it.',
  }),
  region: Type.String(),
};

export const S3Credential = Type.Object({ ...credentialFields, ...connection }, { title: 'S3Credential' });
export const NewS3Credential = Type.Object(
  {
    ...credentialFields,
    ...connection,
    secretAccessKey: Type.String({ description: 'Shown once.' }),
  },
  { title: 'NewS3Credential' },
);
export const S3CredentialList = ListOf(S3Credential);

export const CreateS3Credential = Body({
  name: Type.Optional(DisplayName),
  environment: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        "Slug or id. Default: the environment of the token's deployment, or the default environment of the application.",
    }),
  ),
  access: Type.Optional(
    OneOf(accesses, { description: 'Default `readwrite`, which also requires the scope to delete.' }),
  ),
  bucket: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Name or id of a bucket to limit access to.',
    }),
  ),
  prefix: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Limits access to keys with this prefix.' }),
  ),
  expiresAt: Type.Optional(Nullable(Time)),
});
