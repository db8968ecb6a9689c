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
      immutable: Type.Boolean({ description: 'Its name holds a hash of its content: browsers keep it.' }),
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
      name: Type.String({ description: 'The file in the project, as routes name it.' }),
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
    description: 'A path with its query, or a whole address: then its host counts too.',
  }),
  method: Type.Optional(Type.String({ pattern: '^[A-Z]{1,16}$', default: 'GET' })),
  headers: Type.Optional(
    Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 4096 }), { maxProperties: 50 }),
  ),
});
export const RouteVerdict = Type.Object(
  {
    kind: OneOf(['file', 'function', 'proxy', 'redirect', 'missing', 'bad_request']),
    route: Nullable(Type.Integer(), { description: 'Place of the rule that decided; null: none did.' }),
    target: Nullable(Type.String(), { description: 'The file, the function, or the address.' }),
    status: Nullable(Type.Integer(), {
      description: 'The status that is set; null: that of what is served.',
    }),
    headers: Type.Record(Type.String(), Type.String()),
    steps: Type.Array(Type.Object({ route: Type.Integer(), source: Type.String(), result: Type.String() }), {
      description: 'The rules that were looked at, with why each did or did not decide.',
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
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'A path or an address.' })),
});
export const ImageCache = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether the deployment serves images.' }),
    deploymentTag: Type.String({ description: 'All images of the deployment are purged by it.' }),
    sourceTag: Nullable(Type.String({ description: 'Those of the source.' })),
    policy: Nullable(Type.Object({}, { additionalProperties: true, description: 'With its defaults.' })),
  },
  { title: 'ImageCache' },
);
export const PurgedImages = Type.Object({ purged: Type.Literal(true), tag: Type.String() });
