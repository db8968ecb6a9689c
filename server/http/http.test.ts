import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fastify from 'fastify';
import { pino } from 'pino';
import { registerAccess } from '#http/access.ts';
import { RateLimiter } from '#http/rate-limit.ts';
import { TestClock } from '#testing/clock.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { rawBytes, rawRequest } from '#testing/raw.ts';

describe('every failure has the one error shape', () => {
  let instance: Instance;
  before(async () => {
    instance = await startInstance('sqlite', { settings: { MAINSTAY_BODY_LIMIT: '64KiB' } });
  });
  after(() => instance[Symbol.asyncDispose]());

  const json = { 'content-type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = json) =>
    instance.call('POST', '/api-keys', { as: 'user', body, headers });

  const cases: Record<string, [number, () => ReturnType<Instance['call']>]> = {
    'an unknown route': [404, () => instance.call('GET', '/nothing/here')],
    'an unknown method': [404, () => instance.call('PUT', '/healthz')],
    'a malformed path': [400, () => instance.call('GET', '/api-keys/%zz', { as: 'user' })],
    'a path part of 3 000 characters': [
      404,
      () => instance.call('GET', `/api-keys/${'a'.repeat(3000)}`, { as: 'user' }),
    ],
    'JSON that does not parse': [400, () => post('{"name": ')],
    'an empty body': [400, () => post('')],
    'a body that is null': [400, () => post('null')],
    'JSON with a name given twice': [400, () => post('{"name":"a","name":"b"}')],
    'JSON with a name given twice further down': [400, () => post('{"name":"a","x":[{"y":1,"y":2}]}')],
    'JSON with __proto__': [400, () => post('{"__proto__":{"name":"a"}}')],
    'an unknown field': [400, () => post('{"name":"a","surprise":1}')],
    'a field of the wrong type': [400, () => post('{"name":5}')],
    'a body over the limit': [413, () => post(JSON.stringify({ name: 'x'.repeat(100_000) }))],
    'a form where only JSON is taken': [
      415,
      () => post('name=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    'a multipart form where only JSON is taken': [
      415,
      () => post('--b\r\n\r\n--b--', { 'content-type': 'multipart/form-data; boundary=b' }),
    ],
    XML: [415, () => post('<name/>', { 'content-type': 'application/xml' })],
    'a query parameter that is no number': [
      400,
      () => instance.call('GET', '/api-keys?limit=ten', { as: 'user' }),
    ],
  };
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    test(`a DELETE without a body may claim ${type}`, async () => {
      const { body: key } = await instance.call('POST', '/api-keys', { as: 'user', body: { name: 'Short' } });
      const headers = { 'content-type': type };
      const { status } = await instance.call('DELETE', `/api-keys/${key.id}`, { as: 'user', headers });
      assert.equal(status, 204);
    });
  }

  for (const [what, [status, request]] of Object.entries(cases)) {
    test(`${what}: ${status}`, async () => {
      const answer = await request();
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.deepEqual(Object.keys(answer.body), ['error']);
      assert.match(answer.body.error, /\.$/, 'a sentence');
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.ok(answer.headers.get('x-request-id'));
    });
  }

  test('a body that is not UTF-8: 400', async () => {
    const response = await fetch(`${instance.url}/api-keys`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${await instance.token('user')}` },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    });
    assert.equal(response.status, 400);
    assert.match(((await response.json()) as { error: string }).error, /UTF-8/);
  });

  test('the error names the field and what would be right', async () => {
    assert.match((await post('{"surprise":1,"name":"a"}')).body.error, /"surprise" is unknown/);
    assert.match((await post('{}')).body.error, /"name" is missing/);
    assert.match((await post('{"name":5}')).body.error, /"name" must be of type string/);
  });

  test('what is not HTTP is answered 400, and a header of 100 KB 431', async () => {
    const broken = await rawBytes(instance.url, 'HELLO\r\n\r\n');
    assert.equal(broken.status, 400);
    assert.deepEqual(Object.keys(JSON.parse(broken.body)), ['error']);
    const headers = [['x-long', 'a'.repeat(100_000)]] as const;
    assert.equal((await rawRequest(instance.url, { method: 'GET', path: '/healthz', headers })).status, 431);
  });

  test('a body that is longer than it says, or cut off, does not crash anything', async () => {
    const head =
      'POST /oauth2/token HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n';
    assert.equal((await rawBytes(instance.url, `${head}content-length: 2\r\n\r\n{}{}{}`)).status, 400);
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(instance.url).port) });
    await once(socket, 'connect');
    socket.write(`${head}content-length: 1000\r\n\r\n{"grant_type"`);
    socket.destroy();
    assert.equal((await instance.call('GET', '/healthz')).status, 200);
  });
});

describe('headers', () => {
  test('security headers are on every answer; HSTS only where the address is https', async () => {
    await using plain = await startInstance('sqlite');
    for (const path of ['/healthz', '/nothing', '/api-keys']) {
      const { headers } = await plain.call('GET', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('strict-transport-security'), null);
    }
    await using secure = await startInstance('sqlite', {
      settings: { MAINSTAY_BASE_URL: 'https://mainstay.test' },
    });
    assert.match(
      (await secure.call('GET', '/healthz')).headers.get('strict-transport-security') ?? '',
      /max-age/,
    );
  });

  test('a request id and a client address are accepted from a trusted proxy only', async () => {
    const headers = { 'x-request-id': 'from-the-proxy', 'x-forwarded-for': '203.0.113.9' };
    await using open = await startInstance('sqlite');
    assert.notEqual(
      (await open.call('GET', '/healthz', { headers })).headers.get('x-request-id'),
      'from-the-proxy',
    );
    await using behind = await startInstance('sqlite', {
      settings: { MAINSTAY_TRUSTED_PROXIES: '127.0.0.0/8' },
    });
    assert.equal(
      (await behind.call('GET', '/healthz', { headers })).headers.get('x-request-id'),
      'from-the-proxy',
    );
    const nasty = { 'x-request-id': 'a\tb' };
    assert.notEqual(
      (await behind.call('GET', '/healthz', { headers: nasty })).headers.get('x-request-id'),
      'a\tb',
    );
    const { body: key } = await behind.call('POST', '/api-keys', {
      as: 'user',
      body: { name: 'far', allowedAddresses: ['203.0.113.0/24'] },
    });
    const body = { grant_type: 'client_credentials', client_id: key.id, client_secret: key.secret };
    assert.equal((await behind.call('POST', '/oauth2/token', { body, headers })).status, 200);
    assert.equal((await behind.call('POST', '/oauth2/token', { body })).status, 401);
  });

  test('CORS is off unless set, and then for the named origins only', async () => {
    const from = (origin: string) => ({ origin, 'access-control-request-method': 'POST' });
    await using closed = await startInstance('sqlite');
    const refused = await closed.call('OPTIONS', '/api-keys', { headers: from('https://app.example') });
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
    await using open = await startInstance('sqlite', {
      settings: { MAINSTAY_CORS_ORIGINS: 'https://app.example' },
    });
    const allowed = await open.call('OPTIONS', '/api-keys', { headers: from('https://app.example') });
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example');
    const stranger = await open.call('OPTIONS', '/api-keys', { headers: from('https://evil.example') });
    assert.equal(stranger.headers.get('access-control-allow-origin'), null);
    const asked = 'authorization, X-Stainless-Lang, X-Mainstay-Session, x-mainstay-application-id';
    const headers = { ...from('https://app.example'), 'access-control-request-headers': asked };
    const listed = (await open.call('OPTIONS', '/api-keys', { headers })).headers;
    const names = listed.get('access-control-allow-headers')?.toLowerCase().split(/, */);
    assert.deepEqual(names, ['authorization', 'x-stainless-lang', 'x-mainstay-application-id']);
  });

  test('a request with two Host headers is refused', async () => {
    await using instance = await startInstance('sqlite');
    const headers = [['host', 'evil.example']] as const;
    const { status, body } = await rawRequest(instance.url, { method: 'GET', path: '/healthz', headers });
    assert.equal(status, 400);
    assert.match(body, /Host header once/);
  });

  test('what a proxy forwards as an address and is none counts as nobody’s, and breaks no line of the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    await using instance = await startInstance('sqlite', {
      settings: { MAINSTAY_TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' },
      log,
    });
    const at = async (forwarded: string) => {
      lines.length = 0;
      await instance.call('GET', '/healthz', { headers: { 'x-forwarded-for': forwarded } });
      const [entry] = lines.map((line) => JSON.parse(line)).filter(({ path }) => path === '/healthz');
      return entry.address;
    };
    assert.equal(await at('203.0.113.9'), '203.0.113.9');
    assert.equal(await at('a"b\\,'), '127.0.0.1');
    assert.equal(await at('unknown, 10.0.0.7'), '10.0.0.7');
    assert.equal(await at('203.0.113.9, nonsense'), '127.0.0.1');
  });
});

describe('limits', () => {
  test('a client that sends its head a byte at a time is cut off with 408', async () => {
    await using instance = await startInstance('sqlite', { settings: { MAINSTAY_HEADERS_TIMEOUT: '1s' } });
    const started = performance.now();
    const { status } = await rawBytes(instance.url, 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow:');
    assert.equal(status, 408);
    assert.ok(performance.now() - started < 5000);
  });

  test('requests beyond the limit of a key are answered 429 with Retry-After and RateLimit headers', async () => {
    await using instance = await startInstance('sqlite', { settings: { MAINSTAY_REQUESTS_PER_MINUTE: '3' } });
    const answers = [];
    for (let count = 0; count < 4; count++)
      answers.push(await instance.call('GET', '/api-keys', { as: 'user' }));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429],
    );
    assert.equal(answers[0]?.headers.get('ratelimit-limit'), '3');
    assert.equal(answers[0]?.headers.get('ratelimit-remaining'), '2');
    assert.ok(Number(answers[3]?.headers.get('retry-after')) >= 1);
    assert.equal((await instance.call('GET', '/api-keys', { as: 'organization' })).status, 200);
  });

  test('a limiter forgets as its window slides, and never holds more keys than it may', () => {
    const clock = new TestClock();
    const limiter = new RateLimiter({ limit: 10, windowSeconds: 60, clock, maxKeys: 100 });
    for (let count = 0; count < 10; count++) limiter.count('a');
    assert.ok(limiter.count('a').remaining < 0);
    clock.advance(90);
    const half = limiter.count('a');
    assert.ok(half.remaining >= 3 && half.remaining <= 5, `${half.remaining}`);
    clock.advance(200);
    assert.equal(limiter.count('a').remaining, 9);
    for (let key = 0; key < 1000; key++) limiter.count(`k${key}`);
    assert.equal(limiter.look('k0').remaining, 10);
  });
});

describe('permissions', () => {
  const bare = async (config: object, url = '/x') => {
    const app = fastify();
    registerAccess(app, {
      authenticate: () => {
        throw new Error('not asked');
      },
      authenticateSession: () => undefined,
      roleIn: () => null,
      organizationOf: () => null,
      products: new Set(['whois']),
      isOperator: () => false,
      hasAccess: () => true,
    });
    app.get(url, { config }, async () => 'ok');
    await app.ready();
  };

  test('a route that declares no permission stops the boot', async () => {
    await assert.rejects(bare({}), /GET \/x declares neither/);
    await assert.rejects(bare({ scope: 'openid' }), /declares neither/);
    await assert.rejects(bare({ scope: 'openid', actors: [] }), /declares neither/);
    await bare({ scope: 'openid', actors: ['user'] });
    await bare({ public: true });
  });

  test('a route of a product that nobody knows stops the boot', async () => {
    const config = { scope: 'openid', actors: ['user'] };
    await assert.rejects(bare({ ...config, product: 'whoiss' }), /no known product/);
    await bare({ ...config, product: 'whois' });
  });

  test('a route that names a tenant and no role stops the boot', async () => {
    const config = { scope: 'openid', actors: ['user'] };
    await assert.rejects(bare(config, '/organizations/:organizationId/x'), /declares no `role`/);
    await assert.rejects(bare(config, '/applications/:applicationId/x'), /declares no `role`/);
    await bare({ ...config, role: 'MEMBER' }, '/organizations/:organizationId/x');
    await assert.rejects(bare({ ...config, organizationInQuery: true }), /declares no `role`/);
    // What is not in the schema is not checked: it could be a list.
    await assert.rejects(
      bare({ ...config, role: 'MEMBER', organizationInQuery: true }),
      /does not describe it/,
    );
  });
});

describe('logs', () => {
  test('a request is one line with its id; secrets, tokens and queries are in none', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    await using instance = await startInstance('sqlite', { log });
    const { keys } = instance.bootstrapped;
    const token = await instance.token('user');
    const answer = await instance.call('GET', '/api-keys?limit=5&cursor=c2VjcmV0', { as: 'user' });
    const id = answer.headers.get('x-request-id') ?? 'none';
    assert.equal(lines.filter((line) => line.includes(id)).length, 1);
    const all = lines.join('');
    for (const secret of [keys.user.secret, token, token.split('.')[2] ?? '', 'c2VjcmV0', 'correct horse']) {
      assert.equal(all.includes(secret), false);
    }
    assert.match(all, /"path":"\/api-keys"/);
  });

  test('an unexpected failure tells the caller nothing and the log everything', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    await using instance = await startInstance('sqlite', { log });
    const token = await instance.token('user');
    await instance.platform.db.write(async (tx) => {
      await tx.schema.alterTable('api_keys').renameTo('api_keys_gone').execute();
    });
    const { status, body } = await instance.call('GET', '/api-keys', { as: { token } });
    assert.equal(status, 500);
    assert.deepEqual(Object.keys(body), ['error']);
    assert.equal(body.error.includes('api_keys'), false);
    assert.ok(lines.some((line) => line.includes('no such table')));
  });
});
