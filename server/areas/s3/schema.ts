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
  accessKeyId: Type.String({ description: 'Names the credential; it is no secret.' }),
  environmentId: Id,
  access: OneOf(accesses),
  bucket: Nullable(
    Type.Object({ id: Id, name: Nullable(Type.String(), { description: 'null: the bucket is deleted.' }) }),
    { description: 'null: every bucket of the environment.' },
  ),
  prefix: Nullable(Type.String(), { description: 'Keys that it reaches; null: all.' }),
  expiresAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
  createdAt: Time,
};

/** What a client has to be told beside the two keys. */
const connection = {
  endpoint: Type.String({ description: 'With the base path `/s3`.' }),
  rootEndpoint: Nullable(Type.String(), {
    description:
      'Without a base path, for clients that cannot take one; null: the operator has not published it.',
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
      description: "Slug or id. Absent: that of the token's deployment, else the application's default one.",
    }),
  ),
  access: Type.Optional(
    OneOf(accesses, { description: '`readwrite` when absent; it also needs the scope that deletes.' }),
  ),
  bucket: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Name or id of the only bucket that it reaches.',
    }),
  ),
  prefix: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Only keys that begin with it are reached.' }),
  ),
  expiresAt: Type.Optional(Nullable(Time)),
});
