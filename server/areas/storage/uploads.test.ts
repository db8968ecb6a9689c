import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import * as tus from 'tus-js-client';
import { TestClock } from '#testing/clock.ts';
import { type TestHome, testHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { storageHomes } from '#testing/storage.ts';
import { partBytes } from './parts.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const sha1base64 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('base64');

for (const { name, engine, settings: settingsOf } of storageHomes) {
  describe(`uploads on ${name}`, () => {
    const clock = new TestClock();
    const settings = settingsOf();
    let home: TestHome;
    let instance: Instance;
    let base: string;
    let bucket: string;

    before(async () => {
      home = await testHome(engine);
      instance = await startInstance(engine, { clock, home, settings });
      base = `/applications/${instance.bootstrapped.application.id}/storage`;
      await instance.call('POST', `${base}/buckets`, { as: 'application', body: { name: 'uploads' } });
      bucket = `${base}/buckets/uploads`;
    });
    after(async () => {
      await instance?.[Symbol.asyncDispose]();
      await home?.[Symbol.asyncDispose]();
    });

    const call = (method: string, path: string, body?: unknown) =>
      instance.call(method, path, { as: 'application', ...(body === undefined ? {} : { body }) });

    async function begin(bytes: Uint8Array, options: Record<string, unknown> = {}) {
      const { status, body } = await call('POST', `${bucket}/uploads`, {
        ...{ key: `k-${randomBytes(4).toString('hex')}`, contentLength: bytes.length },
        ...{ checksumSha256: sha256(bytes), ...options },
      });
      assert.equal(status, 200, JSON.stringify(body));
      const { session, upload } = body;
      const own = instance.listeners.get('stored files') as string;
      assert.ok(upload.url.startsWith(`${own}/uploads/`), upload.url);
      return {
        id: session.id as string,
        key: session.key as string,
        url: upload.url as string,
        session,
        upload,
      };
    }
    const head = (url: string) => fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
    const patch = (url: string, offset: number, bytes: Uint8Array, headers: Record<string, string> = {}) =>
      fetch(url, {
        method: 'PATCH',
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': String(offset) },
          ...{ 'content-type': 'application/offset+octet-stream', ...headers },
        },
        body: bytes as Uint8Array<ArrayBuffer>,
      });
    const state = async (id: string) => (await call('GET', `${bucket}/uploads/${id}`)).body.state;
    const objectAt = async (key: string) => {
      const { body } = await call('GET', `${bucket}/objects?prefix=${encodeURIComponent(key)}`);
      return body.items.find((item: { key: string }) => item.key === key);
    };
    const contentOf = async (id: string) => {
      const { body } = await call('GET', `${bucket}/objects/${id}/access-url`);
      const response = await fetch(body.url);
      assert.equal(response.status, 200);
      return Buffer.from(await response.arrayBuffer());
    };

    test('a session goes from pending over ready to completed, in as many requests as the client likes', async () => {
      const bytes = randomBytes(100_000);
      const { id, key, url, session } = await begin(bytes, { contentType: 'image/png' });
      assert.deepEqual(Object.keys(session).sort(), [
        ...['applicationId', 'bucketId', 'checksumMd5', 'checksumSha1', 'checksumSha256', 'contentLength'],
        ...['contentType', 'createdAt', 'expiresAt', 'id', 'key', 'state', 'updatedAt', 'uploadedAt'],
      ]);
      assert.equal(session.state, 'pending');
      const first = await head(url);
      assert.deepEqual(
        [first.status, first.headers.get('upload-offset'), first.headers.get('upload-length')],
        [200, '0', '100000'],
      );
      assert.ok(first.headers.get('upload-expires'));
      assert.match(first.headers.get('access-control-expose-headers') ?? '', /Upload-Offset, Upload-Length/);
      for (let at = 0; at < bytes.length; at += 30_000) {
        const chunk = bytes.subarray(at, at + 30_000);
        const { status, headers } = await patch(url, at, chunk);
        assert.deepEqual([status, headers.get('upload-offset')], [204, String(at + chunk.length)]);
        if (at === 0) assert.equal(await state(id), 'ready');
      }
      assert.equal(await state(id), 'completed');
      const object = await objectAt(key);
      assert.deepEqual([object.uploadSessionId, object.contentType], [id, 'image/png']);
      assert.ok((await contentOf(object.id)).equals(bytes));
      assert.equal((await head(url)).headers.get('upload-offset'), '100000');
      assert.equal(
        (await patch(url, 100_000, Buffer.alloc(0))).status,
        409,
        'a finished session takes nothing',
      );
    });

    test('a session of zero bytes completes at its creation', async () => {
      const { id, key, url } = await begin(Buffer.alloc(0));
      assert.equal(await state(id), 'completed');
      assert.equal((await objectAt(key)).contentLength, 0);
      const { status, headers } = await head(url);
      assert.deepEqual([status, headers.get('upload-offset'), headers.get('upload-length')], [200, '0', '0']);
    });

    for (const checksum of ['checksumSha256', 'checksumSha1', 'checksumMd5'] as const) {
      test(`a wrong ${checksum} ends the session as failed with 460, and no object appears`, async () => {
        const bytes = randomBytes(1000);
        const digits = { checksumSha256: 64, checksumSha1: 40, checksumMd5: 32 }[checksum];
        const { id, key, url } = await begin(bytes, { [checksum]: 'a'.repeat(digits) });
        assert.equal((await patch(url, 0, bytes)).status, 460);
        assert.equal(await state(id), 'failed');
        assert.equal(await objectAt(key), undefined);
        assert.equal((await patch(url, 1000, Buffer.alloc(0))).status, 460);
        assert.equal((await head(url)).status, 460);
      });
    }

    test('the checksum of a request keeps its bytes out when they are others', async () => {
      const bytes = randomBytes(2000);
      const { id, url } = await begin(bytes);
      const half = bytes.subarray(0, 1000);
      const wrong = `sha1 ${sha1base64(randomBytes(4))}`;
      assert.equal((await patch(url, 0, half, { 'upload-checksum': wrong })).status, 460);
      assert.equal((await head(url)).headers.get('upload-offset'), '0');
      assert.equal((await patch(url, 0, half, { 'upload-checksum': 'crc9 abc=' })).status, 400);
      const right = `sha1 ${sha1base64(half)}`;
      assert.equal((await patch(url, 0, half, { 'upload-checksum': right })).status, 204);
      assert.equal((await patch(url, 1000, bytes.subarray(1000))).status, 204);
      assert.equal(await state(id), 'completed');
    });

    test('wrong offsets, lengths, types and versions are refused, and nothing is kept of them', async () => {
      const bytes = randomBytes(100);
      const { url } = await begin(bytes);
      assert.equal((await patch(url, 5, bytes)).status, 409);
      assert.equal((await patch(url, 0, randomBytes(101))).status, 413);
      assert.equal((await patch(url, 0, bytes, { 'content-type': 'text/plain' })).status, 415);
      assert.equal((await patch(url, 0, bytes, { 'upload-offset': '-1' })).status, 400);
      assert.equal((await patch(url, 0, bytes, { 'tus-resumable': '0.2.2' })).status, 412);
      assert.equal((await fetch(url, { method: 'POST', body: 'x' })).status, 405);
      assert.equal((await head(url)).headers.get('upload-offset'), '0');
    });

    test('forged addresses are refused alike, whether the session exists or not', async () => {
      const { url, id } = await begin(randomBytes(10));
      const own = instance.listeners.get('stored files');
      const forged = [
        ...['A', 'B', 'C', 'D', 'E'].filter((end) => !url.endsWith(end)).map((end) => url.slice(0, -1) + end),
        `${own}/uploads/${id}`,
        `${own}/uploads/${id}/1.${'A'.repeat(43)}`,
        `${own}/uploads/0195c11c-0000-7000-8000-000000000001/1.${'A'.repeat(43)}`,
        `${own}/uploads/x/1.y`,
      ];
      const bodies = new Set<string>();
      for (const address of forged) {
        const response = await fetch(address, { method: 'PATCH' });
        assert.equal(response.status, 403, address);
        bodies.add(await response.text());
      }
      assert.equal(bodies.size, 1);
    });

    test('an expired session is 410, and its reservation is given back', async () => {
      const bytes = randomBytes(10);
      const { id, url } = await begin(bytes);
      clock.advance(24 * 3600 + 1);
      assert.equal((await head(url)).status, 410);
      const late = await patch(url, 0, bytes);
      assert.equal(late.status, 410);
      assert.match(await late.text(), /has expired/);
      assert.equal(await state(id), 'expired');
    });

    test('a canceled session is over', async () => {
      const bytes = randomBytes(10);
      const { id, url } = await begin(bytes);
      const headers = { 'tus-resumable': '1.0.0' };
      assert.equal((await fetch(url, { method: 'DELETE', headers })).status, 204);
      assert.equal(await state(id), 'expired');
      assert.equal((await head(url)).status, 410);
      for (const answer of [await patch(url, 0, bytes), await fetch(url, { headers })]) {
        assert.equal(answer.status, 410);
        assert.match(await answer.text(), /was canceled/);
      }
    });

    test('when the connection breaks, what had come is kept, on any node', async () => {
      const bytes = randomBytes(300_000);
      const { id, key, url } = await begin(bytes);
      const response = Promise.withResolvers<void>();
      const request = httpRequest(url, {
        method: 'PATCH',
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(bytes.length) },
          'content-type': 'application/offset+octet-stream',
        },
      });
      request.on('error', () => response.resolve());
      request.write(bytes.subarray(0, 200_000), () => setTimeout(() => request.destroy(), 50));
      await response.promise;
      const other = await startInstance(engine, { clock, home, settings });
      const path = new URL(url).pathname;
      let offset = 0;
      // The first node ends the request within a moment of the break.
      for (let tries = 0; offset === 0 && tries < 1000; tries++) {
        const answer = await head(`${other.listeners.get('stored files')}${path}`);
        offset = Number(answer.headers.get('upload-offset'));
        if (offset === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.ok(offset > 0 && offset <= 200_000, String(offset));
      const rest = await patch(
        `${other.listeners.get('stored files')}${path}`,
        offset,
        bytes.subarray(offset),
      );
      assert.equal(rest.status, 204);
      await other[Symbol.asyncDispose]();
      assert.equal(await state(id), 'completed');
      assert.ok((await contentOf((await objectAt(key)).id)).equals(bytes));
    });

    test('of parallel requests for one session one is taken, and of parallel sessions the last to end wins', async () => {
      const bytes = randomBytes(5000);
      const one = await begin(bytes);
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => patch(one.url, 0, bytes).catch(() => undefined)),
      );
      const statuses = answers.map((answer) => answer?.status ?? 409);
      assert.equal(statuses.filter((status) => status === 204).length >= 1, true, statuses.join());
      assert.ok(
        statuses.every((status) => status === 204 || status === 409),
        statuses.join(),
      );
      assert.equal(await state(one.id), 'completed');

      const contents = Array.from({ length: 4 }, () => randomBytes(60_000));
      const key = 'contended';
      const sessions = await Promise.all(contents.map((content) => begin(content, { key })));
      await Promise.all(sessions.map(({ url }, at) => patch(url, 0, contents[at] as Buffer)));
      const final = await contentOf((await objectAt(key)).id);
      assert.ok(
        contents.some((content) => content.equals(final)),
        'one of them, whole',
      );
    });

    const put = (url: string, offset: number, bytes: Uint8Array, headers: Record<string, string> = {}) =>
      fetch(url, {
        method: 'PUT',
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': String(offset) },
          ...{ 'content-type': 'application/offset+octet-stream', ...headers },
        },
        body: bytes as Uint8Array<ArrayBuffer>,
      });

    test('parts come in any order, several at once and twice, and are checked as a whole', async () => {
      const bytes = randomBytes(3 * partBytes + 1000);
      const part = (at: number) => bytes.subarray(at * partBytes, (at + 1) * partBytes);
      const { id, key, url } = await begin(bytes);
      const seen = async () => {
        const { headers } = await head(url);
        return [headers.get('upload-offset'), headers.get('x-mainstay-parts')];
      };
      assert.equal((await head(url)).headers.get('x-mainstay-part-size'), String(partBytes));
      assert.equal((await put(url, 3 * partBytes, part(3))).status, 204);
      assert.equal((await put(url, partBytes, part(1))).status, 204);
      assert.deepEqual(await seen(), ['0', '1,3']);
      // Not at the beginning of a part, beyond the end, too short, too long, and other bytes than its checksum names.
      assert.equal((await put(url, 1000, part(1))).status, 400);
      assert.equal((await put(url, 4 * partBytes, part(3))).status, 400);
      assert.equal((await put(url, 0, part(3))).status, 400);
      assert.equal((await put(url, 3 * partBytes, part(1))).status, 413);
      const checksum = { 'upload-checksum': `sha1 ${sha1base64(part(3))}` };
      assert.equal((await put(url, 2 * partBytes, part(2), checksum)).status, 460);
      assert.equal((await patch(url, 0, part(0))).status, 409, 'it would run into a part that is there');
      assert.deepEqual(await seen(), ['0', '1,3']);
      const twice = await Promise.all([put(url, partBytes, part(1)), put(url, 2 * partBytes, part(2))]);
      assert.deepEqual(
        twice.map(({ status }) => status),
        [204, 204],
      );
      assert.deepEqual(await seen(), ['0', '1-3']);
      assert.equal(await objectAt(key), undefined, 'no object before the last part');
      const last = await put(url, 0, part(0));
      assert.deepEqual([last.status, last.headers.get('upload-offset')], [204, String(bytes.length)]);
      assert.equal((await put(url, 0, part(0))).status, 204, 'whose answer was lost, sends it again');
      assert.equal(await state(id), 'completed');
      assert.ok((await contentOf((await objectAt(key)).id)).equals(bytes));

      const small = bytes.subarray(2 * partBytes);
      const other = await begin(small);
      await Promise.all([0, 1].map((at) => put(other.url, at * partBytes, part(at + 2))));
      assert.equal(await state(other.id), 'completed');
      const wrong = await begin(small, { checksumSha256: sha256(randomBytes(8)) });
      const statuses = [];
      for (const at of [1, 0]) statuses.push((await put(wrong.url, at * partBytes, part(at + 2))).status);
      assert.deepEqual(statuses, [204, 460]);
      assert.equal(await state(wrong.id), 'failed');
      assert.equal(await objectAt(wrong.key), undefined);
    });

    test('a part that broke off is not kept, and the same part again ends its broken connection', async () => {
      const bytes = randomBytes(partBytes + 10);
      const { id, url } = await begin(bytes);
      const broken = httpRequest(url, {
        method: 'PUT',
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(partBytes) },
          'content-type': 'application/offset+octet-stream',
        },
      });
      const ended = new Promise((resolve) => broken.on('error', resolve).on('response', resolve));
      await new Promise((resolve) => broken.write(bytes.subarray(0, 2_000_000), resolve));
      // Where the broken one is heard of last, it ends this one: a client sends it again.
      const send = () => put(url, 0, bytes.subarray(0, partBytes));
      assert.equal((await send().catch(send)).status, 204);
      broken.destroy();
      await ended;
      assert.equal((await head(url)).headers.get('upload-offset'), String(partBytes));
      assert.equal((await put(url, partBytes, bytes.subarray(partBytes))).status, 204);
      assert.equal(await state(id), 'completed');

      const begun = await begin(bytes);
      assert.equal((await patch(begun.url, 0, bytes.subarray(0, 1000))).status, 204);
      assert.equal((await put(begun.url, 0, bytes.subarray(0, partBytes))).status, 409);
      assert.equal((await head(begun.url)).headers.get('upload-offset'), '1000');
      assert.equal((await put(begun.url, partBytes, bytes.subarray(partBytes))).status, 409);
      assert.equal((await patch(begun.url, 1000, bytes.subarray(1000))).status, 204);
      assert.equal(await state(begun.id), 'completed');
    });

    test('many small requests make few pieces', async () => {
      const bytes = randomBytes(20_000);
      const { id, key, url } = await begin(bytes);
      for (let at = 0; at < bytes.length; at += 100) await patch(url, at, bytes.subarray(at, at + 100));
      assert.equal(await state(id), 'completed');
      const pieces = await instance.platform.db
        .selectFrom('storage_pieces')
        .select('blob')
        .where('content_id', '=', id)
        .execute();
      assert.ok(pieces.length < 70, String(pieces.length));
      assert.ok((await contentOf((await objectAt(key)).id)).equals(bytes));
    });

    test('tus-js-client uploads, pauses and resumes', async () => {
      const bytes = randomBytes(700_000);
      const { id, key, url, upload } = await begin(bytes);
      const run = (uploadUrl: string, stopAfter: number) =>
        new Promise<'done' | 'stopped'>((resolve, reject) => {
          const client = new tus.Upload(bytes, {
            ...{ uploadUrl, chunkSize: 100_000, retryDelays: [], storeFingerprintForResuming: false },
            headers: Object.fromEntries(
              Object.entries(upload.headers as Record<string, string>).filter(
                ([name]) => name !== 'Tus-Resumable',
              ),
            ),
            onError: reject,
            onSuccess: () => resolve('done'),
            onChunkComplete: (_size, accepted) => {
              if (accepted >= stopAfter) void client.abort().then(() => resolve('stopped'));
            },
          });
          client.start();
        });
      assert.equal(await run(url, 300_000), 'stopped');
      assert.equal(await state(id), 'ready');
      assert.equal(await run(url, Number.POSITIVE_INFINITY), 'done');
      assert.equal(await state(id), 'completed');
      assert.ok((await contentOf((await objectAt(key)).id)).equals(bytes));
    });

    test('a page of another origin is told what it may send', async () => {
      const { url } = await begin(randomBytes(1));
      const response = await fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://example.com',
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'tus-resumable, upload-offset, content-type',
        },
      });
      assert.equal(response.status, 204);
      assert.match(response.headers.get('access-control-allow-methods') ?? '', /PATCH, PUT, HEAD/);
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.match(response.headers.get('access-control-allow-headers') ?? '', /upload-offset/);
      assert.match(response.headers.get('tus-extension') ?? '', /checksum/);
    });

    test('sessions are listed newest first, page by page', async () => {
      const first = (await call('GET', `${bucket}/uploads?limit=2`)).body;
      assert.equal(first.items.length, 2);
      assert.ok(first.items[0].id > first.items[1].id);
      const second = (await call('GET', `${bucket}/uploads?limit=2&cursor=${first.nextCursor}`)).body;
      assert.ok(second.items[0].id < first.items[1].id);
      assert.ok(first.total >= 4);
    });
  });
}
