import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientOf } from './client.ts';
import { forwardUpgrade } from './forward.ts';
import type { GatewayDeps } from './gateway.ts';
import { normalizePath } from './routes/pathname.ts';
import { choose, functionOf, functionTarget, nameOf, onwardOf, stickyKey } from './target.ts';

/** A WebSocket of a function. It stays with its deployment until one of the two ends it. */
export async function upgrade(
  deps: GatewayDeps,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const refuse = (status: string) => {
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  };
  const host = await deps.sites.host(nameOf(request.headers.host, deps.domain));
  const [target = '', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const path = normalizePath(target);
  if (host.kind !== 'live' || path === null || !deps.instances) return refuse('404 Not Found');
  const client = clientOf(request, deps.trusted);
  if (host.protection) {
    const visitor = { host: { ...host, protection: host.protection }, request, ...client };
    const verdict = await deps.guard.check(visitor);
    if (verdict.kind !== 'open') return refuse('401 Unauthorized');
  }
  const { live, site, decision } = await choose(deps.sites, host, request, { method: 'GET', path, query });
  if (decision.kind !== 'function') return refuse('404 Not Found');
  const wanted = functionOf(site, decision.name);
  const workload = () => deps.workloadOf(live);
  const key = stickyKey(deps.tickets, live, request, { method: 'GET', path });
  const place = await deps.instances.acquire({ ...live, wanted, workload }, key);
  try {
    const onward = onwardOf(client, functionTarget(request, decision), wanted.maxDurationSeconds, decision);
    await forwardUpgrade(request, socket, head, place.socketPath, { ...onward, answerHeaders: {} });
  } finally {
    place.release();
  }
}
