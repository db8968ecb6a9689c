import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Client } from '../sdk/index.ts';
import { clientOf, errorOf, plainFetch, refusal } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

for (const name of targetNames) {
  describe(`the cache on ${name}`, () => {
    const prefix = `acceptance:${randomUUID()}:`;
    let target: Target & AsyncDisposable;
    let client: Client;
    before(async () => {
      target = await openTarget(name);
      client = clientOf(target, 'application');
    });
    after(async () => {
      await client.fastcache.deleteByPrefix(prefix);
      await target[Symbol.asyncDispose]();
    });

    test('an item is read as it was written, until it is deleted', async () => {
      const key = `${prefix}snow ❄/?&`;
      const written = await client.fastcache.set({ key, value: 'ünïcode', expiration: 60 });
      assert.deepEqual(written, { key, value: 'ünïcode', expiration: 60, byteSize: 9 });
      const { etag, expiresAt, ...item } = (await client.fastcache.get(key)) ?? {};
      assert.deepEqual(item, written);
      assert.ok(etag);
      assert.ok(Math.abs((expiresAt?.getTime() ?? 0) - Date.now() - 60_000) < 5000);
      await client.fastcache.delete(key);
      await client.fastcache.delete(key);
      assert.equal(await client.fastcache.get(key), undefined);
    });

    test('null, 0 and nothing never expire; a time that is past does at once', async () => {
      for (const expiration of [null, 0, undefined]) {
        const key = `${prefix}forever`;
        await client.fastcache.set({ key, value: '', ...(expiration === undefined ? {} : { expiration }) });
        assert.equal((await client.fastcache.get(key))?.expiresAt, null);
      }
      await client.fastcache.set({ key: `${prefix}past`, value: 'x', expiration: 1_600_000_000 });
      assert.equal(await client.fastcache.get(`${prefix}past`), undefined);
    });

    test('conditions create only, compare and set', async () => {
      const key = `${prefix}condition`;
      await client.fastcache.set({ key, value: '1' }, { ifNoneMatch: '*' });
      await refusal(412, client.fastcache.set({ key, value: '2' }, { ifNoneMatch: '*' }));
      const { etag } = (await client.fastcache.get(key)) ?? {};
      await client.fastcache.set({ key, value: '2' }, { ifMatch: etag ?? '' });
      await refusal(412, client.fastcache.set({ key, value: '3' }, { ifMatch: etag ?? '' }));
      await refusal(412, client.fastcache.delete(key, { ifMatch: etag ?? '' }));
      assert.equal((await client.fastcache.get(key))?.value, '2');
    });

    test('a counter loses nothing to others who count', async () => {
      const key = `${prefix}counter`;
      await Promise.all(Array.from({ length: 20 }, () => client.fastcache.increment({ key, by: 2 })));
      assert.equal((await client.fastcache.increment({ key, by: -1 })).value, '39');
      await client.fastcache.set({ key, value: 'no number' });
      await refusal(409, client.fastcache.increment({ key, by: 1 }));
    });

    test('a batch answers each operation, keys come page by page, a prefix deletes them', async () => {
      const under = `${prefix}batch:`;
      const { results } = await client.fastcache.batch([
        { op: 'set', key: `${under}a`, value: '1' },
        { op: 'get', key: `${under}a` },
        { op: 'get', key: `${under}none` },
        { op: 'increment', key: `${under}n`, by: 5 },
        { op: 'delete', key: `${under}none` },
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        [201, 200, 404, 200, 204],
      );
      const keys: string[] = [];
      for await (const { key } of client.fastcache.keys({ prefix: under, limit: 1 })) keys.push(key);
      assert.deepEqual(keys, [`${under}a`, `${under}n`]);
      assert.deepEqual(await client.fastcache.deleteByPrefix(under), { deletedCount: 2 });
      const stats = await client.fastcache.stats();
      assert.ok(stats.items >= 0 && stats.bytes <= stats.maxBytes);
    });

    test('what is not a key, a value or a time is refused', async () => {
      const { fastcache } = client;
      await refusal(400, fastcache.set({ key: '', value: 'x' }));
      await refusal(400, fastcache.set({ key: 'k'.repeat(513), value: 'x' }));
      await refusal(400, fastcache.set({ key: `${prefix}x`, value: 'x', expiration: -1 }));
      await refusal(400, fastcache.set({ key: `${prefix}x`, value: 'x', expiration: 1.5 }));
      await refusal(413, fastcache.set({ key: `${prefix}x`, value: 'x'.repeat(2 ** 20 + 1) }));
      assert.equal(await fastcache.get(`${prefix}x`), undefined);
    });

    test('only applications and what runs for them have a cache', async () => {
      await refusal(403, clientOf(target, 'user').fastcache.stats());
      await refusal(403, clientOf(target, 'organization').fastcache.stats());
      const nobody = await plainFetch(target, undefined);
      const response = await nobody('/fastcache?key=a');
      assert.equal(response.status, 401);
      assert.ok(await errorOf(response));
    });
  });
}
