import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { problemSender } from './errors.ts';
import { manualRoutes } from './manual.ts';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the files of the manual', () => {
  let dist: string;
  let app: FastifyInstance;
  before(async () => {
    dist = await mkdtemp(path.join(tmpdir(), 'mainstay-manual-'));
    await writeFile(path.join(dist, 'index.html'), '<title>Quick start</title>');
    await writeFile(path.join(dist, '404.html'), '<title>Nothing here</title>');
    await writeFile(
      path.join(dist, 'storage.html'),
      '<title>Storage</title><p style="color:red">red</p><script src="/manual/app.js"></script><script id="a">start()</script>',
    );
    app = fastify();
    app.setErrorHandler(problemSender(pino({ level: 'silent' })));
    await app.register(manualRoutes(dist));
  });
  after(async () => {
    await app.close();
    await rm(dist, { recursive: true, force: true });
  });
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

  test('a page has an address without an ending', async () => {
    assert.match((await get('/manual/')).body, /Quick start/);
    assert.match((await get('/manual/storage?a=b')).body, /Storage/);
    assert.equal((await get('/manual')).headers['location'], '/manual/');
  });

  test('its policy names the inline scripts and styles of the page by their hash, and no others', async () => {
    const policy = String((await get('/manual/storage')).headers['content-security-policy']).split('; ');
    assert.ok(policy.includes(`script-src 'self' ${hashOf('start()')}`), policy.join('\n'));
    assert.ok(policy.includes(`style-src 'self' 'unsafe-hashes' ${hashOf('color:red')}`));
    assert.ok(policy.includes("default-src 'none'"));
    assert.doesNotMatch(policy.join(), /unsafe-(inline|eval)/);
  });

  test('what is not there is a page for a person, and an error for a program', async () => {
    const page = await get('/manual/nothing', { accept: 'text/html' });
    assert.deepEqual([page.statusCode, page.body], [404, '<title>Nothing here</title>']);
    assert.equal((await get('/manual/nothing')).statusCode, 404);
    assert.equal((await get('/manual/../package.json')).statusCode, 404);
    assert.equal((await get('/manual/..%2f..%2fpackage.json')).statusCode, 404);
  });
});
