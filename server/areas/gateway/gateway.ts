import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Instances } from '#areas/functions/service.ts';
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
import { upgrade } from './upgrade.ts';

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
  host: string;
  port: number;
  variablesOf(host: Live): Readonly<Record<string, string>>;
}

/** The listener that answers for applications, by hostname. */
export function gatewayListener(deps: GatewayDeps): Listener {
  const server = createServer({ requireHostHeader: true, insecureHTTPParser: false });
  const drain = drainable(server);
  serveGateway(server, deps);
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
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }),
  };
}

function serveGateway(server: Server, deps: GatewayDeps): void {
  server.on('request', (request, response) => {
    void new Exchange(deps, request, response).answer();
  });
  server.on('upgrade', (request, socket, head) => {
    void upgrade(deps, request, socket, head).catch(() => socket.destroy());
  });
}
