import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Client, downloadObject, type OpenUpload, uploadObject } from '../sdk/index.ts';
import { clientOf, refusal } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

for (const name of targetNames) {
  describe(`storage on ${name}`, () => {
    const bucket = `acceptance-${randomUUID().slice(0, 8)}`;
    let target: Target & AsyncDisposable;
    let client: Client;
    let applicationId: string;
    before(async () => {
      target = await openTarget(name);
      client = clientOf(target, 'application');
      const { items } = await client.applications.list();
      applicationId = items[0]?.id ?? '';
      await client.storage.createBucket(applicationId, { name: bucket });
    });
    after(async () => {
      await client.storage.deleteBucket(applicationId, bucket);
      await target[Symbol.asyncDispose]();
    });

    test('a small object is stored, read, deleted and restored', async () => {
      const body = new Blob(['hello'], { type: 'text/plain' });
      const object = await client.storage.putObject(applicationId, bucket, 'notes/hello.txt', body);
      assert.deepEqual([object.contentLength, object.contentType], [5, 'text/plain']);
      const place = { applicationId, bucket, objectId: object.id };
      assert.equal(await (await downloadObject(client, place)).text(), 'hello');
      const part = await downloadObject(client, { ...place, range: { start: 1, end: 3 } });
      assert.equal(await part.text(), 'el');
      const folders = await client.storage.listObjects(applicationId, bucket);
      assert.deepEqual(folders.commonPrefixes, ['notes/']);
      await client.storage.deleteObject(applicationId, bucket, object.id);
      await refusal(404, client.storage.getObject(applicationId, bucket, object.id));
      const { items } = await client.storage.listTrash(applicationId, bucket);
      assert.deepEqual(
        items.map(({ id }) => id),
        [object.id],
      );
      const restored = await client.storage.restoreObject(applicationId, bucket, object.id);
      assert.equal(restored.id, object.id);
    });

    test('a large object is uploaded, given up, and gone on with', async () => {
      const content = new Blob([randomBytes(3_000_000)]);
      let open: OpenUpload | undefined;
      const giveUp = new AbortController();
      const options = { applicationId, bucket, key: 'large.bin', content, chunkBytes: 500_000 };
      const first = uploadObject(client, {
        ...options,
        signal: giveUp.signal,
        onOpen: (upload) => {
          open = upload;
        },
        onProgress: ({ phase, bytes }) => {
          if (phase === 'upload' && bytes >= 1_000_000) giveUp.abort(new Error('stopped'));
        },
      });
      await assert.rejects(first, /stopped/);
      const seen: number[] = [];
      const { uploadId } = await uploadObject(client, {
        ...options,
        resume: open,
        onProgress: ({ phase, bytes }) => {
          if (phase === 'upload') seen.push(bytes);
        },
      });
      assert.equal(uploadId, open?.id);
      assert.ok((seen[0] ?? 0) >= 1_000_000, 'not from the start');
      const session = await client.storage.getUpload(applicationId, bucket, uploadId);
      assert.equal(session.state, 'completed');
      const { items } = await client.storage.listObjects(applicationId, bucket, { prefix: 'large.bin' });
      const response = await downloadObject(client, { applicationId, bucket, objectId: items[0]?.id ?? '' });
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.ok(bytes.equals(Buffer.from(await content.arrayBuffer())));
    });

    test('all objects of a bucket are walked through', async () => {
      for (let count = 0; count < 5; count++)
        await client.storage.putObject(applicationId, bucket, `walk/${count}`, new Blob([String(count)]));
      const keys: string[] = [];
      const query = { prefix: 'walk/', delimiter: '', limit: 2 };
      for await (const { key } of client.storage.listObjects(applicationId, bucket, query)) keys.push(key);
      assert.deepEqual(keys, ['walk/0', 'walk/1', 'walk/2', 'walk/3', 'walk/4']);
    });
  });
}
