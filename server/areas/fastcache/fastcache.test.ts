import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from 'prom-client';
import { cacheEngines, ownCacheServer } from '#testing/caches.ts';
import { TestClock } from '#testing/clock.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { prepare } from '../../commands/prepare.ts';

const as = 'application';

/** Methods of an application's client. */
function client(instance: Instance) {
  const item = (query: Record<string, string>) => `/fastcache?${new URLSearchParams(query)}`;
  return {
    get: (key: string, headers = {}) => instance.call('GET', item({ key }), { as, headers }),
    set: (body: object, headers = {}) => instance.call('POST', '/fastcache', { as, body, headers }),
    remove: (key: string, headers = {}) => instance.call('DELETE', item({ key }), { as, headers }),
    clear: (prefix: string) => instance.call('DELETE', item({ prefix }), { as }),
    increment: (body: object, headers = {}) =>
      instance.call('POST', '/fastcache/increment', { as, body, headers }),
    batch: (operations: object[], headers = {}) =>
      instance.call('POST', '/fastcache/batch', { as, body: { operations }, headers }),
    keys: (query: Record<string, string> = {}) =>
      instance.call('GET', `/fastcache/keys?${new URLSearchParams(query)}`, { as }),
    stats: () => instance.call('GET', '/fastcache/stats', { as }),
  };
}

