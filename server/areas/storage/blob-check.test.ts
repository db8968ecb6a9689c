import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newBlobName } from '#core/blobs.ts';
import { TestClock } from '#testing/clock.ts';
import { testHome } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { runCommand } from '#testing/process.ts';
import { patchUpload, type StorageTest, startStorage, storageHomes, storageOf } from '#testing/storage.ts';
import { checkBlobs } from './blob-check.ts';
import { collectGarbage, collectOrphans } from './sweep.ts';

const day = 86_400;
/** Small objects lie in blobs, too. */
const settings = { MAINSTAY_STORAGE_INLINE: '0' };

/** The blobs of an object, in order. */
async function blobsOf({ instance }: StorageTest, id: string): Promise<string[]> {
  const { db } = instance.platform;
  const { blob, content_id } = await db
    .selectFrom('storage_objects')
    .select(['blob', 'content_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (blob !== null) return [blob];
  const pieces = await db
    .selectFrom('storage_pieces')
    .select('blob')
    .where('content_id', '=', content_id ?? '')
    .orderBy('number')
    .execute();
  return pieces.map((piece) => piece.blob);
}

for (const home of storageHomes) {
  test(`lost, missing and changed content is found, and what can be fixed is, on ${home.name}`, async () => {
    const clock = new TestClock();
    await using storage = await startStorage(home, { clock, settings });
    const { platform } = storage.instance;
    const blobs = platform.blobs.storage;
    const bucket = await storage.newBucket();
    await storage.stored(bucket, 'whole', 'content');
    const gone = await storage.stored(bucket, 'gone', 'content');
    const changed = await storage.stored(bucket, 'changed', 'content');
    const bytes = randomBytes(2000);
    const { url } = await storage.begin(bucket, 'pieces', bytes);
    await patchUpload(url, 0, bytes.subarray(0, 1000));
    await patchUpload(url, 1000, bytes.subarray(1000));
    const { items } = (await storage.call('GET', `${bucket}/objects?prefix=pieces`)).body;
    const pieces = items[0];
    // An upload that is still open has pieces without an object: they are no garbage.
    const open = await storage.begin(bucket, 'open', bytes);
    await patchUpload(open.url, 0, bytes.subarray(0, 500));

    const [goneBlob = ''] = await blobsOf(storage, gone.id);
    const [changedBlob = ''] = await blobsOf(storage, changed.id);
    const [, secondPiece = ''] = await blobsOf(storage, pieces.id);
    await blobs.delete([goneBlob, changedBlob, secondPiece]);
    await blobs.put(changedBlob, Buffer.from('CONTENT'));
    const orphan = newBlobName(clock.now());
    await blobs.put(orphan, Buffer.from('of a process that was killed'));

    // Its tasks would be first, once time passes.
    await storage.instance.app.close();
    const deps = { db: platform.db, vault: platform.vault, clock, blobs };
    const young = await checkBlobs(deps, { fix: true });
    assert.deepEqual(young.orphans, [], 'it may be on its way');
    clock.advance(2 * day);
    const report = await checkBlobs(deps, { fix: false });
    const keys = (list: { key: string }[]) => list.map(({ key }) => key).toSorted();
    assert.deepEqual(
      [report.orphans, keys(report.missing), keys(report.corrupt), report.objects],
      [[orphan], ['gone', 'pieces'], ['changed'], 4],
    );
    const again = await checkBlobs(deps, { fix: false });
    assert.deepEqual(again.orphans, [orphan], 'nothing is fixed unasked');

    assert.deepEqual((await checkBlobs(deps, { fix: true })).orphans, [orphan]);
    await collectGarbage(deps, blobs);
    const names = (await blobs.list({ after: '', limit: 100 })).map(({ name }) => name);
    assert.ok(!names.includes(orphan));
    assert.deepEqual((await checkBlobs(deps, { fix: true })).orphans, []);
    const left = await platform.db
      .selectFrom('storage_pieces')
      .select('blob')
      .where('content_id', '=', open.id)
      .execute();
    assert.ok(left.length === 1 && names.includes(left[0]?.blob ?? ''));
  });

  test(`the sweeper finds what a killed process left, and nothing younger or named, on ${home.name}`, async () => {
    const clock = new TestClock();
    await using storage = await startStorage(home, { clock, settings });
    const { platform } = storage.instance;
    const blobs = platform.blobs.storage;
    const bucket = await storage.newBucket();
    await storage.stored(bucket, 'kept', 'content');
    const orphan = newBlobName(clock.now());
    await blobs.put(orphan, Buffer.from('x'));
    await storage.instance.app.close();
    const deps = { db: platform.db, clock };
    assert.equal(await collectOrphans(deps, blobs), 0);
    clock.advance(1.5 * day);
    assert.equal(await collectOrphans(deps, blobs), 1);
    assert.equal(await collectOrphans(deps, blobs), 0, 'it waits for its deletion already');
    await collectGarbage(deps, blobs);
    const left = (await blobs.list({ after: '', limit: 100 })).map(({ name }) => name);
    assert.deepEqual([left.length, left.includes(orphan)], [1, false]);
  });
}

test('doctor --blobs names what is wrong, ends with 1, and says that a backup brings it back', async () => {
  await using home = await testHome('sqlite');
  const instance = await startInstance('sqlite', { home, settings });
  const storage = storageOf(instance);
  const bucket = await storage.newBucket();
  const { id } = await storage.stored(bucket, 'a "name"', 'content');
  await instance[Symbol.asyncDispose]();
  const there = { ...home.settings, MAINSTAY_PORT: '1' };
  const fine = await runCommand(['doctor', '--blobs'], there);
  assert.equal(fine.code, 0, fine.stdout);
  assert.match(fine.stdout, /1 objects? in 1 blobs?/);

  const second = await startInstance('sqlite', { home });
  const [blob = ''] = await blobsOf(storageOf(second), id);
  await second.platform.blobs.storage.delete([blob]);
  await second[Symbol.asyncDispose]();
  const { code, stdout } = await runCommand(['doctor', '--blobs'], there);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /the content of "a \\"name\\"" in bucket .* is missing.*backup/s);
});
