import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { testHome } from '#testing/engines.ts';
import { patchUpload, type StorageTest, startStorage, storageHomes } from '#testing/storage.ts';

/** Clients that lie about lengths, are slow, or open more than they finish; and a disk that is full. */

const MiB = 1024 * 1024;

for (const home of storageHomes) {
  describe(`hard times on ${home.name}`, () => {
    let storage: StorageTest;
    let bucket: string;
    before(async () => {
      storage = await startStorage(home, { settings: { MAINSTAY_STORAGE_DIRECT_SIZE: '1MiB' } });
      bucket = await storage.newBucket({ visibility: 'public' });
    });
    after(() => storage?.[Symbol.asyncDispose]());

    /** Headers, then what there is of the body; the connection stays open. */
    async function sendPart(url: string, method: string, headers: Record<string, string>, part: Uint8Array) {
      const { hostname, port, pathname, search } = new URL(url);
      const socket = connect({ host: hostname, port: Number(port) });
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`);
      socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      await new Promise((resolve) => socket.write(part, resolve));
      const status = async () => {
        while (!answer.includes('\r\n')) await once(socket, 'data');
        return Number(answer.split(' ')[1]);
      };
      return { socket, status };
    }
    const direct = async (key: string, length: number, part: Uint8Array) =>
      sendPart(
        `${storage.instance.url}${storage.base}${bucket}/objects?key=${key}`,
        'PUT',
        {
          authorization: `Bearer ${await storage.instance.token('application')}`,
          'content-length': String(length),
        },
        part,
      );
    const tus = (offset: number, length: number | undefined) => ({
      ...{ 'tus-resumable': '1.0.0', 'upload-offset': String(offset) },
      'content-type': 'application/offset+octet-stream',
      ...(length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }),
    });
    const offsetOf = async (url: string) => {
      const { headers } = await fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
      return Number(headers.get('upload-offset'));
    };

    test('a body that ends before its length leaves no object', async () => {
      const { socket } = await direct('short', 1000, randomBytes(400));
      socket.destroy();
      await once(socket, 'close');
      // The next write of the bucket comes after whatever that one did.
      await storage.stored(bucket, 'after-short', 'x');
      assert.ok(!(await storage.keys(bucket)).includes('short'));
    });

    test('what comes behind the length of a body is no part of the object', async () => {
      const { socket, status } = await direct('long', 5, Buffer.from('12345 and more'));
      assert.ok([200, 400].includes(await status()));
      socket.destroy();
      await storage.stored(bucket, 'after-long', 'x');
      const { items } = (await storage.call('GET', `${bucket}/objects?prefix=long`)).body;
      assert.ok(items.every(({ contentLength }: { contentLength: number }) => contentLength === 5));
    });

    test('a length past the quota is refused before the bytes come', async () => {
      const small = await storage.newBucket();
      await storage.call('PATCH', `${small}/settings`, { quotaBytes: 300_000 });
      await storage.stored(small, 'replaced', Buffer.alloc(200_000));
      const send = async (key: string, length: number) =>
        sendPart(
          `${storage.instance.url}${storage.base}${small}/objects?key=${key}`,
          'PUT',
          {
            authorization: `Bearer ${await storage.instance.token('application')}`,
            'content-length': String(length),
          },
          Buffer.alloc(0),
        );
      const refused = await send('other', 150_000);
      assert.equal(await refused.status(), 413);
      refused.socket.destroy();
      const put = await storage.put(small, 'replaced', Buffer.alloc(290_000));
      assert.equal(put.status, 200, 'what it replaces makes room');
      const tooLong = await direct('too-long', 2 * MiB, Buffer.alloc(0));
      assert.equal(await tooLong.status(), 413);
      tooLong.socket.destroy();
    });

    test('a session takes not a byte more than it announced, and waits for those that are missing', async () => {
      const bytes = randomBytes(1000);
      const { id, url } = await storage.begin(bucket, 'announced', bytes);
      const more = await sendPart(
        url,
        'PATCH',
        tus(0, undefined),
        Buffer.concat([Buffer.from('7d0\r\n'), bytes, bytes, Buffer.from('\r\n0\r\n\r\n')]),
      );
      assert.equal(await more.status(), 413);
      more.socket.destroy();
      assert.equal(await offsetOf(url), 0, 'nothing is kept of what lied');
      const less = await sendPart(url, 'PATCH', tus(0, 1000), bytes.subarray(0, 600));
      less.socket.destroySoon();
      await once(less.socket, 'close');
      // None of them, when the connection was gone before anybody read it.
      const kept = await offsetOf(url);
      assert.ok(kept === 0 || kept === 600, String(kept));
      const { state } = (await storage.call('GET', `${bucket}/uploads/${id}`)).body;
      assert.equal(state, kept === 0 ? 'pending' : 'ready');
      assert.ok(!(await storage.keys(bucket)).includes('announced'));
      assert.equal((await patchUpload(url, kept, bytes.subarray(kept))).status, 204);
      assert.ok((await storage.keys(bucket)).includes('announced'));
    });

    test('clients that send slowly hold nobody up, and what they send arrives', async () => {
      const bytes = randomBytes(60);
      const slow = await Promise.all(
        Array.from({ length: 12 }, async (_, at) => {
          const { url } = await storage.begin(bucket, `slow/${at}`, bytes);
          return sendPart(url, 'PATCH', tus(0, bytes.length), bytes.subarray(0, 20));
        }),
      );
      for (let at = 0; at < 5; at++) await storage.stored(bucket, `quick-${at}`, 'x');
      for (const { socket } of slow) socket.write(bytes.subarray(20, 40));
      assert.equal(
        (await patchUpload((await storage.begin(bucket, 'quick', bytes)).url, 0, bytes)).status,
        204,
      );
      for (const { socket } of slow) socket.write(bytes.subarray(40));
      for (const { status } of slow) assert.equal(await status(), 204);
      for (const { socket } of slow) socket.destroy();
      const { total } = (await storage.call('GET', `${bucket}/objects?prefix=slow/`)).body;
      assert.equal(total, 12);
    });

    test('clients that read slowly cost no memory, and get everything', async () => {
      const content = randomBytes(8 * MiB);
      const { url } = await storage.begin(bucket, 'film', content);
      assert.equal((await patchUpload(url, 0, content)).status, 204);
      const host = storage.instance.listeners.get('stored files');
      const address = `${host}/public/${bucket.split('/').at(-1)}/film`;
      globalThis.gc?.();
      const before = process.memoryUsage().rss;
      const responses = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const request = httpRequest(address, { agent: false });
          request.end();
          const [response] = (await once(request, 'response')) as [IncomingMessage];
          return response;
        }),
      );
      // Nobody reads: the server may hold a piece for each, and no more.
      await storage.stored(bucket, 'meanwhile', 'x');
      const grown = process.memoryUsage().rss - before;
      assert.ok(grown < 64 * MiB, `${Math.round(grown / MiB)} MiB for 96 MiB that wait`);
      const sizes = await Promise.all(
        responses.map(async (response) => {
          let size = 0;
          for await (const chunk of response) size += (chunk as Buffer).length;
          return size;
        }),
      );
      assert.ok(sizes.every((size) => size === content.length));
    });

    test('sessions that are open beside each other continue in any order', async () => {
      const bytes = randomBytes(100);
      const sessions = await Promise.all(
        Array.from({ length: 30 }, (_, at) => storage.begin(bucket, `many/${at}`, bytes)),
      );
      for (const part of [0, 50]) {
        const order = sessions.toSorted(() => Math.random() - 0.5);
        const send = ({ url }: { url: string }) => patchUpload(url, part, bytes.subarray(part, part + 50));
        const statuses = await Promise.all(order.map(async (one) => (await send(one)).status));
        assert.ok(statuses.every((status) => status === 204));
      }
      assert.equal((await storage.usage(bucket))['openUploads'], 0);
      assert.equal((await storage.call('GET', `${bucket}/objects?prefix=many/`)).body.total, 30);
    });
  });
}

const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

test('a disk that is full in the middle answers 507, keeps what it has, and continues once there is room', {
  skip: mounts ? false : 'this machine lets nobody mount a file system of its own',
}, async () => {
  await using home = await testHome('sqlite');
  const child = path.join(import.meta.dirname, 'full-disk-child.ts');
  const script = 'mkdir "$1" && mount -t tmpfs -o size=64m tmpfs "$1" && exec "$2" "$3" "$1"';
  const parameters = [path.join(home.folder, 'disk'), process.execPath, child];
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', ...parameters], {
    encoding: 'utf8',
  });
  assert.notEqual(stdout, '', stderr);
  assert.deepEqual(JSON.parse(stdout), {
    ...{ upload: 507, offset: 1_000_000, unfinished: 0, direct: 507, some: true, isRefusedListed: false },
    ...{ readable: true, goesOn: 204, state: 'completed', isWhole: true },
  });
});
