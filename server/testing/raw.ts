import { once } from 'node:events';
import { connect } from 'node:net';

/** An HTTP request written by hand: headers may repeat, and nothing is added but the length. */
export async function rawRequest(
  url: string,
  request: { method: string; path: string; headers: readonly (readonly [string, string])[]; body?: string },
): Promise<{ status: number; head: string; body: string }> {
  const { method, path, headers, body = '' } = request;
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const { host } = new URL(url);
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`, 'connection: close', ...lines];
  return rawBytes(url, `${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Sends exactly these bytes and returns what comes back until the server closes. */
export async function rawBytes(
  url: string,
  bytes: string,
): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('utf8');
  });
  await once(socket, 'connect');
  // A refused client may still be writing when the server closes: that is an error of the socket, not of the test.
  const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
  socket.write(bytes);
  await closed;
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body };
}
