import type { FastifyPluginAsync } from 'fastify';
import type { Clock } from '#core/clock.ts';
import { Problem } from '#core/problem.ts';

/** Well under the year that RFC 9116 2.5.5 recommends as the most. */
const validMilliseconds = 180 * 86_400_000;

/** `/.well-known/security.txt` (RFC 9116): whom to tell of a vulnerability, where the operator has said so. */
export function securityTxtRoutes(options: {
  contact: string | undefined;
  baseUrl: string;
  clock: Clock;
}): FastifyPluginAsync {
  const { contact, baseUrl, clock } = options;
  const path = '/.well-known/security.txt';
  return async (app) => {
    app.get(path, { config: { public: true } }, async (_request, reply) => {
      if (!contact) {
        throw new Problem('not_found', 'The operator of this instance has published no security contact.');
      }
      const lines = [
        `Contact: ${contact}`,
        `Expires: ${new Date(clock.now() + validMilliseconds).toISOString()}`,
        'Preferred-Languages: en',
        `Canonical: ${baseUrl}${path}`,
      ];
      reply.header('cache-control', 'public, max-age=3600');
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
    });
  };
}
