import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set while the server is about to stop and still takes requests. */
    lifecycle: { draining: boolean };
  }
}

/** While draining every answer asks its client to open no further request on the connection. */
export function registerDrain(app: FastifyInstance): void {
  const lifecycle = { draining: false };
  app.decorate('lifecycle', lifecycle);
  app.addHook('onRequest', (_request, reply, done) => {
    if (lifecycle.draining) reply.header('connection', 'close');
    done();
  });
}

/** The same for a listener beside the API: after the call its answers carry `Connection: close`. Before other listeners. */
export function drainable(server: Server): () => void {
  let draining = false;
  server.on('request', (_request, response) => {
    if (draining) response.setHeader('connection', 'close');
  });
  return () => {
    draining = true;
  };
}
