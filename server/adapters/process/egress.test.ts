import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Outgoing } from '#core/outgoing.ts';
import { openEgress } from './egress.ts';

/** The only way out of the sandboxes of builds and of functions is this proxy. */
describe('a name that resolves to a public address first and to a private one then', () => {
  let folder = '';
  let socketPath = '';
  let proxy: AsyncDisposable;
  let port = 0;
  const servers: Server[] = [];
  /** What the resolver says next; the allowed 127.0.0.2 stands for a public address. */
  let answers: string[] = [];
  let asked = 0;

  before(async () => {
    for (const address of ['127.0.0.2', '127.0.0.1']) {
      const server = createServer((_request, response) => response.end(address));
      server.listen(port, address);
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
      servers.push(server);
    }
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-egress-'));
    socketPath = path.join(folder, 'egress.sock');
    const resolve = async () => {
      asked += 1;
      return [answers.shift() ?? '127.0.0.1'];
    };
    proxy = await openEgress(socketPath, new Outgoing({ allowed: ['127.0.0.2/32'], resolve }));
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    for (const server of servers) server.close();
    await rm(folder, { recursive: true });
  });

  /** By CONNECT, as clients do for https. */
  async function connected(): Promise<{ status: number | undefined; body: string }> {
    const asking = request({ socketPath, method: 'CONNECT', path: `rebinding.example:${port}` }).end();
    const [answer, socket] = (await once(asking, 'connect')) as [IncomingMessage, Socket];
    if (answer.statusCode !== 200) return { status: answer.statusCode, body: '' };
    socket.write('GET / HTTP/1.1\r\nhost: rebinding.example\r\nconnection: close\r\n\r\n');
    return { status: 200, body: (await text(socket)).split('\r\n\r\n')[1] ?? '' };
  }

  /** By the whole URL, as clients do for http. */
  async function forwarded(): Promise<{ status: number | undefined; body: string }> {
    const headers = { host: `rebinding.example:${port}`, connection: 'close' };
    const target = `http://rebinding.example:${port}/`;
    const asking = request({ socketPath, path: target, headers, agent: false }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: await text(answer) };
  }

  for (const [how, ask] of [
    ['CONNECT', connected],
    ['a whole URL', forwarded],
  ] as const)
    test(`is dialled at the address that was checked, by ${how}`, async () => {
      answers = ['127.0.0.2', '127.0.0.1'];
      asked = 0;
      assert.deepEqual(await ask(), { status: 200, body: '127.0.0.2' });
      assert.equal(asked, 1, 'it was resolved once more');
      assert.deepEqual(await ask(), { status: 403, body: '' });
      assert.equal(asked, 2);
    });
});
