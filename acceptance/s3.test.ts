import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Client } from '../sdk/index.ts';
import { aws, bytesOf, failure, newS3Client } from '../server/testing/s3-client.ts';
import { clientOf, refusal, time, uuid } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

for (const name of targetNames) {
  describe(`the S3 endpoint on ${name}`, () => {
    const Bucket = `acceptance-${randomUUID().slice(0, 8)}`;
    let target: Target & AsyncDisposable;
    let api: Client;
    let client: aws.S3Client;
    let credentialId: string;
    before(async () => {
      target = await openTarget(name);
      api = clientOf(target, 'application');
      const made = await api.s3Credentials.create(target.applicationId, { name: 'Acceptance' });
      assert.match(made.id, uuid);
      assert.match(made.accessKeyId, /^[A-Z0-9]{20}$/);
      assert.match(made.createdAt, time);
      credentialId = made.id;
      client = newS3Client(`${target.url}/s3`, made);
      await client.send(new aws.CreateBucketCommand({ Bucket }));
    });
    after(async () => {
      await api.storage.deleteBucket(target.applicationId, Bucket);
      client.destroy();
      await target[Symbol.asyncDispose]();
    });
    const put = (Key: string, Body: string | Uint8Array, more = {}) =>
      client.send(new aws.PutObjectCommand({ Bucket, Key, Body, ...more }));
    const read = async (Key: string, more = {}) =>
      bytesOf(await client.send(new aws.GetObjectCommand({ Bucket, Key, ...more })));

    test('what S3 writes the API shows, and the other way round', async () => {
      await put('notes/hello.txt', 'hello', { ContentType: 'text/plain', Metadata: { from: 'acceptance' } });
      const query = { prefix: 'notes/' };
      const { items } = await api.storage.listObjects(target.applicationId, Bucket, query);
      assert.deepEqual(
        items.map(({ key, contentLength, contentType }) => [key, contentLength, contentType]),
        [['notes/hello.txt', 5, 'text/plain']],
      );
      await api.storage.putObject(target.applicationId, Bucket, 'notes/api.txt', new Blob(['from the API']));
      assert.equal((await read('notes/api.txt')).toString(), 'from the API');
      const head = await client.send(new aws.HeadObjectCommand({ Bucket, Key: 'notes/hello.txt' }));
      assert.deepEqual([head.ContentLength, head.Metadata], [5, { from: 'acceptance' }]);
      assert.equal((await read('notes/hello.txt', { Range: 'bytes=1-3' })).toString(), 'ell');
    });

    test('an upload in parts is checked as a whole and becomes one object', async () => {
      const at = { Bucket, Key: 'large.bin' };
      const bodies = [randomBytes(5 * 1024 * 1024), randomBytes(1000)];
      const ChecksumAlgorithm = 'CRC32' as const;
      const begun = await client.send(
        new aws.CreateMultipartUploadCommand({ ...at, ChecksumAlgorithm, ChecksumType: 'FULL_OBJECT' }),
      );
      const { UploadId } = begun;
      const Parts: aws.CompletedPart[] = [];
      for (const [index, Body] of bodies.entries()) {
        const PartNumber = index + 1;
        const part = { ...at, UploadId, PartNumber, Body, ChecksumAlgorithm };
        const { ETag, ChecksumCRC32 } = await client.send(new aws.UploadPartCommand(part));
        Parts.push({ PartNumber, ETag, ChecksumCRC32 });
      }
      const complete = (ChecksumCRC32?: string) =>
        client.send(
          new aws.CompleteMultipartUploadCommand({
            ...{ ...at, UploadId, MultipartUpload: { Parts } },
            ...(ChecksumCRC32 ? { ChecksumCRC32 } : {}),
          }),
        );
      assert.equal(await failure(complete('AAAAAA==')), '400 BadDigest');
      const { ETag } = await complete();
      assert.match(ETag ?? '', /-2"$/);
      assert.ok((await read('large.bin')).equals(Buffer.concat(bodies)));
    });

    test('versions are kept, and a deleted key is restored', async () => {
      const VersioningConfiguration = { Status: 'Enabled' as const };
      await client.send(new aws.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
      const { VersionId } = await put('versioned', 'first');
      await put('versioned', 'second');
      await client.send(new aws.DeleteObjectCommand({ Bucket, Key: 'versioned' }));
      assert.equal(await failure(read('versioned')), '404 NoSuchKey');
      assert.equal((await read('versioned', { VersionId })).toString(), 'first');
      const { DeleteMarkers = [] } = await client.send(
        new aws.ListObjectVersionsCommand({ Bucket, Prefix: 'versioned' }),
      );
      const marker = { Bucket, Key: 'versioned', VersionId: DeleteMarkers[0]?.VersionId };
      await client.send(new aws.DeleteObjectCommand(marker));
      assert.equal((await read('versioned')).toString(), 'second');
    });

    test('lists go by pages and folders', async () => {
      for (const key of ['walk/a', 'walk/b/1', 'walk/b/2', 'walk/c']) await put(key, key);
      const pages = aws.paginateListObjectsV2(
        { client, pageSize: 1 },
        { Bucket, Prefix: 'walk/', Delimiter: '/' },
      );
      const seen: (string | undefined)[] = [];
      for await (const { Contents = [], CommonPrefixes = [] } of pages)
        seen.push(...Contents.map(({ Key }) => Key), ...CommonPrefixes.map(({ Prefix }) => Prefix));
      assert.deepEqual(seen, ['walk/a', 'walk/b/', 'walk/c']);
    });

    test('a credential that is revoked opens nothing', async () => {
      const narrow = await api.s3Credentials.create(target.applicationId, {
        ...{ name: 'Narrow', access: 'read', bucket: Bucket, prefix: 'walk/' },
      });
      const reader = newS3Client(`${target.url}/s3`, narrow);
      const get = (Key: string) => failure(reader.send(new aws.GetObjectCommand({ Bucket, Key })));
      assert.equal(await get('walk/a'), 'none');
      assert.equal(await get('notes/hello.txt'), '403 AccessDenied');
      const write = reader.send(new aws.PutObjectCommand({ Bucket, Key: 'walk/a', Body: 'x' }));
      assert.equal(await failure(write), '403 AccessDenied');
      await api.s3Credentials.revoke(target.applicationId, narrow.id);
      const until = Date.now() + 10_000;
      while ((await get('walk/a')) !== '403 InvalidAccessKeyId') assert.ok(Date.now() < until);
      reader.destroy();
      const ids = new Set<string>();
      for await (const { id } of api.s3Credentials.list(target.applicationId)) ids.add(id);
      assert.deepEqual([ids.has(credentialId), ids.has(narrow.id)], [true, false]);
      await refusal(404, api.s3Credentials.revoke(target.applicationId, narrow.id));
    });
  });
}
