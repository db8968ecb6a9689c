import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#core/problem.ts';
import { freeing } from './body-chunks.ts';

/** The bytes of a request whose body is passed on as a stream; one that breaks off is the client's fault. */
export async function* streamedBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  const body = request.body as Readable | undefined;
  if (!body) return;
  try {
    // Destroyed, it would take the connection with it, and the client would never read why.
    yield* freeing(body.iterator({ destroyOnReturn: false }));
  } catch (cause) {
    throw new Problem('invalid_request', 'The request body ended early. Nothing was stored.', { cause });
  } finally {
    if (!body.readableEnded) body.resume();
  }
}
