import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';

/** What the design promises, in the campaign of `npm run soak`; a part of it in every run. */
const { connections, switches, requests } = process.env['SWITCH_FULL']
  ? { connections: 32, switches: 20, requests: 10_000 }
  : { connections: 16, switches: 4, requests: 400 };

/** Says its version, streams a line for each that it is asked for, and sends back what a socket brings. */
const server = (version: string) => `const http = require('node:http');
const crypto = require('node:crypto');
const streams = new Set();
http.createServer((q, s) => {
  if (q.url === '/stream') {
    s.writeHead(200, { 'content-type': 'text/event-stream' });
    s.write('data: ${version}\\n\\n');
    streams.add(s);
    return s.on('close', () => streams.delete(s));
  }
  if (q.url === '/tick') for (const one of streams) one.write('data: tick\\n\\n');
  s.end('${version}');
}).on('upgrade', (q, socket) => {
  const accept = crypto.createHash('sha1').update(q.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: websocket\\r\\nconnection: upgrade\\r\\nsec-websocket-accept: ' + accept + '\\r\\n\\r\\n');
  socket.on('data', (bytes) => socket.write(bytes)).on('error', () => {});
}).listen(process.env.PORT);
`;

describe('a switch under load', () => {
  let instance: Instance;
  let tools: ReturnType<typeof deployer>;
  before(async () => {
    instance = await startInstance('sqlite', { settings: runnerSettings });
    tools = deployer(instance);
  });
  after(() => instance[Symbol.asyncDispose]());

  test('no request fails, and streams and sockets continue with the version that they began with', async () => {
    const files = (version: string) => [
      {
        name: 'mainstay.yaml',
        content:
          'version: 4\nfunctions:\n  server.js: { max_duration: 600 }\nroutes:\n  - { source: /*, destination: server.js }\n',
      },
      { name: 'server.js', content: server(version) },
    ];
    const first = await tools.deployed(files('one'));
    const second = await tools.deployed(files('two'));
    const { port } = new URL(instance.listeners.get('applications') ?? '');
    const target = { host: '127.0.0.1', port, headers: { host: second.host } };

    const openStream = async () => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request({ ...target, path: '/stream', agent: false }, resolve)
          .on('error', reject)
          .end();
      });
      const stream = { answer, text: '' };
      answer.setEncoding('utf8').on('data', (text) => {
        stream.text += text;
      });
      return stream;
    };
    const openSocket = () =>
      new Promise<Duplex>((resolve, reject) => {
        const headers = { ...target.headers, connection: 'Upgrade', upgrade: 'websocket' };
        const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
        request({ ...target, path: '/socket', agent: false, headers: { ...headers, ...key } })
          .on('upgrade', (_answer, opened) => resolve(opened))
          .on('error', reject)
          .end();
      });
    // Of the second deployment, which is live now; more are opened after each switch.
    const streams = [await openStream()];
    const sockets = [await openSocket()];

    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const seen = new Map<string, number>();
    let isOver = false;
    const ask = () =>
      new Promise<void>((resolve) => {
        const note = (what: string) => {
          seen.set(what, (seen.get(what) ?? 0) + 1);
          resolve();
        };
        const asked = request({ ...target, path: '/', agent }, (answer) => {
          let body = '';
          answer.setEncoding('utf8').on('data', (text) => {
            body += text;
          });
          answer.on('end', () => note(answer.statusCode === 200 ? body : `status ${answer.statusCode}`));
        });
        asked.on('error', (error) => note(error.message)).end();
      });
    const loops = Array.from({ length: connections }, async () => {
      while (!isOver) await ask();
    });
    const count = () => [...seen.values()].reduce((sum, one) => sum + one, 0);
    for (let n = 0; n < switches; n++) {
      await tools.call('POST', `/deployments/${n % 2 === 0 ? first.id : second.id}/rollback`);
      streams.push(await openStream());
      sockets.push(await openSocket());
      do await ask();
      while (count() < ((n + 1) / switches) * requests);
    }
    isOver = true;
    await Promise.all(loops);
    agent.destroy();
    assert.deepEqual([...seen.keys()].sort(), ['one', 'two'], JSON.stringify([...seen]));

    assert.ok(count() >= requests, `${count()} requests`);

    // The hostname of a deployment itself reaches the process that the streams are from.
    for (const { id } of [first, second]) await tools.visit(await tools.ownHostOf(id), '/tick');
    for (const { answer, text } of streams) assert.ok(!answer.destroyed, `ended after: ${text}`);
    for (const stream of streams)
      while (!stream.text.includes('tick') && !stream.answer.destroyed)
        await new Promise((resolve) => stream.answer.once('data', resolve).once('close', resolve));
    assert.match(streams[0]?.text ?? '', /^data: two\n\n/);
    for (const { answer, text } of streams) {
      assert.match(text, /^data: (one|two)\n\ndata: tick\n\n$/);
      answer.destroy();
    }
    for (const socket of sockets) {
      const echoed = new Promise<Buffer>((resolve) => socket.once('data', resolve));
      socket.write('still here');
      assert.equal(String(await echoed), 'still here');
      // The function's end of the socket goes with it.
      socket.end();
      await new Promise((resolve) => socket.once('close', resolve));
    }
  });
});
