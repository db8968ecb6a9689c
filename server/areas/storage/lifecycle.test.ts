import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { type StorageTest, startStorage, storageHomes } from '#testing/storage.ts';
import { applyLifecycles } from './lifecycle.ts';
import type { StorageDeps } from './rules.ts';

const day = 86_400;

for (const home of storageHomes) {
  describe(`lifecycle rules on ${home.name}`, () => {
    const clock = new TestClock();
    let storage: StorageTest;
    before(async () => {
      storage = await startStorage(home, {
        clock,
        settings: { MAINSTAY_STORAGE_UPLOAD_LIFETIME: '30d', MAINSTAY_STORAGE_TRASH: '400d' },
      });
    });
    after(() => storage?.[Symbol.asyncDispose]());

    const withRules = async (lifecycle: unknown[], versioning?: string) => {
      const bucket = await storage.newBucket();
      const body = { lifecycle, ...(versioning ? { versioning } : {}) };
      const { status } = await storage.call('PATCH', `${bucket}/settings`, body);
      assert.equal(status, 200);
      return bucket;
    };
    /** Lets days pass, then the rules are applied as their task does. */
    const pass = async (days: number) => {
      clock.advance(days * day);
      const limits = { bucketBytes: 2 ** 40, bucketObjects: 1_000_000, garbageSeconds: 3600 };
      await applyLifecycles({ db: storage.instance.platform.db, clock, limits } as unknown as StorageDeps);
    };

    test('objects are removed at their age and by their prefix, permanently', async () => {
      const bucket = await withRules([
        { prefix: 'tmp/', expireAfterDays: 2 },
        { prefix: 'old/', expireAfterDays: 5, enabled: false },
      ]);
      for (const key of ['tmp/a', 'tmp/b', 'old/c', 'kept']) await storage.stored(bucket, key, 'x');
      await pass(1.5);
      await storage.stored(bucket, 'tmp/b', 'written again');
      assert.equal((await storage.keys(bucket)).length, 4);
      await pass(1);
      assert.deepEqual(await storage.keys(bucket), ['kept', 'old/c', 'tmp/b']);
      await pass(10);
      assert.deepEqual(await storage.keys(bucket), ['kept', 'old/c']);
      assert.equal((await storage.usage(bucket))['trashedObjects'], 0);
    });

    test('in a versioned bucket an expired object leaves a marker and an old version', async () => {
      const bucket = await withRules([{ expireAfterDays: 2 }], 'enabled');
      await storage.stored(bucket, 'k', 'x');
      await pass(3);
      assert.deepEqual(await storage.keys(bucket), []);
      const { items } = (await storage.call('GET', `${bucket}/versions?key=k`)).body;
      assert.deepEqual(
        items.map(({ isDeleteMarker }: { isDeleteMarker: boolean }) => isDeleteMarker),
        [true, false],
      );
    });

    test('old versions go by age and by count, and the current one stays', async () => {
      const byAge = await withRules([{ expireOldVersionsAfterDays: 3 }], 'enabled');
      const byCount = await withRules([{ keepOldVersions: 2 }], 'enabled');
      const byBoth = await withRules([{ keepOldVersions: 1, expireOldVersionsAfterDays: 3 }], 'enabled');
      for (const bucket of [byAge, byCount, byBoth])
        for (let version = 1; version <= 5; version++) await storage.stored(bucket, 'k', 'v'.repeat(version));
      const sizes = async (bucket: string) =>
        (await storage.call('GET', `${bucket}/versions?key=k`)).body.items.map(
          ({ contentLength }: { contentLength: number }) => contentLength,
        );
      await pass(1);
      assert.deepEqual(await sizes(byAge), [5, 4, 3, 2, 1]);
      assert.deepEqual(await sizes(byCount), [5, 4, 3]);
      assert.deepEqual(await sizes(byBoth), [5, 4, 3, 2, 1]);
      await pass(3);
      assert.deepEqual(await sizes(byAge), [5]);
      assert.deepEqual(await sizes(byBoth), [5, 4]);
      assert.equal((await storage.usage(byAge))['oldVersionBytes'], 0);
    });

    test('uploads that are never finished are ended, and give their room back', async () => {
      const bucket = await withRules([{ prefix: 'in/', abortUploadsAfterDays: 2 }]);
      const stale = await storage.begin(bucket, 'in/a', Buffer.alloc(1000));
      const other = await storage.begin(bucket, 'b', Buffer.alloc(1000));
      await pass(3);
      const fresh = await storage.begin(bucket, 'in/c', Buffer.alloc(1000));
      await pass(1);
      const states = await Promise.all(
        [stale, other, fresh].map(
          async ({ id }) => (await storage.call('GET', `${bucket}/uploads/${id}`)).body.state,
        ),
      );
      assert.deepEqual(states, ['expired', 'pending', 'pending']);
      assert.equal((await storage.usage(bucket))['openUploads'], 2);
    });
  });
}
