import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '#core/clock.ts';
import { emptyHome, testHome } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { runCommand } from '#testing/process.ts';
import { patchUpload, type StorageTest, startStorage, storageHomes, storageOf } from '#testing/storage.ts';
import { checkBlobs } from './blob-check.ts';
import { sweepBuckets } from './sweep.ts';

/** Small objects, whose bytes are in the database. */

const KiB = 1024;
const small = { MAINSTAY_STORAGE_INLINE: '4KiB' };

for (const home of storageHomes) {
  for (const encryption of ['false', 'true']) {
    describe(`small objects on ${home.name}, encryption ${encryption}`, () => {
      let storage: StorageTest;
      before(async () => {
        const settings = { ...small, MAINSTAY_STORAGE_ENCRYPTION: encryption };
        storage = await startStorage(home, { settings });
      });
      after(() => storage?.[Symbol.asyncDispose]());

      const blobs = async () =>
        (await storage.instance.platform.blobs.storage.list({ after: '', limit: 100 })).length;
      /** Of objects, by their keys; those of a bucket of this test alone. */
      const inline = async (bucket: string) => {
        const rows = await storage.instance.platform.db
          .selectFrom('storage_inline')
          .innerJoin('storage_objects', 'storage_objects.id', 'object_id')
          .innerJoin('storage_buckets', 'storage_buckets.id', 'bucket_id')
          .select(['storage_objects.key', 'bytes'])
          .where('storage_buckets.name', '=', bucket.slice('/buckets/'.length))
          .execute();
        return new Map(rows.map(({ key, bytes }) => [key, Buffer.from(bytes)]));
      };
      const public_ = async () => {
        const bucket = await storage.newBucket({ visibility: 'public' });
        const files = storage.instance.listeners.get('stored files');
        return { bucket, url: `${files}/public/${bucket.split('/').at(-1)}` };
      };

      test('content up to the limit is in the database, larger content is a blob', async () => {
        const { bucket, url } = await public_();
        const before_ = await blobs();
        const contents = { exact: randomBytes(4 * KiB), one: randomBytes(1), none: Buffer.alloc(0) };
        for (const [key, content] of Object.entries(contents)) await storage.stored(bucket, key, content);
        assert.equal(await blobs(), before_);
        const larger = randomBytes(4 * KiB + 1);
        await storage.stored(bucket, 'larger', larger);
        assert.equal(await blobs(), before_ + 1);
        for (const [key, content] of Object.entries({ ...contents, larger })) {
          const response = await fetch(`${url}/${key}`);
          assert.ok(Buffer.from(await response.arrayBuffer()).equals(content), key);
          const head = await fetch(`${url}/${key}`, { method: 'HEAD' });
          assert.equal(head.headers.get('content-length'), String(content.length));
        }
        const rows = await inline(bucket);
        assert.deepEqual([...rows.keys()].toSorted(), ['exact', 'one']);
        assert.equal(rows.get('exact')?.equals(contents.exact), encryption === 'false');
      });

      test('a range of it is served, and several', async () => {
        const { bucket, url } = await public_();
        await storage.stored(bucket, 'k', 'abcdefghij');
        const one = await fetch(`${url}/k`, { headers: { range: 'bytes=2-4' } });
        assert.deepEqual([one.status, await one.text()], [206, 'cde']);
        const several = await fetch(`${url}/k`, { headers: { range: 'bytes=0-1,8-9' } });
        assert.equal(several.status, 206);
        const text = await several.text();
        assert.match(text, /\r\n\r\nab\r\n/);
        assert.match(text, /\r\n\r\nij\r\n/);
      });

      test('it goes with its object: replaced, moved, trashed, restored, purged, copied, with its bucket', async () => {
        const bucket = await storage.newBucket();
        await storage.stored(bucket, 'k', 'first');
        const { id } = await storage.stored(bucket, 'k', 'second');
        assert.equal((await inline(bucket)).size, 1);
        assert.equal((await storage.contentOf(bucket, id)).toString(), 'second');
        const moved = await storage.call('POST', `${bucket}/objects/${id}/move`, { key: 'moved' });
        assert.equal((await storage.contentOf(bucket, moved.body.id)).toString(), 'second');
        const copied = await storage.call('POST', `${bucket}/objects/${id}/copy`, { key: 'copy' });
        assert.equal((await storage.call('DELETE', `${bucket}/objects/${id}`)).status, 204);
        assert.equal((await inline(bucket)).size, 2, 'the trash keeps it');
        assert.equal((await storage.call('POST', `${bucket}/trash/${id}/restore`)).status, 200);
        assert.equal((await storage.contentOf(bucket, id)).toString(), 'second');
        await storage.call('DELETE', `${bucket}/objects/${id}`);
        await storage.call('DELETE', `${bucket}/trash`);
        assert.deepEqual([...(await inline(bucket)).keys()], ['copy'], 'what was copied is its own');
        assert.equal((await storage.contentOf(bucket, copied.body.id)).toString(), 'second');

        const other = await storage.newBucket();
        const target = { key: 'there', bucket: other.slice('/buckets/'.length) };
        const far = await storage.call('POST', `${bucket}/objects/${copied.body.id}/copy`, target);
        assert.equal(far.status, 200, JSON.stringify(far.body));
        assert.equal((await storage.contentOf(other, far.body.id)).toString(), 'second');
        const larger = await storage.stored(bucket, 'copy', randomBytes(9 * KiB));
        assert.equal((await inline(bucket)).size, 0, 'a larger one took its place');
        await storage.stored(bucket, 'copy', 'small again');
        assert.equal((await storage.call('GET', `${bucket}/objects/${larger.id}`)).status, 404);
        const { objects, bytes } = await storage.usage(bucket);
        assert.deepEqual([objects, bytes], [1, 'small again'.length]);

        const { db, clock } = storage.instance.platform;
        const ids = await db
          .selectFrom('storage_objects')
          .innerJoin('storage_buckets', 'storage_buckets.id', 'bucket_id')
          .select('storage_objects.id')
          .where('storage_buckets.name', '=', bucket.slice('/buckets/'.length))
          .execute();
        await storage.call('DELETE', bucket);
        await sweepBuckets({ db, clock, limits: { garbageSeconds: 1 } } as Parameters<
          typeof sweepBuckets
        >[0]);
        const left = await db
          .selectFrom('storage_inline')
          .select('object_id')
          .where(
            'object_id',
            'in',
            ids.map((row) => row.id),
          )
          .execute();
        assert.deepEqual([ids.length, left], [1, []]);
      });

      test('versions keep theirs, and an old one is restored and moved', async () => {
        const bucket = await storage.newBucket();
        await storage.call('PATCH', `${bucket}/settings`, { versioning: 'enabled' });
        const first = await storage.stored(bucket, 'k', 'one');
        await storage.stored(bucket, 'k', 'second');
        const restored = await storage.call('POST', `${bucket}/versions/${first.id}/restore`);
        assert.equal((await storage.contentOf(bucket, restored.body.id)).toString(), 'one');
        const path_ = `${bucket}/objects/${restored.body.id}/move`;
        const moved = await storage.call('POST', path_, { key: 'moved' });
        assert.equal((await storage.contentOf(bucket, moved.body.id)).toString(), 'one');
        assert.equal((await storage.call('DELETE', `${bucket}/versions/${first.id}`)).status, 204);
        assert.equal((await storage.contentOf(bucket, moved.body.id)).toString(), 'one');
      });

      test('what is read while it is replaced is one or the other, whole', async () => {
        const { bucket, url } = await public_();
        const contents = [Buffer.alloc(3 * KiB, 'a'), Buffer.alloc(4 * KiB, 'b'), Buffer.alloc(6 * KiB, 'c')];
        await storage.stored(bucket, 'k', contents[0] as Buffer);
        let stop = false;
        const reader = async () => {
          let reads = 0;
          for (; !stop; reads++) {
            const response = await fetch(`${url}/k`);
            assert.equal(response.status, 200);
            const bytes = Buffer.from(await response.arrayBuffer());
            assert.ok(contents.some((content) => content.equals(bytes)));
          }
          return reads;
        };
        const readers = [reader(), reader()];
        for (let round = 0; round < 30; round++)
          await storage.stored(bucket, 'k', contents[round % 3] as Buffer);
        stop = true;
        for (const reads of await Promise.all(readers)) assert.ok(reads > 0);
      });

      test('doctor --blobs finds bytes that are gone or changed', async () => {
        const bucket = await storage.newBucket();
        const gone = await storage.stored(bucket, 'gone', 'content');
        const changed = await storage.stored(bucket, 'changed', 'content');
        const { db, vault, blobs: spaces } = storage.instance.platform;
        await db.write(async (tx) => {
          await tx.deleteFrom('storage_inline').where('object_id', '=', gone.id).execute();
          const bytes = randomBytes(encryption === 'true' ? 23 : 7);
          await tx.updateTable('storage_inline').set({ bytes }).where('object_id', '=', changed.id).execute();
        });
        const deps = { db, vault, clock: systemClock, blobs: spaces.storage };
        const { missing, corrupt, inline: counted } = await checkBlobs(deps, { fix: false });
        assert.ok(counted >= 2);
        assert.deepEqual(
          [missing.map(({ id }) => id), corrupt.map(({ id }) => id)],
          [[gone.id], [changed.id]],
        );
        for (const { id } of [gone, changed])
          assert.equal((await storage.call('DELETE', `${bucket}/objects/${id}`)).status, 204);
        await storage.call('DELETE', bucket);
      });

      test('upload sessions and their parts stay in blobs', async () => {
        const bucket = await storage.newBucket();
        const bytes = randomBytes(100);
        const { url } = await storage.begin(bucket, 'k', bytes);
        assert.equal((await patchUpload(url, 0, bytes)).status, 204);
        assert.equal((await inline(bucket)).size, 0);
      });
    });
  }
}

test('a backup holds small objects with their rows', async () => {
  await using home = await testHome('sqlite');
  const settings = { MAINSTAY_STORAGE_ENCRYPTION: 'true' };
  const instance = await startInstance('sqlite', { home, settings });
  const bucket = await storageOf(instance).newBucket();
  const { id } = await storageOf(instance).stored(bucket, 'k', 'content');
  const folder = path.join(home.folder, 'backup');
  const backup = await runCommand(['backup', '--to', folder], home.settings);
  assert.equal(backup.code, 0, backup.stderr);
  await instance[Symbol.asyncDispose]();
  await using elsewhere = await emptyHome('sqlite');
  const restored = await runCommand(['restore', '--from', folder], elsewhere.settings);
  assert.equal(restored.code, 0, restored.stderr);
  await using copy = await startInstance('sqlite', { home: elsewhere });
  assert.equal((await storageOf(copy).contentOf(bucket, id)).toString(), 'content');
});
