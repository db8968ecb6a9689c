import type { FastifyInstance } from 'fastify';
import { type Logger, symbols } from 'pino';

/**
 * One line a request, in the form of pino's own. The path without its query, and no header: what clients send there may
 * be secret or personal. Written out by hand: it is the one line that busy servers log, and pino's general way costs them
 * five times as much.
 */
export function registerAccessLog(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  const stream = (log as unknown as Record<symbol, { write(line: string): void }>)[symbols.streamSym];
  const start = `{"level":30,"time":`;
  const pid = `,"pid":${process.pid},"requestId":"`;
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, url, ip, auth } = request;
    const query = url.indexOf('?');
    const path = JSON.stringify(query < 0 ? url : url.slice(0, query));
    const actor = auth ? `,"actor":"${auth.actor.type}:${auth.actor.id}"` : '';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    stream?.write(
      `${start}${Date.now()}${pid}${id}","method":"${method}","path":${path},"status":${reply.statusCode},` +
        `"ms":${ms},"address":"${ip}"${actor}}\n`,
    );
    done();
  });
}
