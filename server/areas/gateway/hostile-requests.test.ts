import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';

/** Tells every request that has reached it, with its body, and agrees to any upgrade by ending the connection. */
const recorder = `import http from 'node:http';
const seen = [];
http.createServer((q, s) => {
  if (q.url === '/seen') return s.end(JSON.stringify(seen.splice(0)));
  let body = '';
  q.on('data', (chunk) => { body += chunk; });
  q.on('end', () => {
    seen.push({ method: q.method, url: q.url, body, address: q.headers['x-forwarded-for'] });
    if (q.url === '/switches') return s.socket.end('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: x\\r\\nconnection: upgrade\\r\\n\\r\\n');
    s.end('answer to ' + q.url);
  });
}).on('upgrade', (q, socket) => {
  seen.push({ method: q.method, url: q.url, upgrade: q.headers.upgrade });
  socket.end('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: ' + q.headers.upgrade + '\\r\\nconnection: upgrade\\r\\n\\r\\nhello');
}).listen(process.env.PORT);
`;

describe('hostile requests to the gateway', () => {
  let instance: Instance;
  let tools: ReturnType<typeof deployer>;
  let host = '';
  let port = 0;
  before(async () => {
    instance = await startInstance('sqlite', { settings: runnerSettings });
    tools = deployer(instance);
    ({ host } = await tools.deployed([
      { name: 'package.json', content: '{"type":"module","main":"server.js"}' },
      { name: 'server.js', content: recorder },
    ]));
    port = Number(new URL(instance.listeners.get('applications') ?? '').port);
    await seen();
  });
  after(() => instance[Symbol.asyncDispose]());

  const seen = async () => JSON.parse((await tools.visit(host, '/seen')).body);

  async function opened(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  /** What comes back for these bytes until the other side hangs up, or `enough` has come. */
  async function send(text: string, enough?: RegExp): Promise<string> {
    const socket = await opened();
    socket.write(text.replaceAll('HOST', host));
    let answer = '';
    socket.setEncoding('latin1');
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        answer += chunk;
        if (enough?.test(answer)) resolve();
      });
      socket.on('close', resolve);
    });
    socket.destroy();
    return answer;
  }
  const closing = 'Host: HOST\r\nConnection: close\r\n';

  for (const method of ['GET', 'DELETE', 'OPTIONS'])
    test(`a body in chunks of ${method} is a body, and never the next request`, async () => {
      const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.1\r\n\r\n';
      const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
      const answer = await send(
        `${method} /outer HTTP/1.1\r\n${closing}Transfer-Encoding: chunked\r\n\r\n${chunk}`,
      );
      assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*answer to \/outer/);
      assert.equal((await tools.visit(host, '/next')).body, 'answer to /next');
      assert.deepEqual(
        (await seen()).map(({ method, url, body }: Record<string, string>) => ({ method, url, body })),
        [
          { method, url: '/outer', body: smuggled },
          { method: 'GET', url: '/next', body: '' },
        ],
      );
    });

  test('a length that Connection names is kept', async () => {
    const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
    const head = `Host: HOST\r\nConnection: close, content-length\r\nContent-Length: ${smuggled.length}`;
    assert.match(await send(`GET /outer HTTP/1.1\r\n${head}\r\n\r\n${smuggled}`), /answer to \/outer/);
    assert.deepEqual(
      (await seen()).map(({ url, body }: Record<string, string>) => ({ url, body })),
      [{ url: '/outer', body: smuggled }],
    );
  });

  test('an upgrade with a body, or by another method, is an ordinary request', async () => {
    const offer = 'Host: HOST\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n';
    assert.match(await send(`POST /a HTTP/1.1\r\n${offer}Content-Length: 3\r\n\r\nabc`), /answer to \/a/);
    assert.match(await send(`GET /b HTTP/1.1\r\n${offer}Content-Length: 3\r\n\r\nabc`), /answer to \/b/);
    assert.deepEqual(
      (await seen()).map(({ url, body }: Record<string, string>) => `${url} ${body}`),
      ['/a abc', '/b abc'],
    );
  });

  const refused: Readonly<Record<string, string>> = {
    'two ways to say where the body ends': `POST / HTTP/1.1\r\n${closing}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'two lengths': `POST / HTTP/1.1\r\n${closing}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    'a length that is none': `POST / HTTP/1.1\r\n${closing}Content-Length: +3\r\n\r\nabc`,
    'chunked that is not last': `POST / HTTP/1.1\r\n${closing}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    'a size of a chunk that is none': `POST / HTTP/1.1\r\n${closing}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
    'a header with a blank before its colon': `GET / HTTP/1.1\r\nHost : HOST\r\n${closing}\r\n`,
    'a folded header': `GET / HTTP/1.1\r\n${closing}X-A: b\r\n c: d\r\n\r\n`,
    'a line feed alone between headers': `GET / HTTP/1.1\r\n${closing}X-A: b\nX-B: c\r\n\r\n`,
    'no host': 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    'two hosts': `GET / HTTP/1.1\r\nHost: other.test\r\n${closing}\r\n`,
    'a host that is none': 'GET / HTTP/1.1\r\nHost: a b/@\r\nConnection: close\r\n\r\n',
    'headers of 64 KiB': `GET / HTTP/1.1\r\n${closing}X-A: ${'x'.repeat(65_536)}\r\n\r\n`,
    'a path of 64 KiB': `GET /${'x'.repeat(65_536)} HTTP/1.1\r\n${closing}\r\n`,
    'another version': `GET / HTTP/7.3\r\n${closing}\r\n`,
    'a method that is none': `G@T / HTTP/1.1\r\n${closing}\r\n`,
    'a tunnel': `CONNECT 169.254.169.254:80 HTTP/1.1\r\n${closing}\r\n`,
    'the start of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'the start of TLS': '\x16\x03\x01\x02\x00\x01',
    'a star as a path': `GET * HTTP/1.1\r\n${closing}\r\n`,
    'the address of another host': `GET http://other.test/ HTTP/1.1\r\n${closing}\r\n`,
    'a coding of the transfer that we do not know': `POST / HTTP/1.1\r\n${closing}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  };
  for (const [name, text] of Object.entries(refused))
    test(`${name} is refused, and reaches nothing`, async () => {
      const answer = await send(text);
      assert.match(answer, /^(?:HTTP\/1\.1 (?:4\d\d|505) |$)/);
      assert.deepEqual(await seen(), []);
    });

  test('the address of a page is served as its path', async () => {
    const answer = await send(`GET http://HOST/page?a=b HTTP/1.1\r\n${closing}\r\n`);
    assert.match(answer, /answer to \/page\?a=b/);
    await seen();
  });

  test('an offer of HTTP/2 in the clear is passed over', async () => {
    const offer =
      'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    assert.match(
      await send(`GET /h2c HTTP/1.1\r\nHost: HOST\r\n${offer}\r\n`),
      /200 OK[\s\S]*answer to \/h2c/,
    );
    await seen();
  });

  test('an upgrade that nobody has asked for is an error of the function', async () => {
    const { status } = await tools.visit(host, '/switches');
    assert.equal(status, 502);
    assert.equal((await tools.visit(host, '/after')).body, 'answer to /after');
    await seen();
  });

  test('a WebSocket whose client resets the connection at any moment ends nothing else', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    for (const target of [host, 'unknown.apps.localhost', ''])
      for (const wait of [0, 1, 5, 20]) {
        const socket = await opened();
        socket.write(`GET /socket HTTP/1.1\r\nHost: ${target}\r\n${upgrade}\r\n`);
        await sleep(wait);
        socket.resetAndDestroy();
      }
    assert.equal((await tools.visit(host, '/alive')).status, 200);
    await seen();
  });

  test('an upgraded connection carries what the function sends', async () => {
    const text = 'GET /socket HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    assert.match(await send(text, /hello/), /^HTTP\/1\.1 101 [\s\S]*hello$/);
    await seen();
  });

  test('a client that never finishes its headers keeps nobody else waiting', async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, opened));
    for (const socket of slow) socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
    assert.equal((await tools.visit(host, '/quick')).body, 'answer to /quick');
    for (const socket of slow) socket.destroy();
    await seen();
  });

  test('names of objects are no paths, hosts, queries or headers', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      assert.equal((await tools.visit(host, `/${name}?${name}=1`, { headers: { [name]: 'x' } })).status, 200);
    for (const name of ['__proto__', 'constructor.apps.localhost'])
      assert.equal((await tools.visit(name, '/')).status, 404);
    await seen();
  });

  test('a glob that is made for backtracking keeps nobody waiting', async () => {
    const localPatterns = [{ pathname: '/*a*a*a*a*a*a*a*a*b' }];
    const files = { functions: { 'aa*a*a*a*a*a*a*b{,x}.js': {} }, assets: 'out', images: { localPatterns } };
    const long = 'a'.repeat(200);
    const site = await tools.deployed(
      [
        { name: 'mainstay.json', content: JSON.stringify({ version: 4, ...files }) },
        { name: `${long}.js`, content: '' },
        { name: 'aaaaaaaaaaab.js', content: 'export default (q, s) => s.end();' },
        { name: 'out/index.html', content: 'x' },
      ],
      { branch: 'globs' },
    );
    const before = process.cpuUsage().user;
    const { status } = await tools.visit(site.host, `/_mainstay/image/%2F${long}${long}/a.png`);
    assert.equal(status, 400);
    assert.ok(process.cpuUsage().user - before < 2_000_000);
  });
});
