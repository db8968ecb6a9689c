import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import sharp from 'sharp';
import { Outgoing } from '#core/outgoing.ts';
import { TestClock } from '#testing/clock.ts';
import { testHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { patchUpload, sha256, storageHomes } from '#testing/storage.ts';
import { Contents } from './content.ts';
import { sendEvents, type WebhookDeps } from './webhooks.ts';

/** The storage host; what depends on the database is tested on both in the other files. */

interface Plain {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** As it goes over the wire: `fetch` would resolve `..` and decompress. */
function raw(
  url: string,
  options: { method?: string; path?: string; headers?: Record<string, string> } = {},
): Promise<Plain> {
  const { method = 'GET', path, headers = {} } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method, headers, ...(path === undefined ? {} : { path }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

const homes = storageHomes.filter(({ engine }) => engine === 'sqlite');
const kinds = homes.flatMap((kept) => ['false', 'true'].map((encryption) => ({ ...kept, encryption })));

for (const { name, settings: settingsOf, encryption } of kinds) {
  describe(`the storage host on ${name}, encryption ${encryption}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    let base: string;
    let host: string;

    before(async () => {
      const settings = { ...settingsOf(), MAINSTAY_STORAGE_ENCRYPTION: encryption };
      instance = await startInstance('sqlite', { clock, settings });
      base = `/applications/${instance.bootstrapped.application.id}/storage`;
      host = instance.listeners.get('stored files') as string;
      for (const visibility of ['public', 'private'])
        await call('POST', '/buckets', { name: `${visibility}-files`, visibility });
    });
    after(() => instance?.[Symbol.asyncDispose]());

    const call = (method: string, path: string, body?: unknown) =>
      instance.call(method, `${base}${path}`, { as: 'application', ...(body === undefined ? {} : { body }) });
    async function stored(
      bucket: 'public' | 'private',
      key: string,
      content: string | Buffer,
      headers: Record<string, string> = {},
    ) {
      const path = `/buckets/${bucket}-files/objects`;
      const token = await instance.token('application');
      const response = await fetch(`${instance.url}${base}${path}?key=${encodeURIComponent(key)}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body: content as Buffer<ArrayBuffer>,
      });
      const object = (await response.json()) as { id: string };
      assert.equal(response.status, 200, JSON.stringify(object));
      const { body } = await call('GET', `${path}/${object.id}/access-url?expiresInSeconds=60`);
      return { id: object.id, url: body.url as string, access: body };
    }

    test('a public object has an address that stays, a private one a signed address with an end', async () => {
      const open = await stored('public', 'a/ü b.txt', 'hello', { 'content-type': 'text/plain' });
      assert.deepEqual(open.access, { accessType: 'public', url: open.url, expiresAt: null });
      assert.equal(open.url, `${host}/public/public-files/a/%C3%BC%20b.txt`);
      const { status, headers, body } = await raw(open.url);
      assert.deepEqual([status, body.toString(), headers['content-type']], [200, 'hello', 'text/plain']);
      assert.equal(headers['x-content-type-options'], 'nosniff');

      const closed = await stored('private', 'secret', 'hidden');
      assert.equal(closed.access.accessType, 'signed');
      assert.equal((await raw(closed.url)).body.toString(), 'hidden');
      assert.equal((await raw(closed.url, { method: 'HEAD' })).headers['content-length'], '6');
      clock.advance(61);
      assert.equal((await raw(closed.url)).status, 403);
    });

    test('what was read before is served as it is now', async () => {
      const first = await stored('public', 'again', 'first content');
      for (const _ of ['from the disk', 'from memory']) {
        assert.equal((await raw(first.url)).body.toString(), 'first content');
        const part = await raw(first.url, { headers: { range: 'bytes=6-8' } });
        assert.deepEqual([part.status, part.body.toString()], [206, 'con']);
      }
      const second = await stored('public', 'again', 'second');
      assert.equal((await raw(first.url)).body.toString(), 'second');
      await call('DELETE', `/buckets/public-files/objects/${second.id}`);
      assert.equal((await raw(first.url)).status, 404);
    });

    test('a signature holds for its path and query alone, and private objects have no other address', async () => {
      const one = await stored('private', 'one', '1');
      await stored('private', 'two', '2');
      const later = String(Math.floor(clock.now() / 1000) + 9999);
      const forged = [
        one.url.replace('/one?', '/two?'),
        one.url.replace(/expires=\d+/, `expires=${later}`),
        one.url.replace('?', '?download=1&'),
        `${one.url}x`,
        one.url.split('&signature=')[0] as string,
        `${host}/signed/x/one?expires=${later}&signature=1.${'A'.repeat(43)}`,
      ];
      const origin = 'https://app.example.com';
      const told = async (url: string, method: string) => {
        const asked = { origin, 'access-control-request-method': 'GET' };
        const { status, headers, body } = await raw(url, { method, headers: asked });
        const { date: _, 'x-request-id': id, ...rest } = headers;
        return JSON.stringify([status, rest, body.toString()]);
      };
      for (const method of ['GET', 'OPTIONS', 'DELETE']) {
        const answers = new Set<string>();
        for (const url of forged) answers.add(await told(url, method));
        const [answer = ''] = answers;
        assert.equal(answers.size, 1, `${method} tells a missing bucket from a wrong signature: ${answer}`);
        assert.equal(JSON.parse(answer)[0], method === 'DELETE' ? 405 : 403);
        const [closed, missing] = [`${host}/public/private-files/one`, `${host}/public/no-such-bucket/one`];
        assert.equal(await told(closed, method), await told(missing, method));
      }
      assert.equal((await raw(`${host}/public/private-files/one`)).status, 404);
      // Whoever has an address that was good is told by a page's script, too, that it no longer is.
      clock.advance(61);
      const late = await raw(one.url, { headers: { origin } });
      assert.deepEqual([late.status, late.headers['access-control-allow-origin']], [403, '*']);
    });

    test('awkward keys are served at the address that is given for them', async () => {
      const keys = [
        '..',
        '../../etc/passwd',
        'a/../b',
        './x',
        '//x',
        'a b+c%20d?e#f&g',
        '😀/é',
        '%2e%2e',
        '%zz',
        'a/',
      ];
      for (const key of keys) {
        for (const bucket of ['public', 'private'] as const) {
          const { url } = await stored(bucket, key, key);
          // As browsers would ask for it.
          const { href } = new URL(url);
          const { status, body } = await raw(href);
          assert.deepEqual([status, body.toString()], [200, key], `${bucket} ${key}`);
        }
      }
      assert.equal((await raw(host, { path: '/public/public-files/%zz' })).status, 400);
      assert.equal((await raw(host, { path: '/public/public-files/../../x' })).status, 404);
    });

    test('a bucket has a host name of its own, where public pages may run', async () => {
      await stored('public', 'page.html', '<script>1</script>', { 'content-type': 'text/html' });
      const name = (await call('GET', '/buckets/public-files')).body.cdnHostname;
      assert.equal(name, `public-files.${new URL(host).host}`);
      const own = await raw(`${host}/page.html`, { headers: { host: name } });
      assert.deepEqual([own.status, own.headers['content-security-policy']], [200, undefined]);
      const shared = await raw(`${host}/public/public-files/page.html`);
      assert.match(String(shared.headers['content-security-policy']), /^sandbox /);
      assert.doesNotMatch(String(shared.headers['content-security-policy']), /allow-same-origin/);
      // Each of these may hold elements of a page, and scripts.
      for (const type of ['image/svg+xml', 'application/rss+xml', 'text/xml; charset=utf-8', 'text/xsl']) {
        const { url } = await stored('public', 'feed', '<a/>', { 'content-type': type });
        assert.match(String((await raw(url)).headers['content-security-policy']), /^sandbox /, type);
      }
      const { url } = await stored('public', 'plain.txt', '<a/>', { 'content-type': 'text/plain' });
      assert.equal((await raw(url)).headers['content-security-policy'], undefined);
      const priv = await raw(`${host}/page.html`, { headers: { host: name.replace('public', 'private') } });
      assert.equal(priv.status, 404);
    });

    test('what is a picture is never served as a page', async () => {
      const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
      const { url } = await stored('public', 'evil.html', Buffer.concat([png, Buffer.from('<script>')]), {
        'content-type': 'text/html',
      });
      assert.equal((await raw(url)).headers['content-type'], 'image/png');
      const unnamed = await stored('public', 'thing', png);
      assert.equal((await raw(unnamed.url)).headers['content-type'], 'image/png');
      const text = await stored('public', 'x.css', Buffer.from('a{}'));
      assert.equal((await raw(text.url)).headers['content-type'], 'text/css; charset=utf-8');
      const none = await stored('public', 'no-idea', Buffer.from('x'));
      assert.equal((await raw(none.url)).headers['content-type'], 'application/octet-stream');
    });

    test('conditions are honoured', async () => {
      const { url } = await stored('public', 'conditional', 'content');
      const { headers } = await raw(url);
      const etag = String(headers['etag']);
      const modified = String(headers['last-modified']);
      const status = async (given: Record<string, string>) => (await raw(url, { headers: given })).status;
      assert.equal(await status({ 'if-none-match': etag }), 304);
      assert.equal(await status({ 'if-none-match': `"x", W/${etag}` }), 304);
      assert.equal(await status({ 'if-none-match': '*' }), 304);
      assert.equal(await status({ 'if-none-match': '"x"' }), 200);
      assert.equal(await status({ 'if-modified-since': modified }), 304);
      assert.equal(await status({ 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }), 200);
      assert.equal(await status({ 'if-none-match': '"x"', 'if-modified-since': modified }), 200);
      assert.equal(await status({ 'if-match': etag }), 200);
      assert.equal(await status({ 'if-match': '"x"' }), 412);
      assert.equal(await status({ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }), 412);
    });

    test('any range is served, one or several, of small and large objects', async () => {
      for (const size of [1000, 400_000]) {
        const bytes = randomBytes(size);
        const { url } = await stored('private', `ranges-${size}`, bytes);
        const get = (range: string, more: Record<string, string> = {}) =>
          raw(url, { headers: { range, ...more } });
        for (const [range, start, end] of [
          ['bytes=0-0', 0, 1],
          ['bytes=10-19', 10, 20],
          ['bytes=-5', size - 5, size],
          [`bytes=${size - 3}-`, size - 3, size],
          [`bytes=5-${size * 2}`, 5, size],
          [`bytes=-${size * 2}`, 0, size],
          ['bytes=100-300000', 100, Math.min(size, 300_001)],
        ] as const) {
          const { status, headers, body } = await get(range);
          assert.equal(status, 206, range);
          assert.equal(headers['content-range'], `bytes ${start}-${end - 1}/${size}`);
          assert.ok(body.equals(bytes.subarray(start, end)), range);
        }
        for (const ignored of [
          'bytes=5-2',
          'bytes=-',
          'items=0-1',
          'bytes=a-b',
          `bytes=${'0-1,'.repeat(40)}0-1`,
        ]) {
          assert.equal((await get(ignored)).status, 200, ignored);
        }
        assert.equal((await get(`bytes=0-${size},0-${size}`)).status, 200, 'more than the whole');
        const beyond = await get(`bytes=${size}-`);
        assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${size}`]);
        const { etag } = (await raw(url)).headers;
        assert.equal((await get('bytes=0-1', { 'if-range': String(etag) })).status, 206);
        assert.equal((await get('bytes=0-1', { 'if-range': '"other"' })).status, 200);

        const several = await get('bytes=0-4, 100-199, -3');
        const [, boundary] =
          /^multipart\/byteranges; boundary=(\w+)$/.exec(String(several.headers['content-type'])) ?? [];
        assert.equal(several.status, 206);
        assert.equal(Number(several.headers['content-length']), several.body.length);
        const parts = several.body.toString('latin1').split(`\r\n--${boundary}`).slice(1, -1);
        const contents = parts.map((part) => Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4), 'latin1'));
        assert.ok(contents[0]?.equals(bytes.subarray(0, 5)));
        assert.ok(contents[1]?.equals(bytes.subarray(100, 200)));
        assert.ok(contents[2]?.equals(bytes.subarray(-3)));
      }
      const { url } = await stored('public', 'empty', '');
      assert.equal((await raw(url)).status, 200);
      assert.equal((await raw(url, { headers: { range: 'bytes=0-' } })).status, 416);
    });

    test('headers of the object and the bucket are sent, compressed content as it is', async () => {
      const packed = brotliCompressSync(Buffer.from('x'.repeat(1000)));
      const { url } = await stored('public', 'packed.txt', packed, {
        ...{ 'content-encoding': 'br', 'cache-control': 'max-age=77', 'content-language': 'de' },
        'content-disposition': 'inline; filename="y.txt"',
      });
      const { headers, body } = await raw(url);
      assert.ok(body.equals(packed));
      assert.equal(headers['content-encoding'], 'br');
      assert.equal(headers['cache-control'], 'max-age=77');
      assert.equal(headers['content-language'], 'de');
      assert.equal(headers['content-disposition'], 'inline; filename="y.txt"');
      const save = await raw(`${url}?download`);
      assert.equal(
        save.headers['content-disposition'],
        `attachment; filename="packed.txt"; filename*=UTF-8''packed.txt`,
      );
      await call('PATCH', '/buckets/public-files/settings', { cacheControl: 'max-age=5' });
      const other = await stored('public', 'plain', 'x');
      assert.equal((await raw(other.url)).headers['cache-control'], 'max-age=5');
    });

    test('CORS follows the rules of the bucket', async () => {
      const { url } = await stored('public', 'cors', 'x');
      const origin = 'https://app.example.com';
      const ask = (method: string, headers: Record<string, string>) => raw(url, { method, headers });
      assert.equal((await ask('GET', { origin })).headers['access-control-allow-origin'], '*');
      const rule = {
        ...{ allowedOrigins: ['https://*.example.com'], allowedMethods: ['GET'], allowedHeaders: ['x-a'] },
        ...{ exposeHeaders: ['ETag'], maxAgeSeconds: 60 },
      };
      await call('PATCH', '/buckets/public-files/settings', { cors: [rule] });
      const simple = await ask('GET', { origin });
      assert.equal(simple.headers['access-control-allow-origin'], origin);
      assert.equal(simple.headers['access-control-expose-headers'], 'ETag');
      assert.equal(simple.headers['vary'], 'Origin');
      const foreign = await ask('GET', { origin: 'https://evil.example' });
      assert.equal(foreign.headers['access-control-allow-origin'], undefined);
      // A browser may keep what it read for an <img>, and must not take it for the answer to a script.
      for (const answer of [foreign, await ask('GET', {})]) assert.equal(answer.headers['vary'], 'Origin');
      const asked = { origin, 'access-control-request-method': 'GET' };
      const allowed = await ask('OPTIONS', { ...asked, 'access-control-request-headers': 'X-A' });
      assert.deepEqual([allowed.status, allowed.headers['access-control-max-age']], [204, '60']);
      assert.equal((await ask('OPTIONS', { ...asked, 'access-control-request-headers': 'x-b' })).status, 403);
      assert.equal((await ask('OPTIONS', { ...asked, 'access-control-request-method': 'PUT' })).status, 403);
    });

    test('the dashboard reads what it shows, whatever rules the bucket has', async () => {
      const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
      const { id } = await stored('private', 'shown.png', picture);
      const cors = [{ allowedOrigins: ['https://app.example.com'], allowedMethods: ['GET', 'PUT'] }];
      await call('PATCH', '/buckets/private-files/settings', { cors });
      const origin = 'http://mainstay.test';
      for (const wish of ['', '?width=10&format=webp']) {
        const { body } = await call('GET', `/buckets/private-files/objects/${id}/access-url${wish}`);
        const answer = await raw(body.url, { headers: { origin } });
        assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [200, origin]);
        const asked = { origin, 'access-control-request-method': 'GET' };
        const headers = { ...asked, 'access-control-request-headers': 'range' };
        assert.equal((await raw(body.url, { method: 'OPTIONS', headers })).status, 204);
      }
    });

    test('an application that is deleted serves nothing any more', async () => {
      const { url } = await stored('public', 'last', 'x');
      assert.equal((await raw(url)).status, 200);
      const application = instance.bootstrapped.application.id;
      const { status, body } = await instance.call('DELETE', `/applications/${application}`, { as: 'user' });
      assert.ok(status < 300, JSON.stringify(body));
      assert.equal((await raw(url)).status, 404);
    });
  });
}

for (const { name, settings: settingsOf } of homes) {
  test(`what was served from ${name} is counted by day, and written to the request log`, async () => {
    await using home = await testHome('sqlite');
    const settings = {
      ...settingsOf(),
      MAINSTAY_TRUSTED_PROXIES: '127.0.0.0/8',
      MAINSTAY_REQUEST_LOG_ADDRESSES: 'full',
    };
    const open = () => startInstance('sqlite', { home, settings });
    let instance = await open();
    const application = `/applications/${instance.bootstrapped.application.id}`;
    const buckets = `${application}/storage/buckets`;
    await instance.call('POST', buckets, {
      as: 'application',
      body: { name: 'counted', visibility: 'public' },
    });
    const { body: object } = await instance.call('PUT', `${buckets}/counted/objects?key=k`, {
      as: 'application',
      body: 'x'.repeat(100),
    });
    const url = `${instance.listeners.get('stored files')}/public/counted/k`;
    for (const page of ['1', '2', '3']) await raw(`${url}?page=${page}`);
    await raw(url, { method: 'HEAD', headers: { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' } });
    const { body: begun } = await instance.call('POST', `${buckets}/counted/uploads`, {
      as: 'application',
      body: { key: 'u', contentLength: 3, checksumSha256: sha256(Buffer.from('abc')) },
    });
    const conflict = await patchUpload(begun.upload.url, 2, Buffer.from('c'));
    assert.equal(conflict.status, 409);
    const said = (await conflict.arrayBuffer()).byteLength;
    const film = randomBytes(30 * 1024 * 1024);
    await instance.call('POST', buckets, { as: 'application', body: { name: 'left', visibility: 'public' } });
    const put = await fetch(`${instance.url}${buckets}/left/objects?key=film`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await instance.token('application')}` },
      body: film,
    });
    assert.equal(put.status, 200);
    const leaving = httpRequest(`${instance.listeners.get('stored files')}/public/left/film`);
    leaving.end();
    const [begins] = (await once(leaving, 'response')) as [IncomingMessage];
    begins.destroy();
    // Closing counts what is still in memory.
    await instance[Symbol.asyncDispose]();
    instance = await open();
    const { body: usage } = await instance.call('GET', `${buckets}/counted/usage`, { as: 'application' });
    const [day] = usage.items;
    const { body: left } = await instance.call('GET', `${buckets}/left/usage`, { as: 'application' });
    const { bytesOut } = left.items[0];
    assert.ok(bytesOut > 0 && bytesOut < film.length * 0.9, `${bytesOut} of a download that broke off`);
    assert.deepEqual(
      [day.requests, day.bytesIn, day.bytesOut, day.bytes, day.objects],
      [6, 100, 300 + said, 100, 1],
    );
    const path = `${application}/requests?storageObjectId=${object.id}`;
    const { body } = await instance.call('GET', path, { as: 'application' });
    assert.equal(body.items.length, 4);
    assert.deepEqual(body.items[0].storageObject, {
      id: object.id,
      key: 'k',
      contentType: object.contentType,
    });
    assert.equal(body.items[0].storageBucket.name, 'counted');
    const { body: last } = await instance.call('GET', `${application}/requests/${body.items[0].id}`, {
      as: 'application',
    });
    assert.equal(last.clientAddress, '203.0.113.9');
    const [head, get] = body.items.map(({ metrics }: { metrics: Record<string, number> }) => metrics);
    assert.deepEqual([head.responseBodyBytes, get.responseBodyBytes], [0, 100]);
    assert.equal(
      get.bytesSent > 100 && get.bytesSent - 100 === head.bytesSent,
      true,
      'head and body are sent',
    );
    const { body: refused } = await instance.call('GET', `${application}/requests?status=409`, {
      as: 'application',
    });
    const [line] = refused.items;
    assert.deepEqual(
      [line.storageBucket.name, line.request.path],
      ['counted', `/uploads/${begun.session.id}`],
    );
    assert.match(line.error, /offset/);
    await instance[Symbol.asyncDispose]();
  });

  test(`pictures on ${name} come in the size and format that is asked for, and are made once`, async () => {
    await using instance = await startInstance('sqlite', { settings: settingsOf() });
    const buckets = `/applications/${instance.bootstrapped.application.id}/storage/buckets`;
    await instance.call('POST', buckets, { as: 'application', body: { name: 'pics', visibility: 'public' } });
    const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const token = await instance.token('application');
    const put = (key: string, content: Buffer) =>
      fetch(`${instance.url}${buckets}/pics/objects?key=${key}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}` },
        body: content as Buffer<ArrayBuffer>,
      });
    const { id } = (await (await put('red.png', picture)).json()) as { id: string };
    const url = `${instance.listeners.get('stored files')}/public/pics/red.png`;
    for (let count = 0; count < 2; count++) {
      const { status, headers, body } = await raw(`${url}?width=100&format=webp`);
      assert.deepEqual([status, headers['content-type']], [200, 'image/webp']);
      const { width, height, format } = await sharp(body).metadata();
      assert.deepEqual([width, height, format], [100, 50, 'webp']);
    }
    const { db } = instance.platform;
    assert.equal((await db.selectFrom('storage_renditions').selectAll().execute()).length, 1);
    for (const query of ['width=0', 'width=99999', 'fit=other', 'format=svg', 'quality=x'])
      assert.equal((await raw(`${url}?${query}`)).status, 400, query);
    await put('broken.png', picture.subarray(0, 60));
    assert.equal((await raw(`${url.replace('red', 'broken')}?width=10`)).status, 400);
    // With the object its pictures go.
    await instance.call('DELETE', `${buckets}/pics/objects/${id}`, { as: 'application' });
    await instance.call('DELETE', `${buckets}/pics/trash`, { as: 'application' });
    assert.equal((await db.selectFrom('storage_renditions').selectAll().execute()).length, 0);
  });
}

