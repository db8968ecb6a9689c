import { type Static, Type } from 'typebox';
import { actorTypes, scopes } from '#core/scopes.ts';
import { CursorQuery } from '#http/paging.ts';
import { Body, DisplayName, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const ScopeName = OneOf(scopes);

const SecretInfo = Type.Object({ id: Id, createdAt: Time });

const keyFields = {
  id: Type.String({ format: 'uuid', description: 'The client id of the token endpoint.' }),
  name: Type.String(),
  applicationId: Nullable(Id),
  organizationId: Nullable(Id),
  environmentId: Nullable(Id),
  scopes: Type.Array(Type.String()),
  allowedAddresses: Type.Array(Type.String()),
  secrets: Type.Array(SecretInfo, {
    description: 'The active secrets; two during a rotation. The secret values are not included.',
  }),
  expiresAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
  createdAt: Time,
  updatedAt: Time,
};

export const ApiKey = Type.Object(keyFields, { title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

const Secret = Type.String({ description: 'Shown once; it cannot be retrieved again.' });
export const CreatedApiKey = Type.Object({ ...keyFields, secret: Secret }, { title: 'CreatedApiKey' });
export const CreatedSecret = Type.Object(
  { id: Id, secret: Secret, createdAt: Time },
  { title: 'CreatedSecret' },
);
export const ApiKeyList = ListOf(ApiKey);

export const CreateApiKey = Body({
  name: DisplayName,
  applicationId: Type.Optional(Nullable(Id)),
  organizationId: Type.Optional(Nullable(Id)),
  environmentId: Type.Optional(Nullable(Id)),
  scopes: Type.Optional(
    Type.Array(ScopeName, {
      minItems: 1,
      maxItems: scopes.length,
      uniqueItems: true,
      description:
        "A subset of the caller's scopes. Default: the read-only scopes that the key's actor can have.",
    }),
  ),
  expiresAt: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'Default: 90 days from now. null: never, which requires a fresh session or a key that never expires.',
    }),
  ),
  allowedAddresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      uniqueItems: true,
      description:
        'IP addresses and CIDR blocks that the key and its tokens can be used from. Default: those of the key that creates it, or any address.',
    }),
  ),
});
export type CreateApiKey = Static<typeof CreateApiKey>;

export const ListApiKeysQuery = Type.Interface([CursorQuery], {
  applicationId: Type.Optional(Id),
  organizationId: Type.Optional(Id),
});

export const ApiKeyPath = Type.Object({ apiKeyId: Id });
export const SecretPath = Type.Object({ apiKeyId: Id, secretId: Id });

const ScopeInfo = Type.Object(
  {
    scope: Type.String(),
    area: Type.String({ description: 'Category, such as `Key-value cache`.' }),
    text: Type.String({ description: 'Description of the permission.' }),
    actors: Type.Array(OneOf(['user', 'organization', 'application']), {
      description: 'Types of keys that can have it.',
    }),
    usableBy: Type.Array(OneOf(actorTypes), {
      description:
        'Actors that can use it. Organization keys can have some scopes only to grant them to application keys.',
    }),
    readOnly: Type.Boolean({
      description: 'Whether it is read-only. A key created without `scopes` gets all read-only scopes.',
    }),
    product: Nullable(
      Type.String({ description: 'The product that every operation with this scope belongs to.' }),
    ),
  },
  { title: 'ScopeInfo' },
);
export const ScopeList = ListOf(ScopeInfo);
