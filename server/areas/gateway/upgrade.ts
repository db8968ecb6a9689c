import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Overloaded } from '#areas/functions/service.ts';
import { clientOf } from './client.ts';
import { forwardUpgrade } from './forward.ts';
import type { GatewayDeps } from './gateway.ts';
import { normalizePath } from './routes/pathname.ts';
import { choose, functionOf, functionTarget, nameOf, onwardOf, stickyKey } from './target.ts';

/**
 * Whether to heed the offer of another protocol, which a server may pass over (RFC 9110, 7.8): clients offer HTTP/2 with
 * ordinary requests, and a body in front of another protocol is one that nobody agrees where it ends.
 */
export function isUpgrade({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return method === 'GET' && !hasBody && !/^\s*h2c?\b/i.test(headers.upgrade ?? '');
}

/** A WebSocket of a function. It stays with its deployment until one of the two ends it. */
export async function upgrade(
  deps: GatewayDeps,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  // Node has taken its own listener away: without one, a connection that is reset would end this server.
  socket.on('error', () => socket.destroy());
  const refuse = (status: string) => {
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  };
  try {
    const refusal = await connectUpgrade(deps, request, socket, head);
    if (refusal !== null) refuse(refusal);
  } catch (error) {
    refuse(error instanceof Overloaded ? '503 Service Unavailable' : '502 Bad Gateway');
  }
}

/** Resolves when it is over; with the status to refuse it with, where it has not begun. */
async function connectUpgrade(
  deps: GatewayDeps,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<string | null> {
  const host = await deps.sites.host(nameOf(request.headers.host, deps.domain));
  const [target = '', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const path = normalizePath(target);
  if (host.kind !== 'live' || path === null || !deps.instances) return '404 Not Found';
  const client = clientOf(request, deps.trusted);
  if (host.protection) {
    const visitor = { host: { ...host, protection: host.protection }, request, ...client };
    const verdict = await deps.guard.check(visitor);
    if (verdict.kind !== 'open') return '401 Unauthorized';
  }
  const { live, site, decision } = await choose(deps.sites, host, request, { method: 'GET', path, query });
  if (decision.kind !== 'function') return '404 Not Found';
  const wanted = functionOf(site, decision.name);
  const workload = () => deps.workloadOf(live);
  const key = stickyKey(deps.tickets, live, request, { method: 'GET', path });
  const place = await deps.instances.acquire({ ...live, wanted, workload }, key);
  try {
    // Its client may have gone while it waited for a place.
    if (socket.destroyed) return null;
    const onward = onwardOf(client, functionTarget(request, decision), wanted.maxDurationSeconds, decision);
    await forwardUpgrade(request, socket, head, place.socketPath, { ...onward, answerHeaders: {} });
    return null;
  } finally {
    place.release();
  }
}
