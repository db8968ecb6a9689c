import type { FastifyInstance } from 'fastify';

/**
 * Headers of every response. An API answer is data: it is not to be sniffed, framed, scripted or kept by caches unless
 * a route says otherwise. Pages bring a policy of their own.
 */
export function registerHeaders(app: FastifyInstance, { https }: { https: boolean }): void {
  const fixed: Record<string, string> = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  if (https) fixed['strict-transport-security'] = 'max-age=31536000; includeSubDomains';
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed).header('x-request-id', request.id);
    done();
  });
}
