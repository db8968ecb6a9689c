import type { FastifyInstance } from 'fastify';
import { runWithin, Waits } from '#core/waits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    waits: Waits;
  }
}

/** Bounds what a request waits for inside, and lets work whose client has gone be dropped before it starts. */
export function registerWaits(app: FastifyInstance, seconds: number): void {
  app.decorateRequest('waits', null as unknown as Waits);
  app.addHook('onRequest', (request, reply, done) => {
    // Once the answer has begun, a closed connection says nothing: what the request left to be done is done.
    const isAbandoned = () => request.raw.socket.destroyed && !reply.raw.headersSent;
    request.waits = new Waits({ seconds, isAbandoned });
    runWithin(request.waits, done);
  });
  // What arrives on a socket, such as the body, comes from outside of what the first hook runs in.
  app.addHook('preValidation', (request, _reply, done) => {
    // Bytes that have arrived have to be kept or cleaned up, whatever becomes of the rest.
    if (typeof (request.body as { pipe?: unknown } | undefined)?.pipe === 'function') request.waits.start();
    runWithin(request.waits, done);
  });
}
