import type { FastifyInstance } from 'fastify';
import type { Notifications } from '#core/notifications.ts';

/**
 * A request with `Cache-Control: no-cache` (RFC 9111, 5.2.1.4) sees everything that any node had acknowledged when it
 * arrived: its notification is waited for. Before permissions are looked at, since those are cached too.
 */
export function registerFreshReads(app: FastifyInstance, notifications: Notifications): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const wanted = request.headers['cache-control'];
    if (wanted === undefined || !/(^|[\s,])no-cache($|[\s,])/i.test(wanted)) return done();
    notifications.catchUp().then(() => done(), done);
  });
}
