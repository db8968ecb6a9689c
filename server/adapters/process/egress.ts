import { createServer, request as httpRequest, type Server } from 'node:http';
import {
  connect,
  createServer as createRelay,
  isIP,
  type Server as RelayServer,
  type Socket,
} from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ForbiddenAddress, Outgoing } from '#core/outgoing.ts';

const anywhere = new Outgoing({ allowed: ['0.0.0.0/0', '::/0'] });

/**
 * The way out of the sandbox: an HTTP proxy on a unix socket. Names are resolved here and the address that was checked is
 * the address that is dialled, so private networks, this machine and metadata services are out of reach. `named`: what the
 * operator has named may be anywhere. `onRefused` is told of hosts that are out of reach.
 */
export async function openEgress(
  socketPath: string,
  outgoing: Outgoing,
  { named, onRefused }: { named?: URL | undefined; onRefused?: ((host: string) => void) | undefined } = {},
): Promise<AsyncDisposable> {
  const isNamed = (hostname: string, port: number) => named?.hostname === hostname && portOf(named) === port;
  const addressesOf = async (hostname: string, port: number) => {
    try {
      return await (isNamed(hostname, port) ? anywhere : outgoing).addressesOf(hostname);
    } catch (error) {
      if (error instanceof ForbiddenAddress) onRefused?.(hostname);
      throw error;
    }
  };
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', async (request, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy());
    const { hostname, port } = authority(request.url ?? '');
    try {
      const [address = ''] = await addressesOf(hostname, port);
      const remote = connect({ host: address, port, timeout: 30_000 });
      remote.on('error', () => client.destroy());
      client.on('close', () => remote.destroy());
      remote.on('connect', () => {
        remote.setTimeout(0);
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        if (head.length > 0) remote.write(head);
        remote.pipe(client);
        client.pipe(remote);
      });
    } catch (error) {
      client.end(`HTTP/1.1 ${refusal(error)}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    }
  });
  server.on('request', async (request, response) => {
    try {
      const url = new URL(request.url ?? '');
      if (url.protocol !== 'http:') throw new ForbiddenAddress('Only http:// goes through without CONNECT.');
      const addresses = await addressesOf(url.hostname, portOf(url));
      const { 'proxy-connection': _, ...headers } = request.headers;
      const onward = httpRequest(url, {
        method: request.method,
        headers,
        lookup: Outgoing.pinned(addresses),
      });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
      response.on('close', () => onward.destroy());
      request.pipe(onward);
    } catch (error) {
      const [status = '502'] = refusal(error).split(' ');
      response.writeHead(Number(status)).end();
    }
  });
  await listening(server, socketPath);
  return closing(server, sockets);
}

/** Passes every connection on to one address: the platform's own API, or a service; it may be a private one. */
export async function openRelay(
  socketPath: string,
  { host, port, tls }: { host: string; port: number; tls?: boolean },
): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createRelay((client) => {
    sockets.add(client);
    const remote = tls
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connect({ host, port });
    const end = () => {
      sockets.delete(client);
      client.destroy();
      remote.destroy();
    };
    for (const socket of [client, remote]) socket.on('error', end).on('close', end);
    client.pipe(remote);
    remote.pipe(client);
  });
  await listening(server, socketPath);
  return closing(server, sockets);
}

function listening(server: Server | RelayServer, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => resolve());
  });
}

function closing(server: Server | RelayServer, sockets: ReadonlySet<Socket>): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function authority(text: string): { hostname: string; port: number } {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : null;
  const port = /:(\d{1,5})$/.exec(text)?.[1];
  return { hostname: url?.hostname ?? '', port: Number(port ?? 443) };
}

export function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function refusal(error: unknown): string {
  return error instanceof ForbiddenAddress ? '403 Forbidden' : '502 Bad Gateway';
}
