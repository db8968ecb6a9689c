import type { FastifyInstance } from 'fastify';

/**
 * Headers of every response. An API answer is data: it is not to be sniffed, framed, scripted or kept by caches unless
 * a route says otherwise. Pages bring a policy of their own.
 */
export function defaultHeaders({ https }: { https: boolean }): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

export function registerHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
}
