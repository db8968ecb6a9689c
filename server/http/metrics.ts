import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';

/** Prometheus metrics of this process: Node's own, and the time of each request by route, never by path. */
export function registerMetrics(app: FastifyInstance): void {
  register.clear();
  collectDefaultMetrics();
  const seconds = new Histogram({
    name: 'mainstay_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  // Looking up a series by its labels costs more than counting: each is looked up once.
  const series = new Map<string, ReturnType<typeof seconds.labels>>();
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const name = `${method} ${reply.statusCode} ${route}`;
    let counter = series.get(name);
    if (!counter) {
      counter = seconds.labels(method, route, String(reply.statusCode));
      series.set(name, counter);
    }
    counter.observe(reply.elapsedTime / 1000);
    done();
  });
}
