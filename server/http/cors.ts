import type { FastifyInstance, FastifyRequest } from 'fastify';
import { browserHeader } from '#http/browser.ts';

/** Lets pages of these origins call the API. Libraries in browsers send headers of their own: whatever is asked for. */
export async function registerCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const options = {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'x-request-id',
      'retry-after',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'etag',
      'expires',
    ],
    maxAge: 86_400,
  };
  const { default: cors } = await import('@fastify/cors');
  await app.register(cors, () => async (request: FastifyRequest) => ({
    ...options,
    allowedHeaders: askedHeaders(request),
  }));
}

/** Never the header that tells our own pages from those of others (decision 0061). */
function askedHeaders({ headers }: FastifyRequest): string[] {
  const asked = headers['access-control-request-headers']?.split(',') ?? [];
  return asked
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.toLowerCase() !== browserHeader);
}
