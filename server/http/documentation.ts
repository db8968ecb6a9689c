import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyPluginAsync } from 'fastify';
import fastify from 'fastify';

/** Only what this server itself serves: the page works on a machine without a network, and tells nobody about its readers. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mainstay API</title>
</head>
<body>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

/** `/openapi.json` as committed, and a readable reference of it at `/docs` (Scalar). */
export function documentationRoutes(): FastifyPluginAsync {
  return async (app) => {
    const file = new URL('../../openapi.json', import.meta.url);
    const config = { public: true } as const;

    app.get('/openapi.json', { config }, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300').header('access-control-allow-origin', '*');
      // Not kept: it is large, and rarely asked for.
      return reply.type('application/json; charset=utf-8').send(await readFile(file, 'utf8'));
    });

    app.get('/docs', { config }, async (_request, reply) => {
      reply.header('content-security-policy', pagePolicy).header('cache-control', 'public, max-age=300');
      return reply.type('text/html; charset=utf-8').send(page);
    });

    app.get('/docs/start.js', { config }, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return reply.type('text/javascript; charset=utf-8').send(start);
    });

    let script: Promise<Buffer> | undefined;
    app.get('/docs/scalar.js', { config }, async (_request, reply) => {
      script ??= scalarScript();
      reply.header('cache-control', 'public, max-age=86400').header('content-encoding', 'gzip');
      return reply.type('text/javascript; charset=utf-8').send(await script);
    });
  };
}

/**
 * Scalar's browser script, compressed. Its Fastify plugin carries it inside a module of 4 MB, so that is loaded only when
 * someone opens the page, and asked over its own front door.
 */
async function scalarScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const scalar = fastify();
  await scalar.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { body } = await scalar.inject('/js/scalar.js');
  await scalar.close();
  return promisify(gzip)(body, { level: 9 });
}
