import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

export const EnvVar = Type.Object(
  {
    id: Id,
    key: Type.String(),
    value: Nullable(Type.String({ description: 'null when the variable is sensitive.' })),
    sensitive: Type.Boolean(),
    scope: OneOf(['organization', 'application', 'environment']),
    environmentId: Nullable(Id),
    environmentName: Nullable(Type.String()),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'EnvVar' },
);
export const EnvVarList = ListOf(EnvVar);

export const Key = Type.String({
  maxLength: 1024,
  description: '1 to 255 characters, no "=", no control characters.',
});
export const Value = Type.String({ description: 'At most 64 KiB of UTF-8.' });
export const Sensitive = Type.Boolean({ description: 'Never shown again by any response.' });
const Scope = Type.Unsafe<'organization'>({ type: 'string', enum: ['organization'] });

export const CreateEnvVar = Body({
  key: Key,
  value: Value,
  sensitive: Type.Optional(Sensitive),
  scope: Type.Optional(Scope),
});

export const ChangeEnvVar = Type.Object(
  {
    key: Type.Optional(Key),
    value: Type.Optional(Value),
    sensitive: Type.Optional(Sensitive),
    scope: Type.Optional(Scope),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const ListEnvVarsQuery = Type.Interface([CursorQuery], {
  resolve: Type.Boolean({
    default: false,
    description: 'Replace references to other variables in values.',
  }),
});

export const EnvVarPath = Type.Object({ organizationId: Id, envVarId: Id });
export const VersionPath = Type.Object({
  organizationId: Id,
  envVarId: Id,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const EnvVarVersion = Type.Object(
  {
    version: Type.Integer(),
    key: Type.String(),
    value: Nullable(
      Type.String({ description: 'null if the variable is sensitive, or was at that version.' }),
    ),
    sensitive: Type.Boolean(),
    actor: Type.Object({ type: Type.String(), id: Nullable(Type.String()) }),
    createdAt: Time,
  },
  { title: 'EnvVarVersion' },
);
export const VersionList = ListOf(EnvVarVersion);

export const ImportEnvVars = Body({
  content: Type.String({ maxLength: 1_000_000, description: 'Variables in dotenv syntax.' }),
  sensitive: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether new ones become sensitive.' }),
  ),
  overwrite: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'When false, a key that exists is a conflict and nothing is imported.',
    }),
  ),
});

export const ImportResult = Type.Object(
  { created: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer() },
  { title: 'EnvVarImport' },
);

export const ResolvedList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        key: Type.String(),
        value: Nullable(
          Type.String({ description: 'null if it is sensitive or references a sensitive variable.' }),
        ),
        source: OneOf(['organization', 'application', 'environment']),
        sensitive: Type.Boolean(),
      }),
    ),
    total: Type.Integer(),
    omittedSensitive: Type.Integer({ description: 'Number of values omitted.' }),
  },
  { title: 'ResolvedEnvVars' },
);