test('a picture that takes long to make is 503, and there for the next request', async () => {
  await using instance = await startInstance('sqlite', {
    settings: { MAINSTAY_STORAGE_PICTURE_TIMEOUT: '1s', MAINSTAY_STORAGE_INLINE: '0' },
  });
  const buckets = `/applications/${instance.bootstrapped.application.id}/storage/buckets`;
  await instance.call('POST', buckets, { as: 'application', body: { name: 'pics', visibility: 'public' } });
  const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await fetch(`${instance.url}${buckets}/pics/objects?key=red.png`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await instance.token('application')}` },
    body: picture as Buffer<ArrayBuffer>,
  });
  const url = `${instance.listeners.get('stored files')}/public/pics/red.png?width=100`;
  // The disk that the picture is on stops for a while.
  const blobs = instance.platform.blobs.storage;
  const read = blobs.read.bind(blobs);
  const stop = Promise.withResolvers<void>();
  blobs.read = async (...asked) => {
    await stop.promise;
    return read(...asked);
  };
  const late = await raw(url);
  assert.deepEqual([late.status, late.headers['retry-after']], [503, '5']);
  stop.resolve();
  const { status, headers } = await raw(url);
  assert.deepEqual([status, headers['content-type']], [200, 'image/webp']);
});

test('a webhook is told in order of each key, signed, until it answers', async () => {
  await using instance = await startInstance('sqlite');
  const { platform } = instance;
  const buckets = `/applications/${instance.bootstrapped.application.id}/storage/buckets`;
  const as = 'application';
  await instance.call('POST', buckets, { as, body: { name: 'told' } });
  const received: { body: string; headers: IncomingHttpHeaders }[] = [];
  let failures = 1;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const fails = failures-- > 0;
      if (!fails) received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
      response.writeHead(fails ? 500 : 204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const body = { webhookUrl: `http://127.0.0.1:${port}/hook` };
  await instance.call('PATCH', `${buckets}/told/settings`, { as, body });
  const { body: secret } = await instance.call('POST', `${buckets}/told/webhook-secret`, { as });
  const put = await instance.call('PUT', `${buckets}/told/objects?key=k`, { as, body: 'x' });
  // Noted by a node whose clock is far ahead.
  const { db } = platform;
  const { id: noted } = await db.selectFrom('storage_events').select('id').executeTakeFirstOrThrow();
  await db.write((tx) =>
    tx
      .updateTable('storage_events')
      .set({ id: noted.replace(/^.{8}/, 'ffffffff') })
      .execute(),
  );
  await instance.call('DELETE', `${buckets}/told/objects/${put.body.id}`, { as });

  const send = (allowed: string[], after = 0) => {
    const clock = { now: () => Date.now() + after };
    const contents = new Contents({
      ...platform,
      blobs: platform.blobs.storage,
      clock,
      encrypts: false,
      inlineBytes: 0,
    });
    const outgoing = new Outgoing({ allowed });
    return sendEvents({ ...platform, clock, contents, outgoing } as unknown as WebhookDeps);
  };
  // The instance's own task may not go to loopback either; what it tried is due again later.
  await send([]);
  assert.equal(received.length, 0, 'addresses that are not public are not asked');
  for (let later = 1; received.length < 2 && later < 30; later++)
    await send(['127.0.0.1/32'], later * 3_600_000);
  const types = received.map(({ body: text }) => JSON.parse(text).type);
  assert.deepEqual(types, ['object.created', 'object.deleted']);
  for (const { body: text, headers } of received) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const expected = createHmac('sha256', secret.secret).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${expected}`);
  }

  const { body: deliveries } = await instance.call('GET', `${buckets}/told/webhook-deliveries`, { as });
  const outcomes = deliveries.items.map(
    ({ type, key, ok, status }: { type: string; key: string; ok: boolean; status: number | null }) => [
      ...[type, key, ok, status],
    ],
  );
  assert.deepEqual(outcomes[0], ['object.deleted', 'k', true, 204]);
  assert.deepEqual(outcomes.at(1), ['object.created', 'k', true, 204]);
  assert.deepEqual(outcomes.at(2), ['object.created', 'k', false, 500]);
  const test = await instance.call('POST', `${buckets}/told/webhook-test`, { as });
  assert.deepEqual([test.body.ok, test.body.status], [false, null], 'not even a test goes to loopback');
  const { body: after } = await instance.call('GET', `${buckets}/told/webhook-deliveries`, { as });
  assert.deepEqual([after.items[0].type, after.items[0].error], ['test', test.body.error]);
  await instance.call('PATCH', `${buckets}/told/settings`, { as, body: { webhookUrl: null } });
  assert.equal((await instance.call('POST', `${buckets}/told/webhook-test`, { as })).status, 409);
  server.close();
});
