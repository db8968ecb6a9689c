import type { JsonSchema } from './check.ts';

/** The configuration file, version 4, as JSON Schema (2020-12). The one truth: the server checks with it, and so do editors. */

export const runtimeNames = [
  'node-16',
  'node-18',
  'node-20',
  'node-22',
  'node-24',
  'node-26',
  'bun-1',
  'php-81',
  'php-82',
  'php-83',
  'php-84',
] as const;

const absent: JsonSchema = { type: 'null' };
const orAbsent = (schema: JsonSchema, description?: string): JsonSchema => ({
  anyOf: [schema, absent],
  ...(description === undefined ? {} : { description }),
});
const text = (maxLength: number, minLength = 0): JsonSchema => ({
  type: 'string',
  ...(minLength > 0 ? { minLength } : {}),
  maxLength,
});
const closed = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const oneOrMany: JsonSchema = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 1000 }],
};

const functionSettings: JsonSchema = {
  type: 'object',
  properties: {
    memory: { type: 'number', minimum: 128, maximum: 3009, description: 'Megabytes.', default: 128 },
    max_duration: { type: 'number', minimum: 1, maximum: 28_800, description: 'Seconds.', default: 30 },
    runtime: { enum: runtimeNames },
    streaming: { type: 'boolean', description: 'Whether the answer is sent while it is made.' },
    schedule: { ...text(256), description: 'rate(5 minutes) or cron(0 3 * * ? *), in UTC.' },
    symlinks: {
      type: 'object',
      propertyNames: text(256, 1),
      additionalProperties: text(256),
      maxProperties: 100,
    },
    includeFiles: oneOrMany,
    excludeFiles: oneOrMany,
  },
};

const key = text(256, 1);
const keyed = (type: string): JsonSchema =>
  closed({ type: { const: type }, key, value: text(4096) }, ['type', 'key']);
const conditions: JsonSchema = {
  type: 'array',
  items: {
    anyOf: [
      closed({ type: { const: 'host' }, value: text(4096) }, ['type', 'value']),
      keyed('header'),
      keyed('cookie'),
      keyed('query'),
    ],
  },
};

const route: JsonSchema = {
  type: 'object',
  required: ['source'],
  properties: {
    source: { type: 'string', minLength: 1, description: 'A path; * is $1 in the destination.' },
    destination: {
      type: 'string',
      description: 'A file, a function, or an address of http or https, which is proxied.',
    },
    has: conditions,
    missing: conditions,
    methods: { type: 'array', items: { type: 'string' } },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    redirect: { type: 'boolean' },
    statusCode: { type: 'integer' },
  },
};

const pixels: JsonSchema = { type: 'integer', minimum: 1, maximum: 8192 };
const quality: JsonSchema = { type: 'integer', minimum: 1, maximum: 100 };
const imageType: JsonSchema = { enum: ['image/avif', 'image/webp', 'image/jpeg', 'image/png'] };
const patternPath = text(2048, 1);
const search = text(2048);

const images = closed({
  localPatterns: { type: 'array', items: closed({ pathname: patternPath, search }), maxItems: 64 },
  remotePatterns: {
    type: 'array',
    items: closed(
      {
        protocol: { enum: ['http', 'https'] },
        hostname: text(253, 1),
        port: { type: 'string', pattern: '^[0-9]{0,5}$' },
        pathname: patternPath,
        search,
      },
      ['hostname'],
    ),
    maxItems: 64,
  },
  widths: { type: 'array', items: pixels, minItems: 1, maxItems: 64, uniqueItems: true },
  heights: { type: 'array', items: pixels, maxItems: 64, uniqueItems: true },
  qualities: { type: 'array', items: quality, minItems: 1, maxItems: 100, uniqueItems: true },
  formats: { type: 'array', items: imageType, minItems: 1, maxItems: 4, uniqueItems: true },
  minimumCacheTTL: { type: 'integer', minimum: 0, maximum: 31_536_000, description: 'Seconds.' },
  dangerouslyAllowSVG: { type: 'boolean' },
  contentSecurityPolicy: text(4096),
  contentDispositionType: { enum: ['inline', 'attachment'] },
  maximumRedirects: { type: 'integer', minimum: 0, maximum: 10 },
  maximumResponseBody: { type: 'integer', minimum: 1024, maximum: 104_857_600, description: 'Bytes.' },
  variants: {
    type: 'object',
    propertyNames: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' },
    additionalProperties: {
      ...closed({
        width: pixels,
        height: pixels,
        quality,
        format: imageType,
        fit: { enum: ['contain', 'cover', 'fill', 'inside', 'outside'] },
      }),
      minProperties: 1,
    },
    maxProperties: 100,
  },
});

const bindings = (names: readonly string[]): JsonSchema =>
  closed(Object.fromEntries(names.map((name) => [name, text(255, 1)])));
const region = text(64);

const services = closed({
  redis: orAbsent(
    closed({
      envBindings: bindings(['url', 'host', 'port', 'user', 'password', 'prefix', 'db', 'ssl']),
      primaryRegion: region,
      readRegions: { type: 'array', items: region, maxItems: 32 },
      eviction: { type: 'boolean' },
    }),
  ),
  postgres: orAbsent(
    closed({
      envBindings: bindings(['url', 'host', 'port', 'user', 'password', 'database']),
      postgresVersion: { enum: ['14', '15', '16', '17'] },
      region,
    }),
  ),
  storage: orAbsent(
    closed(
      {
        buckets: {
          type: 'object',
          propertyNames: { type: 'string', pattern: '^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$' },
          additionalProperties: orAbsent(closed({ visibility: { enum: ['public', 'private'] } })),
          maxProperties: 100,
        },
      },
      ['buckets'],
    ),
  ),
});

/** Unknown keys at the top, in functions and in routes are warned about; elsewhere they are mistakes. */
export const configurationSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of a project on Mainstay',
  type: 'object',
  required: ['version'],
  properties: {
    version: { const: 4 },
    presets: orAbsent(
      { type: 'array', items: { ...text(2048), format: 'uri' }, maxItems: 16 },
      'Taken, and not applied.',
    ),
    assets: orAbsent(text(1024), 'The folder that is served as it is.'),
    populateAssetCache: orAbsent({ type: 'boolean' }),
    build_commands: orAbsent(
      { type: 'array', items: text(4096, 1), maxItems: 100 },
      'Run in order, instead of the framework’s own.',
    ),
    env: orAbsent(
      {
        type: 'object',
        propertyNames: text(255, 1),
        additionalProperties: text(65_536),
        maxProperties: 100,
      },
      'For the build and for the functions; variables of the environment win.',
    ),
    functions: orAbsent(
      {
        type: 'object',
        propertyNames: text(1024, 1),
        additionalProperties: functionSettings,
        maxProperties: 1000,
      },
      'Files, globs or expressions, each with its settings; later ones override earlier ones.',
    ),
    routes: orAbsent({ type: 'array', items: route }, 'Tried in order.'),
    images: orAbsent(images),
    regions: orAbsent({ type: 'array', items: text(64), maxItems: 64 }),
    services: orAbsent(services),
  },
} as const satisfies JsonSchema & { $schema: string; title: string };
