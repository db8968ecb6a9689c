import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** What the server does with a request: answers, breaks the connection, or stays silent. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | 'break the connection'
  | 'silence';

export interface TestServer extends AsyncDisposable {
  url: string;
  seen: Seen[];
}

/** An HTTP server on loopback that answers as the test says and keeps what it was asked. */
export async function startServer(reply: (request: Seen, index: number) => Reply): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await text(request) };
    seen.push(one);
    const what = reply(one, seen.length - 1);
    if (what === 'silence') return;
    if (what === 'break the connection') return void request.socket.destroy();
    const { status = 200, body } = what;
    response.writeHead(status, { 'content-type': 'application/json', ...what.headers });
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Time that passes only when the client waits, or when the test says so. */
export function testTime() {
  const waits: number[] = [];
  let now = 1_800_000_000_000;
  return {
    waits,
    pass(milliseconds: number) {
      now += milliseconds;
    },
    surroundings: {
      now: () => now,
      random: () => 0.5,
      sleep: async (milliseconds: number) => {
        waits.push(milliseconds);
        now += milliseconds;
      },
    },
  };
}
