import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Overloaded } from '#areas/functions/service.ts';
import { newId } from '#core/ids.ts';
import { type Client, clientOf } from '#http/client.ts';
import { forwardUpgrade, type UpgradeEnd } from './forward/upgrade.ts';
import type { GatewayDeps } from './gateway.ts';
import { record } from './record.ts';
import { hostName } from './routes/compile.ts';
import { normalizePath } from './routes/pathname.ts';
import {
  choose,
  functionHeaders,
  functionOf,
  functionTarget,
  type Live,
  nameOf,
  onwardOf,
  stickyKey,
} from './target.ts';
import type { Upgraded } from './upgraded.ts';

/**
 * Whether to heed the offer of another protocol, which a server may pass over (RFC 9110, 7.8): clients offer HTTP/2 with
 * ordinary requests, and a body in front of another protocol is one that nobody agrees where it ends.
 */
export function isUpgrade({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return method === 'GET' && !hasBody && !/^\s*h2c?\b/i.test(headers.upgrade ?? '');
}

/** Why a connection was not upgraded; the sentence is for the log of the application. */
class Refused extends Error {
  override name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What is known of the request so far. */
interface Progress {
  id: string;
  client: Client;
  live: Live | null;
  hostname: string;
  path: string;
  functionName?: string;
}

/** A WebSocket of a function. It stays with its deployment until one of the two ends it, or it is idle for too long. */
export async function upgrade(
  deps: GatewayDeps,
  upgraded: Upgraded,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  // Node has taken its own listener away: without one, a connection that is reset would end this server.
  socket.on('error', () => socket.destroy());
  const startedAt = deps.clock.now();
  const progress: Progress = {
    id: newId(startedAt),
    client: clientOf(request, deps.trusted),
    live: null,
    hostname: '',
    path: '',
  };
  let end: UpgradeEnd;
  try {
    end = await connectUpgrade(deps, upgraded, progress, request, socket, head);
  } catch (error) {
    const status = error instanceof Refused ? error.status : error instanceof Overloaded ? 503 : 502;
    const headers = { 'x-request-id': progress.id, connection: 'close', 'content-length': '0' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
    socket.end(text, () => socket.destroy());
    end = { status, headers, received: 0, sent: 0, error: (error as Error).message };
  }
  const { live, ...known } = progress;
  if (!deps.requestLog || !live) return;
  const { status, headers: responseHeaders, received, sent, error } = end;
  record(deps.requestLog, {
    ...{ ...known, live, request, status, responseHeaders, error, startedAt },
    ...{ requestBodyBytes: received, responseBodyBytes: sent, completedAt: deps.clock.now() },
  });
}

/** Resolves when it is over. Rejects where it has not begun. */
async function connectUpgrade(
  deps: GatewayDeps,
  upgraded: Upgraded,
  progress: Progress,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<UpgradeEnd> {
  progress.hostname = hostName(request.headers.host ?? '');
  const host = await deps.sites.host(nameOf(progress.hostname, deps.domain));
  if (host.kind !== 'live') throw new Refused(404, 'Nothing is live at this hostname.');
  progress.live = host;
  const [target = '', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const path = normalizePath(target);
  if (path === null) throw new Refused(400, 'The path is not valid.');
  progress.path = path;
  const { client } = progress;
  if (!upgraded.add(socket, client.address))
    throw new Refused(429, 'The client has as many WebSockets open as it may.');
  if (host.protection) {
    const visitor = { host: { ...host, protection: host.protection }, request, ...client };
    const verdict = await deps.guard.check(visitor);
    if (verdict.kind !== 'open') throw new Refused(401, 'The deployment is protected.');
  }
  const { live, site, decision } = await choose(deps.sites, host, request, { method: 'GET', path, query });
  progress.live = live;
  if (decision.kind !== 'function') throw new Refused(404, 'No function responds at this path.');
  if (!deps.instances) throw new Refused(503, 'This instance runs no functions.');
  const wanted = functionOf(site, decision.name);
  progress.functionName = wanted.name;
  const workload = () => deps.workloadOf(live);
  const key = stickyKey(deps.tickets, live, request, { method: 'GET', path });
  const place = await deps.instances.acquire({ ...live, wanted, workload }, key);
  try {
    // Its client may have gone while it waited for a place.
    if (socket.destroyed) return { status: null, headers: {}, received: 0, sent: 0 };
    const onward = onwardOf(client, functionTarget(request, decision), wanted.maxDurationSeconds, decision);
    return await forwardUpgrade(request, socket, head, place.socketPath, {
      ...{ ...onward, headers: functionHeaders(decision, progress.id) },
      answerHeaders: { 'x-request-id': progress.id },
      idleSeconds: deps.idleSeconds,
    });
  } finally {
    place.release();
  }
}
