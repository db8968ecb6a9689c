import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { patchUpload, type StorageTest, startStorage, storageHomes } from '#testing/storage.ts';
import { collectGarbage } from './sweep.ts';

interface Version {
  id: string;
  isCurrent: boolean;
  isDeleteMarker: boolean;
  contentLength: number;
}

for (const home of storageHomes) {
  describe(`versions on ${home.name}`, () => {
    const clock = new TestClock();
    let storage: StorageTest;
    before(async () => {
      storage = await startStorage(home, { clock });
    });
    after(() => storage?.[Symbol.asyncDispose]());

    const versioned = async () => {
      const bucket = await storage.newBucket();
      await storage.call('PATCH', `${bucket}/settings`, { versioning: 'enabled' });
      return bucket;
    };
    const versionsOf = async (bucket: string, key: string): Promise<Version[]> => {
      const { status, body } = await storage.call('GET', `${bucket}/versions?key=${key}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.total, body.items.length);
      return body.items;
    };

    test('what a key held is listed newest first, page by page, and one of it is restored', async () => {
      const bucket = await versioned();
      const first = await storage.stored(bucket, 'k', 'one');
      await storage.stored(bucket, 'k', 'second');
      await storage.stored(bucket, 'kk', 'another key');
      const shown = (await versionsOf(bucket, 'k')).map(({ contentLength, isCurrent }) => [
        contentLength,
        isCurrent,
      ]);
      assert.deepEqual(shown, [
        [6, true],
        [3, false],
      ]);
      const page = (await storage.call('GET', `${bucket}/versions?key=k&limit=1`)).body;
      const next = (await storage.call('GET', `${bucket}/versions?key=k&limit=1&cursor=${page.nextCursor}`))
        .body;
      assert.deepEqual([next.items[0].id, next.nextCursor], [first.id, undefined]);

      const restored = await storage.call('POST', `${bucket}/versions/${first.id}/restore`);
      assert.equal(restored.status, 200, JSON.stringify(restored.body));
      assert.equal((await storage.contentOf(bucket, restored.body.id)).toString(), 'one');
      assert.equal((await versionsOf(bucket, 'k')).length, 3);
      assert.equal((await storage.usage(bucket))['oldVersions'], 2);
    });

    test('a version is deleted permanently, and the previous one becomes current', async () => {
      const bucket = await versioned();
      const first = await storage.stored(bucket, 'k', 'one');
      const second = await storage.stored(bucket, 'k', 'second');
      const path = `${bucket}/versions/${second.id}`;
      assert.equal((await storage.call('DELETE', path)).status, 204);
      assert.equal((await storage.call('DELETE', path)).status, 404);
      assert.equal((await storage.contentOf(bucket, first.id)).toString(), 'one');
      const { body } = await storage.instance.call(
        'GET',
        `/organizations/${storage.instance.bootstrapped.organization.id}/audit-log`,
        { as: 'organization' },
      );
      assert.match(JSON.stringify(body), /object_purged/);
    });

    test('a deleted key has a marker: without it the version before is there again', async () => {
      const bucket = await versioned();
      const { id } = await storage.stored(bucket, 'k', 'one');
      await storage.stored(bucket, 'k', 'second');
      const [current] = await versionsOf(bucket, 'k');
      await storage.call('DELETE', `${bucket}/objects/${current?.id}`);
      const [marker] = await versionsOf(bucket, 'k');
      assert.deepEqual([marker?.isDeleteMarker, marker?.isCurrent], [true, true]);
      const refused = await storage.call('POST', `${bucket}/versions/${marker?.id}/restore`);
      assert.equal(refused.status, 409);
      assert.equal((await storage.call('DELETE', `${bucket}/versions/${marker?.id}`)).status, 204);
      assert.equal((await storage.contentOf(bucket, id)).toString(), 'one');
    });

    test('what is in the trash, and what is of another bucket, is no version here', async () => {
      const [bucket, other] = [await versioned(), await versioned()];
      const { id } = await storage.stored(bucket, 'k', 'one');
      for (const [method, at] of [
        ['POST', `/${id}/restore`],
        ['DELETE', `/${id}`],
      ] as const)
        assert.equal((await storage.call(method, `${other}/versions${at}`)).status, 404);
      await storage.call('DELETE', `${bucket}/objects/${id}`);
      assert.equal((await storage.call('POST', `${bucket}/versions/${id}/restore`)).status, 404);
      assert.equal((await storage.call('GET', `${bucket}/versions?key=`)).status, 400);
    });

    test('an object in pieces that is copied onto itself keeps its content', async () => {
      for (const versioning of [undefined, 'suspended']) {
        const bucket = await storage.newBucket();
        if (versioning) await storage.call('PATCH', `${bucket}/settings`, { versioning });
        const bytes = randomBytes(3000);
        const { url } = await storage.begin(bucket, 'k', bytes);
        await patchUpload(url, 0, bytes.subarray(0, 1000));
        assert.equal((await patchUpload(url, 1000, bytes.subarray(1000))).status, 204);
        const [{ id }] = (await storage.call('GET', `${bucket}/objects`)).body.items;
        const copy = await storage.call('POST', `${bucket}/objects/${id}/copy`, { key: 'k' });
        assert.equal(copy.status, 200, JSON.stringify(copy.body));
        const { db, blobs } = storage.instance.platform;
        const later = { now: () => clock.now() + 2 * 3_600_000 };
        await collectGarbage({ db, clock: later }, blobs.storage);
        assert.ok((await storage.contentOf(bucket, copy.body.id)).equals(bytes), String(versioning));
      }
    });
  });
}
