import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on loopback for lists, each path answered as it is told. */
export interface ListServer extends AsyncDisposable {
  url: string;
  paths: Map<string, (response: ServerResponse, headers: IncomingHttpHeaders) => void>;
  /** The paths that were asked for, in order. */
  asked: string[];
  /** A list with an ETag: answered 304 to who has it. */
  put(path: string, text: string, headers?: Record<string, string>): void;
}

export async function startListServer(): Promise<ListServer> {
  const paths: ListServer['paths'] = new Map();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = paths.get(path);
    if (answer) answer(response, request.headers);
    else response.writeHead(404).end('not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let version = 0;
  return {
    url: `http://127.0.0.1:${port}`,
    paths,
    asked,
    put(path, text, headers = {}) {
      const etag = `"${++version}"`;
      paths.set(path, (response, given) => {
        if (given['if-none-match'] === etag) return response.writeHead(304).end();
        return response.writeHead(200, { 'content-type': 'text/plain', etag, ...headers }).end(text);
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
