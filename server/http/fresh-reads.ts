import type { FastifyInstance } from 'fastify';
import type { News } from '#core/news.ts';

/**
 * A request with `Cache-Control: no-cache` (RFC 9111, 5.2.1.4) sees everything that any node had acknowledged when it
 * arrived: the news of it is waited for. Before permissions are looked at, since those are cached too.
 */
export function registerFreshReads(app: FastifyInstance, news: News): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const wanted = request.headers['cache-control'];
    if (wanted === undefined || !/(^|[\s,])no-cache($|[\s,])/i.test(wanted)) return done();
    news.catchUp().then(() => done(), done);
  });
}
