import { createServer, type Server, type Socket } from 'node:net';

/** What a server does with a query; `query` is the line without its end. */
export type Reply = (query: string, socket: Socket) => void | Promise<void>;

export interface FakeWhois extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Every query that has come in, in order. */
  readonly queries: string[];
}

/** A WHOIS server on loopback: real sockets, scripted answers. */
export async function fakeWhois(
  reply: Reply | string | Buffer,
  { host = '127.0.0.2', port = 0 }: { host?: string; port?: number } = {},
): Promise<FakeWhois> {
  const queries: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let line = '';
    socket.on('data', (piece) => {
      line += piece.toString('latin1');
      if (!line.includes('\r\n')) return;
      const query = line.slice(0, line.indexOf('\r\n'));
      line = '';
      queries.push(query);
      if (typeof reply === 'function') void reply(query, socket);
      else socket.end(reply);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as { port: number };
  return {
    host,
    port: address.port,
    queries,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
