import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, OneOf } from '#http/schema.ts';
import { ImportEnvVars, Key, Sensitive, Value } from './schema.ts';

const EnvironmentName = Type.String({
  maxLength: 64,
  description: 'The slug or the id of an environment of the application.',
});
const source = OneOf(['organization', 'application', 'environment']);

export const ApplicationPath = Type.Object({ applicationId: Id });
export const ApplicationEnvVarPath = Type.Object({ applicationId: Id, envVarId: Id });
export const ApplicationVersionPath = Type.Object({
  applicationId: Id,
  envVarId: Id,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const ListApplicationEnvVarsQuery = Type.Interface([CursorQuery], {
  environment: Type.Optional(EnvironmentName),
  scope: Type.Optional(OneOf(['application', 'environment'])),
});

export const CreateApplicationEnvVar = Body({
  key: Key,
  value: Value,
  sensitive: Type.Optional(Sensitive),
  scope: Type.Optional(OneOf(['application', 'environment'])),
  environmentId: Type.Optional(Nullable(Id)),
});

export const ChangeApplicationEnvVar = Type.Object(
  {
    key: Type.Optional(Key),
    value: Type.Optional(Value),
    sensitive: Type.Optional(Sensitive),
    scope: Type.Optional(OneOf(['application', 'environment'])),
    environmentId: Type.Optional(Nullable(Id)),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const EnvironmentQuery = Type.Object({ environment: Type.Optional(EnvironmentName) });

export const PulledEnvVars = Type.Object(
  {
    items: Type.Array(Type.Object({ key: Type.String(), value: Type.String(), source })),
    total: Type.Integer(),
    omittedSensitive: Type.Integer({
      description: 'Number of variables omitted because they are sensitive.',
    }),
  },
  { title: 'PulledEnvVars' },
);

export const ImportApplicationEnvVars = Body({
  ...ImportEnvVars.properties,
  environmentId: Type.Optional(Nullable(Id)),
});

export const CompareQuery = Type.Object({ left: EnvironmentName, right: EnvironmentName });

const Side = Nullable(
  Type.Object({
    value: Nullable(Type.String({ description: 'null when it is sensitive.' })),
    sensitive: Type.Boolean(),
    source,
  }),
);
const Comparison = Type.Object(
  {
    key: Type.String(),
    status: OneOf(['same', 'different', 'only_left', 'only_right', 'secret'], {
      description:
        '`secret`: both environments have it and at least one is sensitive; such values are not compared.',
    }),
    left: Side,
    right: Side,
  },
  { title: 'EnvVarComparison' },
);
export const ComparisonList = ListOf(Comparison);

export const CopyEnvVars = Body({
  from: EnvironmentName,
  to: EnvironmentName,
  keys: Type.Optional(
    Type.Array(Type.String({ maxLength: 1024 }), {
      minItems: 1,
      maxItems: 1000,
      uniqueItems: true,
      description: 'Default: all variables that belong to the environment.',
    }),
  ),
  overwrite: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to overwrite existing variables.' }),
  ),
});
export const CopyResult = Type.Object(
  {
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    skipped: Type.Integer(),
  },
  { title: 'EnvVarCopy' },
);
