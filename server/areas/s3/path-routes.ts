import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { runWithin } from '#core/waits.ts';
import type { S3Deps } from './call.ts';
import { handleS3 } from './handler.ts';

const base = '/s3';
const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'] as const;

/** `/s3` of the main port. Requests are handed on as they came: bodies are streams, and their type says nothing. */
export function pathRoutes(deps: S3Deps): FastifyPluginAsync {
  return async (app) => {
    const waiting = new WeakSet<IncomingMessage>();
    // Fastify's server answers these by itself; only here the client has to be told no before it sends.
    for (const event of ['checkContinue', 'checkExpectation'] as const) {
      app.server.on(event, (request: IncomingMessage, response: ServerResponse) => {
        const isOurs = /^\/s3(?:[/?]|$)/.test(request.url ?? '');
        if (isOurs && event === 'checkContinue') waiting.add(request);
        else if (event === 'checkContinue') response.writeContinue();
        else if (!isOurs) {
          response.writeHead(417).end();
          return;
        }
        app.server.emit('request', request, response);
      });
    }
    const config = { signed: true, scope: 'network:storage:read', actors: ['application'] } as const;
    const onRequest = async (request: FastifyRequest, reply: { hijack(): void; raw: ServerResponse }) => {
      reply.hijack();
      const { raw, ip: address, id } = request;
      const door = { base, domain: undefined, address, id, waits: waiting.has(raw) };
      await runWithin(request.waits, () => handleS3(deps, raw, reply.raw, door));
    };
    const unreached = async () => undefined;
    for (const url of [base, `${base}/*`])
      app.route({
        method: [...methods],
        url,
        config,
        schema: { hide: true } as object,
        onRequest,
        handler: unreached,
      });
  };
}
