import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { dashboardRoutes } from './dashboard.ts';
import { problemSender } from './errors.ts';

describe('the files of the dashboard', () => {
  const page = '<!doctype html><title>Mainstay</title>';
  const script = 'document.title;'.repeat(100);
  let home: string;
  let app: FastifyInstance;
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'mainstay-dashboard-'));
    const dist = path.join(home, 'dist');
    await mkdir(path.join(dist, 'assets'), { recursive: true });
    await writeFile(path.join(home, 'secret.js'), 'secret');
    await writeFile(path.join(dist, '.built'), 'stamp');
    await writeFile(path.join(dist, 'index.html'), page);
    await writeFile(path.join(dist, 'assets/main-abc.js'), script);
    await writeFile(path.join(dist, 'assets/main-abc.js.br'), brotliCompressSync(script));
    await writeFile(path.join(dist, 'assets/main-abc.js.gz'), gzipSync(script));
    app = fastify();
    app.setErrorHandler(problemSender(pino({ level: 'silent' })));
    app.post('/whois', async () => ({}));
    await app.register(dashboardRoutes(dist));
  });
  after(async () => {
    await app.close();
    await rm(home, { recursive: true, force: true });
  });
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test('every address that a browser opens is the page, with a strict policy and never from a cache unasked', async () => {
    for (const url of ['/', '/o/acme/keys', '/sign-in?next=%2F', '/setup?token=a.b']) {
      const answer = await get(url, html);
      assert.deepEqual([answer.statusCode, answer.body], [200, page], url);
      const policy = String(answer.headers['content-security-policy']);
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"])
        assert.ok(policy.split('; ').includes(part), part);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(answer.headers['cache-control'], 'no-cache');
    }
  });

  test('programs, and addresses that only take other methods, get 404', async () => {
    assert.equal((await get('/nothing', { accept: 'application/json' })).statusCode, 404);
    assert.equal((await get('/nothing')).statusCode, 404);
    assert.equal((await get('/whois', html)).statusCode, 404);
    assert.equal((await get('/assets/old-def.js', { accept: '*/*' })).statusCode, 404);
  });

  test('assets come in the best coding that the client takes, and are kept permanently', async () => {
    const brotli = await get('/assets/main-abc.js', { 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.deepEqual(brotli.rawPayload, brotliCompressSync(script));
    assert.match(String(brotli.headers['cache-control']), /immutable/);
    assert.equal(brotli.headers['vary'], 'accept-encoding');
    const gzip = await get('/assets/main-abc.js', { 'accept-encoding': 'br;q=0, gzip' });
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    const plain = await get('/assets/main-abc.js');
    assert.deepEqual([plain.headers['content-encoding'], plain.body], [undefined, script]);
  });

  test('a page that has not changed is not sent again', async () => {
    const { headers } = await get('/', html);
    const again = await get('/', { ...html, 'if-none-match': String(headers['etag']) });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
  });

  test('no path leads out of the folder, or to files that are no part of the page', async () => {
    for (const url of ['/../secret.js', '/%2e%2e/secret.js', '/assets/..%2f..%2fsecret.js', '/.built'])
      assert.equal((await get(url)).statusCode, 404, url);
  });

  test('without a build there is no such route', async () => {
    const bare = fastify();
    await bare.register(dashboardRoutes(path.join(home, 'none')));
    assert.equal((await bare.inject({ url: '/', headers: html })).statusCode, 404);
    await bare.close();
  });
});
