import fastify, { type FastifyInstance } from 'fastify';

/** The listener for operators' tools. No authentication: it listens on a private address. */
export function adminServer(sources: {
  /** Prometheus' text format; null when metrics are off. */
  metrics: (() => Promise<string>) | null;
  /** Throws while traffic should go elsewhere. */
  ready: () => Promise<'ready' | 'degraded'>;
}): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    try {
      return { status: await sources.ready() };
    } catch (error) {
      return reply.code(503).send({ error: (error as Error).message });
    }
  });
  app.get('/metrics', async (_request, reply) => {
    if (!sources.metrics)
      return reply.code(404).send({ error: 'Metrics are off: set MAINSTAY_METRICS=true.' });
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await sources.metrics());
  });
  return app;
}
