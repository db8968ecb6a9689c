import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface FakeRdap extends AsyncDisposable {
  /** Ends in a slash. */
  readonly url: string;
  readonly host: string;
  readonly paths: string[];
}

export type RdapReply = (request: IncomingMessage, response: ServerResponse) => void;

/** An RDAP server on loopback: real sockets, scripted answers. */
export async function fakeRdap(
  reply: RdapReply | object,
  { host = '127.0.0.2', port = 0 }: { host?: string; port?: number } = {},
): Promise<FakeRdap> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (typeof reply === 'function') return (reply as RdapReply)(request, response);
    sendRdap(response, reply);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as { port: number };
  return {
    url: `http://${host}:${address.port}/`,
    host: `${host}:${address.port}`,
    paths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendRdap(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/rdap+json');
  response.end(JSON.stringify(body));
}
