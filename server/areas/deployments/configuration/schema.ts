import { type Static, Type } from 'typebox';

/** The configuration file, version 4, as docs/deployments.md lists it. `null` counts as absent everywhere. */

const Absent = Type.Null();
const closed = { additionalProperties: false };

function Optional<T extends Parameters<typeof Type.Union>[0][number]>(schema: T) {
  return Type.Optional(Type.Union([schema, Absent]));
}

const OneOrMany = Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 1000 })]);

const runtimeNames = [
  ...['node-16', 'node-18', 'node-20', 'node-22', 'node-24', 'node-26', 'bun-1'],
  ...['php-81', 'php-82', 'php-83', 'php-84'],
] as const;
export type RuntimeName = (typeof runtimeNames)[number];

export const FunctionSettings = Type.Object({
  memory: Type.Optional(Type.Number({ minimum: 128, maximum: 3009 })),
  max_duration: Type.Optional(Type.Number({ minimum: 1, maximum: 28_800 })),
  runtime: Type.Optional(Type.Enum([...runtimeNames])),
  streaming: Type.Optional(Type.Boolean()),
  schedule: Type.Optional(Type.String({ maxLength: 256 })),
  symlinks: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 256 }), Type.String({ maxLength: 256 }), {
      maxProperties: 100,
    }),
  ),
  includeFiles: Type.Optional(OneOrMany),
  excludeFiles: Type.Optional(OneOrMany),
});
export type FunctionSettings = Static<typeof FunctionSettings>;

const Key = Type.String({ minLength: 1, maxLength: 256 });
const Value = Type.Optional(Type.String({ maxLength: 4096 }));
const Condition = Type.Union([
  Type.Object({ type: Type.Literal('host'), value: Type.String({ maxLength: 4096 }) }, closed),
  Type.Object({ type: Type.Literal('header'), key: Key, value: Value }, closed),
  Type.Object({ type: Type.Literal('cookie'), key: Key, value: Value }, closed),
  Type.Object({ type: Type.Literal('query'), key: Key, value: Value }, closed),
]);

const Route = Type.Object({
  source: Type.String({ minLength: 1 }),
  destination: Type.Optional(Type.String()),
  has: Type.Optional(Type.Array(Condition)),
  missing: Type.Optional(Type.Array(Condition)),
  methods: Type.Optional(Type.Array(Type.String())),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  redirect: Type.Optional(Type.Boolean()),
  statusCode: Type.Optional(Type.Integer()),
});

const Pixels = Type.Integer({ minimum: 1, maximum: 8192 });
const Quality = Type.Integer({ minimum: 1, maximum: 100 });
const ImageType = Type.Enum(['image/avif', 'image/webp', 'image/jpeg', 'image/png']);
const PatternPath = Type.Optional(Type.String({ minLength: 1, maxLength: 2048 }));
const Search = Type.Optional(Type.String({ maxLength: 2048 }));

const Images = Type.Object(
  {
    localPatterns: Type.Optional(
      Type.Array(Type.Object({ pathname: PatternPath, search: Search }, closed), { maxItems: 64 }),
    ),
    remotePatterns: Type.Optional(
      Type.Array(
        Type.Object(
          {
            protocol: Type.Optional(Type.Enum(['http', 'https'])),
            hostname: Type.String({ minLength: 1, maxLength: 253 }),
            port: Type.Optional(Type.String({ pattern: '^[0-9]{0,5}$' })),
            pathname: PatternPath,
            search: Search,
          },
          closed,
        ),
        { maxItems: 64 },
      ),
    ),
    widths: Type.Optional(Type.Array(Pixels, { minItems: 1, maxItems: 64, uniqueItems: true })),
    heights: Type.Optional(Type.Array(Pixels, { maxItems: 64, uniqueItems: true })),
    qualities: Type.Optional(Type.Array(Quality, { minItems: 1, maxItems: 100, uniqueItems: true })),
    formats: Type.Optional(Type.Array(ImageType, { minItems: 1, maxItems: 4, uniqueItems: true })),
    minimumCacheTTL: Type.Optional(Type.Integer({ minimum: 0, maximum: 31_536_000 })),
    dangerouslyAllowSVG: Type.Optional(Type.Boolean()),
    contentSecurityPolicy: Type.Optional(Type.String({ maxLength: 4096 })),
    contentDispositionType: Type.Optional(Type.Enum(['inline', 'attachment'])),
    maximumRedirects: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    maximumResponseBody: Type.Optional(Type.Integer({ minimum: 1024, maximum: 104_857_600 })),
    variants: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' }),
        Type.Object(
          {
            width: Type.Optional(Pixels),
            height: Type.Optional(Pixels),
            quality: Type.Optional(Quality),
            format: Type.Optional(ImageType),
            fit: Type.Optional(Type.Enum(['contain', 'cover', 'fill', 'inside', 'outside'])),
          },
          { ...closed, minProperties: 1 },
        ),
        { maxProperties: 100, additionalProperties: false },
      ),
    ),
  },
  closed,
);

function Bindings(names: readonly string[]) {
  const fields = names.map((name) => [name, Type.Optional(Type.String({ minLength: 1, maxLength: 255 }))]);
  return Type.Optional(Type.Object(Object.fromEntries(fields), closed));
}

const Region = Type.Optional(Type.String({ maxLength: 64 }));
const Services = Type.Object(
  {
    redis: Optional(
      Type.Object(
        {
          envBindings: Bindings(['url', 'host', 'port', 'password', 'db', 'ssl']),
          primaryRegion: Region,
          readRegions: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 32 })),
          eviction: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    postgres: Optional(
      Type.Object(
        {
          envBindings: Bindings(['url', 'host', 'port', 'user', 'password', 'database']),
          postgresVersion: Type.Optional(Type.Enum(['14', '15', '16', '17'])),
          region: Region,
        },
        closed,
      ),
    ),
    storage: Optional(
      Type.Object(
        {
          buckets: Type.Record(
            Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$' }),
            Type.Union([
              Type.Object({ visibility: Type.Optional(Type.Enum(['public', 'private'])) }, closed),
              Absent,
            ]),
            { additionalProperties: false, maxProperties: 100 },
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** Unknown keys at the top, in functions and in routes are warned about; elsewhere they are mistakes. */
export const Configuration = Type.Object({
  version: Type.Literal(4),
  presets: Optional(Type.Array(Type.String({ format: 'uri', maxLength: 2048 }), { maxItems: 16 })),
  assets: Optional(Type.String({ maxLength: 1024 })),
  populateAssetCache: Optional(Type.Boolean()),
  build_commands: Optional(Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 100 })),
  env: Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 255 }), Type.String({ maxLength: 65_536 }), {
      maxProperties: 100,
    }),
  ),
  functions: Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 1024 }), FunctionSettings, { maxProperties: 1000 }),
  ),
  routes: Optional(Type.Array(Route)),
  images: Optional(Images),
  regions: Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64 })),
  services: Optional(Services),
});
export type Configuration = Static<typeof Configuration>;
