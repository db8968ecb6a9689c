import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AddressBlocks } from '#core/addresses.ts';
import { runWithin, Waits } from '#core/waits.ts';
import { clientOf } from '#http/client.ts';
import { drainable } from '#http/drain.ts';
import type { S3Deps } from './call.ts';
import { handleS3 } from './handler.ts';

/** The endpoint without a base path, for clients that cannot take one; and each bucket's own host. */

const idleMilliseconds = 120_000;
const maxConnections = 20_000;

export class S3Server {
  readonly #server: Server;
  /** Requests are still taken; each answer closes its connection. */
  readonly drain: () => void;

  constructor(
    deps: S3Deps,
    options: { domain: string | undefined; waitSeconds: number; trustedProxies: AddressBlocks },
  ) {
    const { domain, waitSeconds, trustedProxies } = options;
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 15_000, keepAliveTimeout: 65_000 });
    // A client that neither sends nor takes a byte for two minutes is gone.
    this.#server.setTimeout(idleMilliseconds);
    this.#server.maxConnections = maxConnections;
    this.drain = drainable(this.#server);
    const handle = (request: IncomingMessage, response: ServerResponse, waits: boolean) => {
      const bounds = new Waits({
        seconds: waitSeconds,
        isAbandoned: () => request.socket.destroyed && !response.headersSent,
      });
      const { address } = clientOf(request, trustedProxies);
      void runWithin(bounds, () => handleS3(deps, request, response, { base: '', domain, address, waits }));
    };
    this.#server.on('request', (request, response) => handle(request, response, false));
    this.#server.on('checkContinue', (request, response) => handle(request, response, true));
    // Whatever else a client expects is let pass, as S3 does.
    this.#server.on('checkExpectation', (request, response) => handle(request, response, false));
  }

  async listen(host: string, port: number): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const { address, family, port: taken } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
  }

  /** Requests in flight are finished. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeIdleConnections();
    const idle = setInterval(() => this.#server.closeIdleConnections(), 50);
    const late = setTimeout(() => this.#server.closeAllConnections(), 10_000);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
  }
}