for (const engine of cacheEngines) {
  const server = engine === 'lmdb' ? undefined : await ownCacheServer(engine);
  const settings = server ? { MAINSTAY_CACHE_URL: server.url } : {};
  describe(`/fastcache on ${engine}`, () => {
    after(() => server?.[Symbol.asyncDispose]());
    const start = (clock?: TestClock) => startInstance('sqlite', { settings, ...(clock ? { clock } : {}) });

    test('an item is written, read, replaced and deleted', async () => {
      await using instance = await start();
      const { get, set, remove } = client(instance);
      const written = await set({ key: 'a/b?c&d', value: 'grüße 😀' });
      assert.equal(written.status, 201);
      const item = { key: 'a/b?c&d', value: 'grüße 😀', expiration: 0, byteSize: 12 };
      assert.deepEqual(written.body, item);
      const read = await get('a/b?c&d');
      assert.equal(read.status, 200);
      assert.deepEqual(read.body, item);
      assert.equal(read.headers.get('etag'), written.headers.get('etag'));
      assert.equal(read.headers.get('expires'), null);
      assert.match(read.headers.get('content-type') ?? '', /^application\/json/);
      await set({ key: 'a/b?c&d', value: '', expiration: null });
      assert.deepEqual((await get('a/b?c&d')).body, { ...item, value: '', byteSize: 0 });
      for (let round = 0; round < 2; round++) {
        const removed = await remove('a/b?c&d');
        assert.deepEqual([removed.status, removed.body], [204, '']);
      }
      const missing = await get('a/b?c&d');
      assert.deepEqual([missing.status, missing.body], [404, { error: 'There is no item with this key.' }]);
    });

    test('large values that are read slowly, by clients that give up too, are not mixed', async () => {
      await using instance = await start();
      const { set } = client(instance);
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      for (const key of names) await set({ key, value: key.repeat(700_000) });
      const token = await instance.token(as);
      const read = async (key: string, at: number) => {
        const request = get(`${instance.url}/fastcache?key=${key}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        // Long enough for the socket's buffers to fill and for others to be answered meanwhile.
        await sleep(at % 5);
        if (at % 7 === 0) return void request.destroy();
        const { value } = JSON.parse(await text(response)) as { value: string };
        assert.equal(value, key.repeat(700_000));
      };
      const rounds = Array.from({ length: 60 }, (_, at) => read(names[at % names.length] as string, at));
      await Promise.all(rounds);
    });

    test('values of every size are returned byte for byte', async () => {
      await using instance = await start();
      const { get, set } = client(instance);
      for (const length of [1, 100, 5000, 300_000]) {
        const value = '"é\n\\😀'.repeat(length / 5 + 1);
        const { status } = await set({ key: 'k', value });
        assert.equal(status, 201);
        assert.equal((await get('k')).body.value, value);
      }
    });

    test('an expiration is a lifetime up to thirty days, and a moment above', async () => {
      const clock = new TestClock({ still: true });
      await using instance = await start(clock);
      const { get, set } = client(instance);
      const expiry = (milliseconds: number) => new Date(milliseconds).toUTCString();
      const short = await set({ key: 'short', value: '1', expiration: 60 });
      assert.equal(short.body.expiration, 60);
      assert.equal(short.headers.get('expires'), expiry(clock.now() + 60_000));
      const moment = Math.floor(clock.now() / 1000) + 100;
      const at = await set({ key: 'moment', value: '1', expiration: moment });
      assert.equal(at.headers.get('expires'), expiry(moment * 1000));
      assert.equal((await get('moment')).body.expiration, moment);
      assert.equal((await set({ key: 'past', value: '1', expiration: 2_592_001 })).status, 201);
      assert.equal((await get('past')).status, 404);
      clock.advance(60);
      assert.equal((await get('short')).status, 404);
      assert.equal((await get('moment')).status, 200);
      clock.advance(41);
      assert.equal((await get('moment')).status, 404);
    });

    test('conditions of HTTP create only, compare and set, and revalidate', async () => {
      await using instance = await start();
      const { get, set, remove } = client(instance);
      const create = { 'if-none-match': '*' };
      const first = await set({ key: 'k', value: '1' }, create);
      assert.equal(first.status, 201);
      assert.equal((await set({ key: 'k', value: '2' }, create)).status, 412);
      const etag = first.headers.get('etag') as string;
      const second = await set({ key: 'k', value: '2' }, { 'if-match': `"nope", ${etag}` });
      assert.equal(second.status, 201);
      assert.notEqual(second.headers.get('etag'), etag);
      assert.equal((await set({ key: 'k', value: '3' }, { 'if-match': etag })).status, 412);
      assert.equal((await set({ key: 'none', value: '3' }, { 'if-match': '*' })).status, 412);
      assert.equal((await remove('k', { 'if-match': etag })).status, 412);
      const now = second.headers.get('etag') as string;
      const same = await get('k', { 'if-none-match': `W/${now}` });
      assert.deepEqual([same.status, same.body], [304, '']);
      assert.equal((await get('k', { 'if-none-match': etag })).status, 200);
      assert.equal((await get('k', { 'if-match': etag })).status, 412);
      assert.equal((await set({ key: 'k', value: '3' }, { 'if-match': 'bare' })).status, 400);
      assert.equal((await remove('k', { 'if-match': now })).status, 204);
    });

    test('an increment is atomic, keeps the lifetime and refuses what it cannot count', async () => {
      const clock = new TestClock({ still: true });
      await using instance = await start(clock);
      const { get, set, increment } = client(instance);
      const made = await increment({ key: 'n', by: 5, expiration: 60 });
      assert.equal(made.status, 200);
      assert.deepEqual(made.body, { key: 'n', value: '5', expiration: 60, byteSize: 1 });
      await Promise.all(Array.from({ length: 50 }, () => increment({ key: 'n', by: -1 })));
      assert.equal((await get('n')).body.value, '-45');
      clock.advance(60);
      assert.equal((await increment({ key: 'n', by: 1 })).body.value, '1');
      await set({ key: 'n', value: '9007199254740991' });
      const over = await increment({ key: 'n', by: 1 });
      assert.equal(over.status, 409);
      assert.match(over.body.error, /exceed 9007199254740991/);
      await set({ key: 'n', value: 'one' });
      assert.match((await increment({ key: 'n', by: 1 })).body.error, /not an integer/);
      const twice = { 'idempotency-key': 'retry' };
      await increment({ key: 'once', by: 1 }, twice);
      assert.equal((await increment({ key: 'once', by: 1 }, twice)).body.value, '1');
      assert.equal((await get('once')).body.value, '1');
      assert.equal((await increment({ key: 'once', by: 2 }, twice)).status, 422);
    });

    test('a batch answers each operation as it would be answered alone', async () => {
      await using instance = await start();
      const { batch, get } = client(instance);
      const { status, body } = await batch([
        { op: 'set', key: 'a', value: '1', expiration: 60 },
        { op: 'set', key: 'a', value: '2', ifNoneMatch: '*' },
        { op: 'increment', key: 'a', by: 41 },
        { op: 'get', key: 'a' },
        { op: 'get', key: 'missing' },
        { op: 'delete', key: 'a' },
        { op: 'set', key: 'x', value: 'x' },
        { op: 'increment', key: 'x', by: 1 },
      ]);
      assert.equal(status, 200);
      const statuses = body.results.map((result: { status: number }) => result.status);
      assert.deepEqual(statuses, [201, 412, 200, 200, 404, 204, 201, 409]);
      const [first, refused, , read] = body.results;
      assert.deepEqual(first.item, { key: 'a', value: '1', expiration: 60, byteSize: 1 });
      assert.match(first.expiresAt, /^\d{4}-.*Z$/);
      assert.match(refused.error, /^The item does not match the precondition/);
      assert.equal(read.item.value, '42');
      assert.equal((await get('x', { 'if-none-match': body.results[6].etag })).status, 304);
    });

    test('a batch that is malformed in one place does nothing, and says where', async () => {
      await using instance = await start();
      const { batch, get } = client(instance);
      const good = { op: 'set', key: 'good', value: '1' };
      for (const bad of [
        { op: 'set', key: 'k' },
        { op: 'set', key: '', value: '1' },
        { op: 'set', key: 'é'.repeat(257), value: '1' },
        { op: 'set', key: 'k', value: '1', expiration: 1e12 },
        { op: 'get', key: 'k', value: '1' },
        { op: 'increment', key: 'k', by: 1.5 },
        { op: 'what', key: 'k' },
        { key: 'k' },
      ]) {
        const { status, body } = await batch([good, bad]);
        assert.equal(status, 400, JSON.stringify(bad));
        assert.equal(typeof body.error, 'string');
      }
      assert.equal((await batch([])).status, 400);
      assert.equal((await batch(Array(101).fill(good))).status, 400);
      assert.equal((await get('good')).status, 404);
      assert.equal((await batch(Array(100).fill(good))).status, 200);
    });

    test('keys are listed by prefix and page, and deleted by prefix', async () => {
      await using instance = await start();
      const { batch, keys, clear } = client(instance);
      const names = ['b:1', 'b:é', 'a', 'b:2', 'c'];
      await batch(names.map((key) => ({ op: 'set', key, value: key })));
      const all = await keys();
      assert.deepEqual(
        all.body.items.map(({ key }: { key: string }) => key),
        ['a', 'b:1', 'b:2', 'b:é', 'c'],
      );
      const first = await keys({ prefix: 'b:', limit: '2' });
      assert.deepEqual(first.body.items[0], { key: 'b:1', expiration: 0, expiresAt: null, byteSize: 3 });
      assert.equal(first.body.items.length, 2);
      const cursor = first.body.nextCursor as string;
      const rest = await keys({ prefix: 'b:', limit: '2', cursor });
      assert.deepEqual(
        rest.body.items.map(({ key }: { key: string }) => key),
        ['b:é'],
      );
      assert.equal((await keys({ prefix: 'c', cursor })).status, 400);
      assert.equal((await keys({ cursor: 'made up' })).status, 400);
      const cleared = await clear('b:');
      assert.deepEqual([cleared.status, cleared.body], [200, { deletedCount: 3 }]);
      assert.deepEqual((await clear('b:')).body, { deletedCount: 0 });
      assert.deepEqual((await clear('')).body, { deletedCount: 2 });
    });

    test('statistics count items, bytes, hits and misses, and metrics show them', async () => {
      await using instance = await start();
      const { set, get, stats } = client(instance);
      await set({ key: 'k', value: 'v' });
      await get('k');
      await get('k');
      await get('none');
      assert.deepEqual((await stats()).body, {
        ...{ items: 1, bytes: 1 + 3 + 160, maxBytes: 256 * 1024 * 1024, hits: 2, misses: 1, evictions: 0 },
      });
      const metrics = await register.metrics();
      assert.match(metrics, /mainstay_fastcache_lookups_total\{result="hit"\} 2/);
      assert.match(metrics, /mainstay_fastcache_lookups_total\{result="miss"\} 1/);
      assert.match(metrics, /mainstay_fastcache_write_seconds_count 1/);
    });

    test('an application sees and deletes nothing of another tenant', async () => {
      await using instance = await start();
      const { set, get, clear } = client(instance);
      const other = await prepare(instance.platform, {
        email: 'other@example.com',
        password: 'correct horse battery',
        organization: 'Other',
        application: 'Other',
      });
      const theirs = { token: await fetchToken(instance.url, other.keys.application) };
      await set({ key: 'k', value: 'mine' });
      assert.equal((await instance.call('GET', '/fastcache?key=k', { as: theirs })).status, 404);
      assert.deepEqual((await instance.call('GET', '/fastcache/keys', { as: theirs })).body.items, []);
      const cleared = await instance.call('DELETE', '/fastcache?prefix=', { as: theirs });
      assert.deepEqual(cleared.body, { deletedCount: 0 });
      const written = await instance.call('POST', '/fastcache', {
        as: theirs,
        body: { key: 'k', value: 'theirs' },
      });
      assert.equal(written.status, 201);
      assert.equal((await get('k')).body.value, 'mine');
      await clear('');
      assert.equal((await instance.call('GET', '/fastcache?key=k', { as: theirs })).body.value, 'theirs');
    });
  });
}
