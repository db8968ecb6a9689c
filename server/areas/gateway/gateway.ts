import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Instances, Workload } from '#areas/functions/service.ts';
import type { AddressBlocks } from '#core/addresses.ts';
import type { Clock } from '#core/clock.ts';
import type { Outgoing } from '#core/outgoing.ts';
import type { RequestLog } from '#core/request-log.ts';
import type { Listener } from '#http/area.ts';
import { drainable } from '#http/drain.ts';
import type { Guard } from './access/guard.ts';
import type { Tickets } from './access/tickets.ts';
import type { AnswerCache } from './cache/answer.ts';
import { Exchange } from './exchange.ts';
import type { Files } from './files.ts';
import type { Sites } from './sites.ts';
import type { Live } from './target.ts';
import { isUpgrade, upgrade } from './upgrade.ts';
import { Upgraded } from './upgraded.ts';

export interface GatewayDeps {
  sites: Sites;
  files: Files;
  answers: AnswerCache;
  guard: Guard;
  tickets: Tickets;
  instances: Instances | null;
  outgoing: Outgoing;
  requestLog: RequestLog | null;
  clock: Clock;
  log: Logger;
  /** The domain below which applications have their labels. */
  domain: string;
  /** Of the instance itself, where members sign in. */
  baseUrl: string;
  trusted: AddressBlocks;
  /** After so long without a byte an upgraded connection is ended. */
  idleSeconds: number;
  /** Upgraded connections of one client. */
  upgradesPerAddress: number;
  host: string;
  port: number;
  workloadOf(host: Live): Workload;
}

/** The listener that answers for applications, by hostname. */
export function gatewayListener(deps: GatewayDeps): Listener {
  const server = createServer({
    requireHostHeader: true,
    insecureHTTPParser: false,
    shouldUpgradeCallback: isUpgrade,
  });
  const drain = drainable(server);
  const upgraded = new Upgraded({ mostPerAddress: deps.upgradesPerAddress });
  serveGateway(server, deps, upgraded);
  return {
    name: 'applications',
    listen: ({ port = deps.port } = {}) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, deps.host, () => {
          const { address, port: bound } = server.address() as AddressInfo;
          resolve(`http://${address.includes(':') ? `[${address}]` : address}:${bound}`);
        });
      }),
    drain,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => {
          server.closeAllConnections();
          upgraded.destroyAll();
        }, 1000).unref();
      }),
  };
}

function serveGateway(server: Server, deps: GatewayDeps, upgraded: Upgraded): void {
  server.on('request', (request, response) => {
    request.url = originForm(request);
    void new Exchange(deps, request, response).answer();
  });
  server.on('upgrade', (request, socket, head) => {
    request.url = originForm(request);
    void upgrade(deps, upgraded, request, socket, head);
  });
}

/** `GET http://host/path` with the same host in its header is `GET /path` (RFC 9112, 3.2.2); with another one it stays, and is refused. */
function originForm({ url = '/', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [whole, authority] = /^http:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (whole === undefined || authority?.toLowerCase() !== headers.host?.toLowerCase()) return url;
  const rest = url.slice(whole.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
