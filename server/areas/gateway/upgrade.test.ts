import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';

/** Sends back what a WebSocket brings, and refuses one at /closed. */
const server = `const http = require('node:http');
http.createServer((q, s) => s.end('page')).on('upgrade', (q, socket) => {
  if (q.url === '/closed') return socket.end('HTTP/1.1 403 Forbidden\\r\\ncontent-length: 4\\r\\n\\r\\nstop');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: websocket\\r\\nconnection: upgrade\\r\\n\\r\\n');
  socket.on('data', (bytes) => socket.write(bytes)).on('error', () => {});
}).listen(process.env.PORT);
`;

interface Line {
  id: string;
  request: { path: string };
  response: { status: number };
  metrics: { requestBodyBytes: number; responseBodyBytes: number; durationMs: number };
  deploymentFunction: { path: string } | null;
}

describe('WebSockets of functions', () => {
  let instance: Instance;
  let tools: ReturnType<typeof deployer>;
  let host = '';
  before(async () => {
    const settings = { MAINSTAY_WEBSOCKET_IDLE: '4s', MAINSTAY_WEBSOCKETS_PER_ADDRESS: '2' };
    instance = await startInstance('sqlite', { settings: { ...runnerSettings, ...settings } });
    tools = deployer(instance);
    ({ host } = await tools.deployed([
      {
        name: 'mainstay.json',
        content: JSON.stringify({
          ...{ version: 4, assets: 'public', functions: { 'server.js': { max_duration: 600 } } },
          routes: [{ source: '/*', destination: 'server.js' }],
        }),
      },
      { name: 'server.js', content: server },
      { name: 'public/page.html', content: 'page' },
    ]));
  });
  after(() => instance[Symbol.asyncDispose]());

  /** The socket, or the ordinary answer that came instead. */
  function open(path: string, to = host): Promise<{ answer: IncomingMessage; socket: Duplex | null }> {
    const { port } = new URL(instance.listeners.get('applications') ?? '');
    const headers = { host: to, connection: 'Upgrade', upgrade: 'websocket' };
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers, agent: false })
        .on('upgrade', (answer, socket) => resolve({ answer, socket }))
        .on('response', (answer) => resolve({ answer: answer.resume(), socket: null }))
        .on('error', reject)
        .end();
    });
  }

  /** What the request log says of the one request to the path, once it is there. */
  async function logged(path: string): Promise<Line & { error?: string }> {
    const all = `/applications/${tools.applicationId}/requests`;
    for (;;) {
      await instance.platform.logs.flush();
      const { items } = await tools.call('GET', `${all}?pathPrefix=${encodeURIComponent(path)}`);
      const [line] = items as Line[];
      if (line) return tools.call('GET', `${all}/${line.id}`);
      await sleep(20);
    }
  }

  test('one that has ended is in the request log, with its duration and the bytes of both directions', async () => {
    const { answer, socket } = await open('/chat?room=1');
    assert.ok(socket);
    for (const text of ['hello', 'world!']) {
      socket.write(text);
      const echoed: Buffer[] = await once(socket, 'data');
      assert.equal(String(echoed[0]), text);
    }
    socket.end();
    await once(socket.resume(), 'close');
    const { id, response, metrics, deploymentFunction, error } = await logged('/chat');
    assert.equal(id, answer.headers['x-request-id']);
    assert.deepEqual([response.status, deploymentFunction?.path, error ?? null], [101, 'server.js', null]);
    assert.deepEqual([metrics.requestBodyBytes, metrics.responseBodyBytes], [11, 11]);
    assert.ok(metrics.durationMs >= 0);
  });

  test('one that carries nothing is ended, and the log says why', async () => {
    const { socket } = await open('/idle');
    assert.ok(socket);
    await once(socket.resume(), 'close');
    const { response, metrics, error } = await logged('/idle');
    assert.deepEqual([response.status, error], [101, 'The connection was idle for 4 s.']);
    assert.ok(metrics.durationMs >= 3900, `${metrics.durationMs} ms`);
  });

  test('a client has so many at a time, and a further one once one has ended', async () => {
    const talking = new Set<NodeJS.Timeout>();
    const kept = await Promise.all(['/first', '/second'].map((path) => open(path)));
    // Bytes keep them open for as long as this takes.
    for (const { socket } of kept) talking.add(setInterval(() => socket?.write('ping'), 100));
    for (const { socket } of kept) socket?.resume();
    const refused = await open('/third');
    assert.deepEqual([refused.answer.statusCode, refused.socket], [429, null]);
    const { response, error } = await logged('/third');
    assert.deepEqual([response.status, error], [429, 'The client has as many WebSockets open as it may.']);
    for (const timer of talking) clearInterval(timer);
    const [first] = kept;
    first?.socket?.destroy();
    await logged('/first');
    const again = await open('/fourth');
    assert.ok(again.socket);
    again.socket.destroy();
    kept[1]?.socket?.destroy();
    await logged('/second');
  });

  for (const [what, path, status, sentence] of [
    ['a path that no function has', '/page', 404, 'No function responds at this path.'],
    ['a path that is none', '/a/%2e%2e/b', 400, 'The path is not valid.'],
    ['what the function itself refuses', '/closed', 403, null],
  ] as const)
    test(`${what} is answered ${status}, and logged`, async () => {
      const { answer } = await open(path);
      assert.equal(answer.statusCode, status);
      const found = await logged(status === 400 ? '' : path);
      assert.equal(found.id, answer.headers['x-request-id']);
      assert.deepEqual([found.response.status, found.error], [status, sentence]);
    });

  test('at a hostname of nobody it is answered 404', async () => {
    assert.equal((await open('/', 'nobody.apps.localhost')).answer.statusCode, 404);
  });
});
