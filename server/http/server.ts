import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AddressBlocks } from '#core/addresses.ts';
import type { SettingsOf } from '#core/settings.ts';
import { registerAccessLog } from '#http/access-log.ts';
import { registerBodies } from '#http/bodies.ts';
import { registerDrain } from '#http/drain.ts';
import { notFound, problemSender } from '#http/errors.ts';
import { defaultHeaders, registerHeaders } from '#http/headers.ts';
import { registerOriginChecks } from '#http/origin-checks.ts';
import { serializerCompiler } from '#http/serialization.ts';
import type { httpSettings } from '#http/settings.ts';
import { validatorCompiler } from '#http/validation.ts';
import { registerWaits } from '#http/waits.ts';

/** Read and completed: the address is known. */
export type HttpSettings = Omit<SettingsOf<typeof httpSettings>, 'baseUrl' | 'host' | 'adminHost'> & {
  baseUrl: string;
};

/** A Fastify server with our limits, error shape, bodies, request ids, security headers and access log; no routes yet. */
export function createServer(settings: HttpSettings, log: Logger): FastifyInstance {
  const proxies = new AddressBlocks(settings.trustedProxies);
  const isTrusted = (address: string) => proxies.has(address);
  const headers = defaultHeaders({ https: settings.baseUrl.startsWith('https:') });
  const app = fastify({
    logger: false,
    trustProxy: settings.trustedProxies.length > 0 ? isTrusted : false,
    bodyLimit: settings.bodyLimit,
    genReqId: requestIds(isTrusted),
    clientErrorHandler: answerBrokenRequest,
    // Paths that the router cannot read: no hook has run for them.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id);
      sendProblem(error, request, reply);
    },
    // While draining, requests that arrive on open connections are still answered, and the connection then closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: settings.keepAliveTimeout * 1000,
    requestTimeout: settings.requestTimeout * 1000,
    http: {
      maxHeaderSize: settings.headerLimit,
      headersTimeout: settings.headersTimeout * 1000,
      // How often slow clients are looked for.
      connectionsCheckingInterval: 1000,
    },
    routerOptions: { maxParamLength: 1024 },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.server.maxConnections = settings.maxConnections;

  const sendProblem = problemSender(log);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => sendProblem(notFound(request), request, reply));
  registerWaits(app, settings.waitTimeout);
  registerBodies(app);
  registerHeaders(app, headers);
  registerOriginChecks(app, { trustsProxies: settings.trustedProxies.length > 0 });
  registerAccessLog(app, log);
  registerDrain(app);
  return app;
}

/** A request id of our own, or that of a proxy that we trust. */
function requestIds(isTrusted: (address: string) => boolean) {
  // Unique without asking for randomness each time: a random start of the process, and a count.
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return ({ headers, socket }: { headers: IncomingMessage['headers']; socket: Socket }) => {
    const given = headers['x-request-id'];
    const { remoteAddress } = socket;
    if (
      typeof given === 'string' &&
      remoteAddress &&
      isTrusted(remoteAddress) &&
      /^[\w.:/+=-]{1,128}$/.test(given)
    ) {
      return given;
    }
    return `${start}-${(++count).toString(36)}`;
  };
}

const lingerMilliseconds = 1000;

const brokenRequests: Record<string, [status: string, sentence: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** What Node cannot parse never becomes a request; it is answered in our shape all the same. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const fallback = ['400 Bad Request', 'The request is not valid HTTP.'];
  const [status, sentence] = brokenRequests[error.code ?? ''] ?? fallback;
  const body = JSON.stringify({ error: sentence });
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Closing while the client still sends would reset the connection, and the answer be lost with it: what it sends is
  // thrown away for a moment instead.
  socket.removeAllListeners('data');
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}
