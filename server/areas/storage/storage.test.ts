import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { type Answer, type Instance, startInstance } from '#testing/instance.ts';
import { bytesByOrganization } from './totals-store.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

for (const engine of engines) {
  describe(`storage on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    let base: string;

    before(async () => {
      instance = await startInstance(engine, {
        clock,
        settings: { MAINSTAY_STORAGE_BUCKET_SIZE: '1MiB', MAINSTAY_STORAGE_DIRECT_SIZE: '512KiB' },
      });
      base = `/applications/${instance.bootstrapped.application.id}/storage`;
    });
    after(() => instance?.[Symbol.asyncDispose]());

    const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      instance.call(method, `${base}${path}`, {
        as: 'application',
        ...(body === undefined ? {} : { body }),
        ...(headers ? { headers } : {}),
      });
    const newBucket = async (options: Record<string, unknown> = {}) => {
      const name = `b-${randomBytes(4).toString('hex')}`;
      const { status, body } = await call('POST', '/buckets', { name, ...options });
      assert.equal(status, 200, JSON.stringify(body));
      return `/buckets/${name}`;
    };
    const put = async (
      bucket: string,
      key: string,
      content: string | Uint8Array,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      const url = `${instance.url}${base}${bucket}/objects?key=${encodeURIComponent(key)}`;
      const token = await instance.token('application');
      const response = await fetch(url, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body: content as string,
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    const stored = async (bucket: string, key: string, content: string | Uint8Array) => {
      const { status, body } = await put(bucket, key, content);
      assert.equal(status, 200, JSON.stringify(body));
      return body as { id: string; key: string };
    };
    const usage = async (bucket: string) => (await call('GET', `${bucket}/settings`)).body.usage;

    test('an organization sees how much it stores, in all and by application', async () => {
      const { organization, application } = instance.bootstrapped;
      const path = `/organizations/${organization.id}/storage/totals`;
      const totals = async (query = '') =>
        (await instance.call('GET', `${path}${query}`, { as: 'user' })).body;
      const before = await totals();
      const bucket = await newBucket();
      await stored(bucket, 'a', 'five!');
      const now = await totals(`?applicationId=${application.id}`);
      assert.deepEqual(now, {
        buckets: before.buckets + 1,
        objects: before.objects + 1,
        bytes: before.bytes + 5,
      });
      const body = { organizationId: organization.id, name: 'Stores nothing' };
      const { id } = (await instance.call('POST', '/applications', { as: 'user', body })).body;
      assert.deepEqual(await totals(`?applicationId=${id}`), { buckets: 0, objects: 0, bytes: 0 });
      assert.deepEqual(
        (await bytesByOrganization(instance.platform.db)).find(
          ({ organizationId }) => organizationId === organization.id,
        )?.bytes,
        now.bytes,
      );
    });

    test('a bucket has the shape of the contract, and is found by name and by id', async () => {
      const { status, body } = await call('POST', '/buckets', { name: 'photos', slug: 'ignored-slug' });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).sort(), [
        ...['applicationId', 'cdnHostname', 'createdAt', 'environmentId', 'id', 'name', 'slug'],
        ...['updatedAt', 'visibility'],
      ]);
      assert.equal(body.slug, 'photos');
      assert.equal(body.visibility, 'private');
      assert.deepEqual((await call('GET', '/buckets/photos')).body, body);
      assert.deepEqual((await call('GET', `/buckets/${body.id}`)).body, body);
      assert.equal((await call('GET', '/buckets/photos?environment=production')).status, 200);
      assert.equal((await call('GET', '/buckets/photos?environment=preview')).status, 404);
      assert.equal((await call('GET', `/buckets/${body.id}?environment=preview`)).status, 404);
      assert.equal((await call('POST', '/buckets', { name: 'photos' })).status, 409);
      const other = await call('POST', '/buckets', { name: 'photos', environment: 'preview' });
      assert.equal(other.body.name, 'photos');
      assert.equal(other.body.slug, 'photos-2');
      const { items, total } = (await call('GET', '/buckets?environment=preview')).body;
      assert.deepEqual([items.length, total], [1, 1]);
    });

    test('names that S3 forbids are refused', async () => {
      for (const name of [
        ...['', 'ab', 'a'.repeat(64), 'Upper', 'a_b', '-ab', 'ab-', 'a.b', 'ümlaut', 'a b', 'xn--abc'],
        ...['abc-s3alias', '0195c11c-0000-7000-8000-000000000001'],
      ]) {
        assert.equal((await call('POST', '/buckets', { name })).status, 400, name);
      }
    });

    test('an object is stored, described and listed', async () => {
      const bucket = await newBucket();
      const { status, body } = await put(bucket, 'a/b.txt', 'hello', { 'content-type': 'text/plain' });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).sort(), [
        ...['applicationId', 'bucketId', 'checksumMd5', 'checksumSha1', 'checksumSha256', 'contentLength'],
        ...['contentType', 'createdAt', 'id', 'key', 'updatedAt', 'uploadSessionId', 'uploadedAt'],
      ]);
      assert.equal(body.checksumSha256, sha256(Buffer.from('hello')));
      assert.equal(body.contentType, 'text/plain');
      assert.deepEqual((await call('GET', `${bucket}/objects/${body.id}`)).body, body);
      const { commonPrefixes, items, total } = (await call('GET', `${bucket}/objects`)).body;
      assert.deepEqual([commonPrefixes, items, total], [['a/'], [], 1]);
      const deep = (await call('GET', `${bucket}/objects?prefix=a/`)).body;
      assert.deepEqual([deep.commonPrefixes, deep.items], [[], [body]]);
      assert.equal((await call('GET', `${bucket}/objects?delimiter=`)).body.items.length, 1);
      assert.equal((await usage(bucket)).bytes, 5);
    });

    test('keys are any Unicode of 1 to 1024 bytes, in the order of their bytes, and never normalized', async () => {
      const bucket = await newBucket();
      const keys = [
        ...[
          '/leading',
          '//',
          '..',
          '../..',
          'a/../b',
          'a//b',
          '%2e%2e',
          'é',
          'e\u0301',
          '😀',
          '\uffff',
          'ключ',
        ],
        ...[' ', 'a b', 'a+b', 'a\n', '?x=1#y', 'z'.repeat(1024), 'é'.repeat(512)],
      ];
      for (const key of keys) await stored(bucket, key, key);
      const listed = (await call('GET', `${bucket}/objects?delimiter=&limit=1000`)).body.items;
      const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(
        listed.map(({ key }: { key: string }) => key),
        sorted,
      );
      for (const key of ['', 'z'.repeat(1025), 'é'.repeat(513), 'a\0b']) {
        assert.equal((await put(bucket, key, 'x')).status, 400, JSON.stringify(key.slice(0, 20)));
      }
      const lone = await call('POST', `${bucket}/uploads`, {
        ...{ key: 'a\ud800', contentLength: 1, checksumSha256: '0'.repeat(64) },
      });
      assert.equal(lone.status, 400);
    });

    test('an address that is not UTF-8 names no key, and is not taken for one as it stands', async () => {
      const bucket = await newBucket();
      const token = await instance.token('application');
      for (const key of ['%FF', 'a%ED%A0%80', 'a%20b%C3', '%', 'a%zz']) {
        const response = await fetch(`${instance.url}${base}${bucket}/objects?key=${key}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${token}` },
          body: 'x',
        });
        assert.equal(response.status, 400, key);
        assert.match(((await response.json()) as { error: string }).error, /UTF-8/);
        assert.equal((await call('GET', `${bucket}/objects?prefix=${key}`)).status, 400, key);
      }
      assert.equal((await usage(bucket)).objects, 0);
    });

    test('lists wait for no writer, with and without folders', async () => {
      const bucket = await newBucket();
      await stored(bucket, 'a/b', 'x');
      const gate = Promise.withResolvers<void>();
      const inside = Promise.withResolvers<void>();
      const writing = instance.platform.db.write(async (tx) => {
        await tx.selectFrom('storage_buckets').select('id').execute();
        inside.resolve();
        await gate.promise;
      });
      await inside.promise;
      try {
        assert.equal((await call('GET', `${bucket}/objects?delimiter=`)).body.items[0].key, 'a/b');
        assert.deepEqual((await call('GET', `${bucket}/objects`)).body.commonPrefixes, ['a/']);
      } finally {
        gate.resolve();
        await writing;
      }
    });

    test('a list is paged by cursor, with and without folders', async () => {
      const bucket = await newBucket();
      const keys = ['a', 'b/1', 'b/2', 'b/3/x', 'b0', 'c/d', 'c/e', 'd', 'é/x', '😀/x', '😀/y'];
      for (const key of keys) await stored(bucket, key, 'x');
      const walk = async (query: string) => {
        const seen: string[] = [];
        for (let cursor = '', pages = 0; ; pages++) {
          assert.ok(pages < 20);
          const { body } = await call('GET', `${bucket}/objects?${query}&limit=2${cursor}`);
          const found = [...body.items.map(({ key }: { key: string }) => key), ...body.commonPrefixes];
          assert.ok(found.length <= 2);
          seen.push(...found);
          if (!body.nextCursor) return seen;
          cursor = `&cursor=${body.nextCursor}`;
        }
      };
      assert.deepEqual((await walk('delimiter=')).toSorted(), keys.toSorted());
      assert.deepEqual((await walk('')).toSorted(), ['a', 'b/', 'b0', 'c/', 'd', 'é/', '😀/'].toSorted());
      assert.deepEqual((await walk('prefix=b/')).toSorted(), ['b/1', 'b/2', 'b/3/'].toSorted());
      assert.deepEqual((await walk('prefix=b&delimiter=/3/')).toSorted(), ['b/1', 'b/2', 'b/3/', 'b0']);
      assert.deepEqual(await walk('prefix=nothing'), []);
      assert.equal((await call('GET', `${bucket}/objects?cursor=%21`)).status, 400);
      assert.equal((await call('GET', `${bucket}/objects?page=2`)).status, 400);
    });

    test('all objects below a prefix are moved to the trash, some at a time, and never without a prefix', async () => {
      const bucket = await newBucket();
      for (const key of ['a/1', 'a/2', 'a/é/3', 'a/4', 'a', 'a0', 'b']) await stored(bucket, key, 'x');
      const remove = (query: string) => call('DELETE', `${bucket}/objects?${query}`);
      for (const query of ['', 'prefix=', 'prefix=a/&limit=0', 'prefix=a/&cursor=x', 'prefix=%00'])
        assert.equal((await remove(query)).status, 400, query);
      const first = await remove('prefix=a/&limit=3');
      assert.deepEqual([first.body.deletedCount, first.body.keptCount], [3, 0]);
      assert.equal((await remove(`prefix=b&cursor=${first.body.nextCursor}`)).status, 400);
      const second = await remove(`prefix=a/&cursor=${first.body.nextCursor}`);
      assert.deepEqual(second.body, { deletedCount: 1, keptCount: 0 });
      const keys = async (list: string) =>
        (await call('GET', `${bucket}/${list}`)).body.items.map(({ key }: { key: string }) => key);
      assert.deepEqual(await keys('objects?delimiter='), ['a', 'a0', 'b']);
      assert.deepEqual(await keys('trash'), ['a/1', 'a/2', 'a/4', 'a/é/3']);
      assert.equal((await usage(bucket)).trashedObjects, 4);
      assert.deepEqual((await remove('prefix=none/')).body, { deletedCount: 0, keptCount: 0 });
    });

    test('a deleted object waits in the trash with its id, and is restored or purged', async () => {
      const bucket = await newBucket();
      const { id } = await stored(bucket, 'doc', 'first');
      assert.equal((await call('DELETE', `${bucket}/objects/${id}`)).status, 204);
      assert.equal((await call('GET', `${bucket}/objects/${id}`)).status, 404);
      const trash = (await call('GET', `${bucket}/trash`)).body;
      assert.equal(trash.items[0].id, id);
      assert.ok(trash.items[0].deletedAt);
      assert.deepEqual([(await usage(bucket)).trashedBytes, (await usage(bucket)).bytes], [5, 0]);
      const second = await stored(bucket, 'doc', 'second');
      assert.equal((await call('POST', `${bucket}/trash/${id}/restore`)).status, 409);
      await call('DELETE', `${bucket}/objects/${second.id}`);
      const restored = await call('POST', `${bucket}/trash/${id}/restore`);
      assert.equal(restored.status, 200);
      assert.equal(restored.body.id, id);
      assert.equal(restored.body.deletedAt, undefined);
      assert.equal((await call('DELETE', `${bucket}/trash/${second.id}`)).status, 204);
      assert.equal((await call('DELETE', `${bucket}/trash/${second.id}`)).status, 404);
      await call('DELETE', `${bucket}/objects/${id}`);
      assert.deepEqual((await call('DELETE', `${bucket}/trash`)).body, { purgedCount: 1 });
      assert.deepEqual((await call('GET', `${bucket}/trash`)).body.items, []);
      assert.equal((await usage(bucket)).trashedBytes, 0);
    });

    test('writes can be made to depend on what is there', async () => {
      const bucket = await newBucket();
      assert.equal((await put(bucket, 'k', '1', { 'if-match': '"x"' })).status, 412);
      assert.equal((await put(bucket, 'k', '1', { 'if-none-match': '*' })).status, 200);
      assert.equal((await put(bucket, 'k', '2', { 'if-none-match': '*' })).status, 412);
      const { items } = (await call('GET', `${bucket}/objects`)).body;
      const { etag } = (await call('GET', `${bucket}/objects/${items[0].id}/properties`)).body;
      assert.equal((await put(bucket, 'k', '2', { 'if-match': `"${etag}"` })).status, 200);
      assert.equal((await put(bucket, 'k', '3', { 'if-match': `"${etag}"` })).status, 412);
      const racers = Array.from({ length: 8 }, (_, n) =>
        put(bucket, 'race', String(n), { 'if-none-match': '*' }),
      );
      const statuses = (await Promise.all(racers)).map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [200, ...Array(7).fill(412)]);
    });

    test('a body with another checksum than it names is refused', async () => {
      const bucket = await newBucket();
      const md5 = createHash('md5').update('right').digest('base64');
      assert.equal((await put(bucket, 'k', 'wrong', { 'content-md5': md5 })).status, 400);
      const digest = `sha-256=:${createHash('sha256').update('right').digest('base64')}:`;
      assert.equal((await put(bucket, 'k', 'wrong', { 'repr-digest': digest })).status, 400);
      assert.equal(
        (await put(bucket, 'k', 'right', { 'content-md5': md5, 'repr-digest': digest })).status,
        200,
      );
    });

    test('the quota counts objects, trash and announced uploads', async () => {
      const bucket = await newBucket();
      await call('PATCH', `${bucket}/settings`, { quotaBytes: 1000, quotaObjects: 3 });
      const { id } = await stored(bucket, 'a', Buffer.alloc(600));
      assert.equal((await put(bucket, 'b', Buffer.alloc(600))).status, 413);
      assert.equal((await put(bucket, 'a', Buffer.alloc(900))).status, 200, 'replaced, not added');
      assert.equal((await call('GET', `${bucket}/objects/${id}`)).status, 404);
      const [{ id: now }] = (await call('GET', `${bucket}/objects`)).body.items;
      await call('DELETE', `${bucket}/objects/${now}`);
      assert.equal((await put(bucket, 'b', Buffer.alloc(200))).status, 413, 'the trash counts');
      await call('DELETE', `${bucket}/trash`);
      const session = { key: 'u', contentLength: 800, checksumSha256: '0'.repeat(64) };
      assert.equal((await call('POST', `${bucket}/uploads`, session)).status, 200);
      assert.equal((await call('POST', `${bucket}/uploads`, session)).status, 413);
      assert.equal((await put(bucket, 'b', Buffer.alloc(300))).status, 413, 'announced bytes count');
      for (const key of ['1', '2']) assert.equal((await put(bucket, key, 'x')).status, 200);
      assert.equal((await put(bucket, '3', 'x')).status, 413, 'three objects are the limit');
      assert.equal((await put(await newBucket(), 'big', Buffer.alloc(600_000))).status, 413);
    });

    test('objects are copied and moved, in a bucket and between buckets', async () => {
      const [one, two] = [await newBucket(), await newBucket()];
      const { id } = await stored(one, 'a', 'content');
      const name = two.split('/').at(-1);
      const copy = await call('POST', `${one}/objects/${id}/copy`, { key: 'b' });
      assert.equal(copy.status, 200, JSON.stringify(copy.body));
      assert.notEqual(copy.body.id, id);
      const across = await call('POST', `${one}/objects/${id}/copy`, { key: 'c', bucket: name });
      assert.equal(across.body.checksumSha256, copy.body.checksumSha256);
      assert.equal((await usage(two)).bytes, 7);
      const moved = await call('POST', `${one}/objects/${id}/move`, { key: 'b' });
      assert.deepEqual([moved.body.id, moved.body.key], [id, 'b']);
      assert.equal((await call('GET', `${one}/objects/${copy.body.id}`)).status, 404);
      const left = await usage(one);
      assert.deepEqual([left.objects, left.bytes], [1, 7]);
    });

    test('headers, metadata and tags are kept and changed', async () => {
      const bucket = await newBucket();
      const headers = { 'content-type': 'text/css', 'cache-control': 'max-age=5', 'content-language': 'de' };
      const { id } = (await put(bucket, 'x', 'x', headers)).body;
      const path = `${bucket}/objects/${id}/properties`;
      const before = (await call('GET', path)).body;
      assert.deepEqual([before.contentType, before.cacheControl], ['text/css', 'max-age=5']);
      const changes = {
        cacheControl: null,
        metadata: { __proto__x: 'y', constructor: 'z' },
        tags: { t: '1' },
      };
      const after = (await call('PATCH', path, changes)).body;
      assert.equal(after.cacheControl, null);
      assert.deepEqual(after.metadata, changes.metadata);
      assert.equal(after.contentLanguage, 'de');
      assert.equal((await call('PATCH', path, { cacheControl: 'a\r\nb: c' })).status, 400);
      assert.equal((await call('PATCH', path, { contentType: 'no type' })).status, 400);
    });

    test('a versioned bucket keeps what was written over, and a deletion can be undone', async () => {
      const bucket = await newBucket();
      await call('PATCH', `${bucket}/settings`, { versioning: 'enabled' });
      await stored(bucket, 'k', '1');
      const second = await stored(bucket, 'k', '22');
      let counts = await usage(bucket);
      assert.deepEqual(
        [counts.objects, counts.bytes, counts.oldVersions, counts.oldVersionBytes],
        [1, 2, 1, 1],
      );
      await call('DELETE', `${bucket}/objects/${second.id}`);
      assert.deepEqual((await call('GET', `${bucket}/objects`)).body.items, []);
      counts = await usage(bucket);
      assert.deepEqual([counts.objects, counts.oldVersions, counts.trashedObjects], [0, 2, 1]);
      assert.equal((await call('POST', `${bucket}/trash/${second.id}/restore`)).status, 200);
      counts = await usage(bucket);
      assert.deepEqual([counts.objects, counts.oldVersions, counts.trashedObjects], [1, 1, 0]);
    });

    test('a deleted bucket is gone at once, with everything in it, and its names are free', async () => {
      const bucket = await newBucket();
      const { id } = await stored(bucket, 'k', 'x');
      assert.equal((await call('DELETE', `${bucket}?onlyIfEmpty=true`)).status, 409);
      await call('DELETE', `${bucket}/objects/${id}`);
      assert.equal((await call('DELETE', `${bucket}?onlyIfEmpty=true`)).status, 409, 'trash counts');
      assert.equal((await call('DELETE', bucket)).status, 204);
      assert.equal((await call('GET', bucket)).status, 404);
      assert.equal((await put(bucket, 'k', 'x')).status, 404);
      const again = await call('POST', '/buckets', { name: bucket.split('/').at(-1) });
      assert.equal(again.status, 200);
      assert.equal(again.body.slug, again.body.name);
    });

    test('another tenant sees nothing on any path, and a member changes nothing', async () => {
      const bucket = await newBucket();
      const { id } = await stored(bucket, 'k', 'x');
      const organizationId = instance.bootstrapped.organization.id;
      const other = await instance.call('POST', '/applications', {
        as: 'user',
        body: { organizationId, name: 'Other' },
      });
      const foreign = `/applications/${other.body.id}/storage`;
      for (const [method, path] of [
        ['GET', bucket],
        ['DELETE', bucket],
        ['GET', `${bucket}/settings`],
        ['GET', `${bucket}/usage`],
        ['GET', `${bucket}/objects`],
        ['GET', `${bucket}/objects/${id}`],
        ['DELETE', `${bucket}/objects/${id}`],
        ['GET', `${bucket}/objects/${id}/access-url`],
        ['GET', `${bucket}/objects/${id}/properties`],
        ['GET', `${bucket}/trash`],
        ['DELETE', `${bucket}/trash`],
        ['POST', `${bucket}/trash/${id}/restore`],
        ['DELETE', `${bucket}/trash/${id}`],
        ['GET', `${bucket}/uploads`],
        ['GET', `${bucket}/uploads/${id}`],
        ['DELETE', `${bucket}/uploads/${id}`],
      ] as const) {
        const asOther = await instance.call(method, `${foreign}${path}`, { as: 'user' });
        assert.equal(asOther.status, 404, `${method} ${path}`);
        const asNeighbour = await instance.call(method, `${foreign}${path}`, { as: 'application' });
        assert.equal(asNeighbour.status, 404, `${method} ${path} by the application`);
      }
    });
  });
}
