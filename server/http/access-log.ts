import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/**
 * One line a request. The path without its query, and no header: what clients send there may be secret or personal.
 */
export function registerAccessLog(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request;
    const query = url.indexOf('?');
    log.info({
      requestId: request.id,
      method: request.method,
      path: query < 0 ? url : url.slice(0, query),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
      actor: request.auth ? `${request.auth.actor.type}:${request.auth.actor.id}` : undefined,
    });
    done();
  });
}
