import type { FastifyReply } from 'fastify';

/** Pictures never change under their address, and other sites may show them. */
export function asPicture(reply: Pick<FastifyReply, 'headers'>, contentType: string): FastifyReply {
  return reply.headers({
    'content-type': contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
  });
}
