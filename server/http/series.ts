import type { FastifyInstance } from 'fastify';
import type { Series } from '#core/series.ts';

/**
 * Counts every answer of the API. An organization's numbers are of its programs: what people do in the dashboard would
 * hide what they are asked for.
 */
export function registerSeries(app: FastifyInstance, series: Series): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { schema, config } = request.routeOptions;
    if (schema === undefined || config.session) return done();
    // Null on routes without access of their own.
    const auth = request.auth as typeof request.auth | null;
    const organizationId =
      auth === null || auth.through === 'session'
        ? null
        : request.organizationId || auth.actor.organizationId;
    series.add(organizationId, 'requests');
    if (reply.statusCode >= 500) series.add(organizationId, 'serverErrors');
    else if (reply.statusCode >= 400) series.add(organizationId, 'clientErrors');
    done();
  });
}
