import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig } from 'fastify';
import { pino } from 'pino';
import { olderPaging } from '#http/paging.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../platform/config.ts';
import { openPlatform } from '../platform/platform.ts';
import { version } from '../platform/version.ts';
import { failures, type Schema } from './failures.ts';
import { finish } from './finish.ts';

/** `npm run openapi`: writes openapi.json from the schemas of the routes. */

const about = `The API of a Mainstay instance.

Exchange an API key at \`POST /oauth2/token\` for a bearer token of five minutes and send it as
\`Authorization: Bearer <token>\`. Every operation names the scope that the token needs and the actors that may call it.
Errors are \`{"error": "<what is wrong and how to fix it>"}\`.`;

/** What has a default may be left out of a request: the validator fills it in. */
function withoutDefaults(schema: unknown): unknown {
  const { required, properties } = schema as { required?: string[]; properties?: Record<string, Schema> };
  if (!required || !properties) return schema;
  return { ...Object(schema), required: required.filter((name) => !('default' in (properties[name] ?? {}))) };
}

/** Lists that take a cursor take these as well (`registerPaging`). */
function withOlderPaging(schema: unknown): unknown {
  const { properties } = schema as { properties?: object };
  if (!properties || !('cursor' in properties)) return schema;
  return { ...Object(schema), properties: { ...properties, ...olderPaging } };
}

const idempotencyHeaders = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description:
        'A unique key for this request, 1 to 255 visible ASCII characters. If it is sent again within a day, the operation is not repeated and the first response is returned.',
    },
  },
};

/** Browsers on the pages of the instance send their session instead of a token. */
function securityOf({ public: isPublic, session }: FastifyContextConfig): object[] {
  if (!isPublic) return [{ bearer: [] }, { session: [] }];
  return session ? [{ session: [] }, {}] : [];
}

function describeOperation(method: string, schema: Schema, config: FastifyContextConfig): Schema {
  const { scope, actors, role, forms, once } = config;
  const needs = scope
    ? [`Scope \`${scope}\`.`, `Actors: ${actors?.join(', ')}.`]
    : [schema['security'] ? '' : 'No bearer token.'];
  if (role) needs.push(`Users need the role ${role} or above in the organization.`);
  const description = [schema['description'], needs.join(' ').trim()].filter(Boolean).join('\n\n');
  const forBody = forms
    ? ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
    : undefined;
  return {
    ...schema,
    ...(schema['querystring']
      ? { querystring: withOlderPaging(withoutDefaults(schema['querystring'])) }
      : {}),
    ...(schema['body'] ? { body: withoutDefaults(schema['body']) } : {}),
    description,
    ...(once ? { headers: idempotencyHeaders } : {}),
    ...(forBody ? { consumes: forBody } : {}),
    // A public route that names its own authenticates by itself.
    security: schema['security'] ?? securityOf(config),
    ...(scope ? { 'x-scope': scope, 'x-actors': actors } : {}),
    response: { ...(schema['response'] as Schema), ...failures(method, schema, config) },
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

/** Schemas with a title become components, so that readers and generated clients see each once and by name. */
function nameComponents(document: Schema): Schema {
  const named: Schema = {};
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (node === null || typeof node !== 'object') return node;
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
    const { title, description, ...rest } = copy;
    if (typeof title !== 'string' || !('type' in copy || 'anyOf' in copy)) return copy;
    named[title] = rest;
    return { $ref: `#/components/schemas/${title}` };
  };
  // By path, whatever the order in which areas are opened.
  const paths = Object.fromEntries(Object.entries(visit(document['paths']) as Schema).sort(byName));
  const components = {
    ...(document['components'] as Schema),
    schemas: Object.fromEntries(Object.entries(named).sort(byName)),
  };
  return { ...document, paths, components };
}

const options: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Mainstay',
      version,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This instance' }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'mainstay.session',
          description:
            'The session of a browser on the pages of the instance, which sends `X-Mainstay-Session: 1` with it. Under ' +
            'https the cookie is called `__Host-mainstay.session`.',
        },
      },
    },
  },
  transform: ({ schema, url, route }) => {
    const shown = schema as Schema | undefined;
    if (!shown?.['operationId'] || route.method === 'HEAD') return { schema: { hide: true } as object, url };
    return {
      schema: describeOperation(
        String(route.method),
        shown,
        (route.config ?? {}) as FastifyContextConfig,
      ) as object,
      url,
    };
  },
  transformObject: (documents) =>
    finish(nameComponents(('openapiObject' in documents ? documents.openapiObject : {}) as Schema)) as never,
};

/** The description of the API. Opens an instance in a temporary folder to ask it. */
export async function describeApi(): Promise<object> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-openapi-'));
  const config = readConfig({ MAINSTAY_DATA_DIR: folder, MAINSTAY_METRICS: 'false' });
  try {
    await using platform = await openPlatform(config, pino({ level: 'silent' }));
    const { app } = await buildApp(platform, { plugin: (server) => server.register(swagger, options) });
    await app.ready();
    const description = app.swagger();
    await app.close();
    return description;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function openApiText(description: object): string {
  return `${JSON.stringify(description, null, 2)}\n`;
}

if (import.meta.main) {
  await writeFile(new URL('../../openapi.json', import.meta.url), openApiText(await describeApi()));
}
