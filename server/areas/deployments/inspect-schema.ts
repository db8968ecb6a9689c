import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, OneOf } from '#http/schema.ts';

const Bytes = Type.Integer({ minimum: 0 });

export const FilesQuery = Type.Object({
  query: Type.Optional(Type.String({ maxLength: 256, description: 'Only paths that contain this text.' })),
  ...CursorQuery.properties,
});
export const FileList = ListOf(
  Type.Object(
    {
      id: Id,
      path: Type.String(),
      bytes: Bytes,
      type: Type.String(),
      immutable: Type.Boolean({
        description: 'Whether its name contains a content hash, so that browsers can cache it permanently.',
      }),
      brotliBytes: Nullable(Bytes),
      gzipBytes: Nullable(Bytes),
    },
    { title: 'DeploymentFile' },
  ),
);

export const FunctionList = ListOf(
  Type.Object(
    {
      id: Id,
      name: Type.String({ description: 'Path of the file in the project, as used in routes.' }),
      runtime: Type.String(),
      memoryMegabytes: Type.Number(),
      maxDurationSeconds: Type.Number(),
      schedule: Nullable(Type.String()),
      packageBytes: Nullable(Bytes),
    },
    { title: 'DeploymentFunction' },
  ),
);

export const RouteList = ListOf(
  Type.Object(
    { index: Type.Integer(), source: Type.String(), destination: Nullable(Type.String()) },
    { title: 'DeploymentRoute', additionalProperties: true },
  ),
);

export const RouteTest = Body({
  url: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'A path with query, or a URL, in which case its host is also matched.',
  }),
  method: Type.Optional(Type.String({ pattern: '^[A-Z]{1,16}$', default: 'GET' })),
  headers: Type.Optional(
    Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 4096 }), { maxProperties: 50 }),
  ),
});
export const RouteVerdict = Type.Object(
  {
    kind: OneOf(['file', 'function', 'proxy', 'redirect', 'missing', 'bad_request']),
    route: Nullable(Type.Integer(), { description: 'Index of the rule that matched; null if none did.' }),
    target: Nullable(Type.String(), { description: 'The file, function or URL.' }),
    status: Nullable(Type.Integer(), {
      description: 'Status set by a rule; null to use that of the target.',
    }),
    headers: Type.Record(Type.String(), Type.String()),
    steps: Type.Array(Type.Object({ route: Type.Integer(), source: Type.String(), result: Type.String() }), {
      description: 'The rules that were evaluated, with the reason why each matched or not.',
    }),
  },
  { title: 'RouteVerdict' },
);

export const VariableList = ListOf(
  Type.Object(
    {
      key: Type.String(),
      source: OneOf(['organization', 'application', 'environment', 'configuration', 'platform', 'service']),
      sensitive: Type.Boolean(),
    },
    { title: 'DeploymentVariable' },
  ),
);

export const ImageCacheQuery = Type.Object({
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'A path or a URL.' })),
});
export const ImageCache = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether the deployment serves images.' }),
    deploymentTag: Type.String({ description: 'Tag that purges all images of the deployment.' }),
    sourceTag: Nullable(Type.String({ description: 'Variants of the source.' })),
    policy: Nullable(Type.Object({}, { additionalProperties: true, description: 'With its defaults.' })),
  },
  { title: 'ImageCache' },
);
export const PurgedImages = Type.Object({ purged: Type.Literal(true), tag: Type.String() });
