import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { engines, type TestHome, testHome } from '#testing/engines.ts';
import { bytesOf, failure } from '#testing/s3-client.ts';
import { type S3Instance, startS3 } from './testing/instance.ts';
import { S3Load } from './testing/load.ts';

for (const engine of engines) {
  describe(`S3 by many at once on ${engine}`, () => {
    let home: TestHome;
    let s3: S3Instance;
    let second: S3Instance;
    let clients: [S3Client, S3Client];
    let keys: { accessKeyId: string; secretAccessKey: string };
    before(async () => {
      home = await testHome(engine);
      s3 = await startS3(engine, { home });
      second = await startS3(engine, { home });
      keys = await s3.credential();
      clients = [s3.clientOf(keys), second.clientOf(keys)];
    });
    after(async () => {
      await second?.[Symbol.asyncDispose]();
      await s3?.[Symbol.asyncDispose]();
      await home?.[Symbol.asyncDispose]();
    });

    test('writers of one key on two nodes leave one of their objects, whole', async () => {
      const at = { Bucket: 'one-key', Key: 'k' };
      await clients[0].send(new CreateBucketCommand({ Bucket: at.Bucket }));
      const bodies = Array.from({ length: 12 }, (_, index) => Buffer.alloc(200_000, index + 65));
      let isOver = false;
      const reading = clients.map(async (client) => {
        while (!isOver) {
          const bytes = await client.send(new GetObjectCommand(at)).then(bytesOf, (error: Error) => {
            assert.equal(error.name, 'NoSuchKey');
            return Buffer.alloc(0);
          });
          assert.ok(new Set(bytes).size <= 1, 'torn');
          assert.ok(bytes.length === 0 || bytes.length === 200_000, 'cut');
        }
      });
      await Promise.all(
        bodies.map((Body, index) =>
          (clients[index % 2] as S3Client).send(new PutObjectCommand({ ...at, Body })),
        ),
      );
      isOver = true;
      await Promise.all(reading);
      const [first, other] = await Promise.all(
        clients.map(async (client) => bytesOf(await client.send(new GetObjectCommand(at)))),
      );
      assert.ok(first?.length === 200_000 && other?.equals(first));
    });

    test('of two nodes that write on a condition, one wins', async () => {
      const Bucket = 'conditions';
      await clients[0].send(new CreateBucketCommand({ Bucket }));
      for (let round = 0; round < 5; round++) {
        const put = { Bucket, Key: `k${round}`, Body: 'x', IfNoneMatch: '*' };
        const answers = await Promise.all(
          [0, 1, 0, 1].map((node) => failure((clients[node] as S3Client).send(new PutObjectCommand(put)))),
        );
        assert.equal(answers.filter((answer) => answer === 'none').length, 1, answers.join());
      }
    });

    test('a list shows every key that stays, once and in order, while others come and go', async () => {
      const Bucket = 'coming-and-going';
      const [writer, reader] = clients;
      await writer.send(new CreateBucketCommand({ Bucket }));
      const staying = Array.from({ length: 40 }, (_, index) => `k-${String(index * 5).padStart(4, '0')}`);
      for (const Key of staying) await writer.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
      let isOver = false;
      const changing = [1, 2, 3, 4].map(async (offset) => {
        for (let round = 0; !isOver; round++) {
          const Key = `k-${String((round % 40) * 5 + offset).padStart(4, '0')}`;
          await writer.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
          await writer.send(new DeleteObjectCommand({ Bucket, Key }));
        }
      });
      for (let round = 0; round < 4; round++) {
        const seen: string[] = [];
        let ContinuationToken: string | undefined;
        do {
          const page: Parameters<typeof listPage>[1] = { Bucket, MaxKeys: 7 };
          if (ContinuationToken) page.ContinuationToken = ContinuationToken;
          const listed = await listPage(reader, page);
          seen.push(...(listed.Contents ?? []).map(({ Key = '' }) => Key));
          ContinuationToken = listed.NextContinuationToken;
        } while (ContinuationToken);
        assert.deepEqual(seen, [...new Set(seen)].sort());
        assert.deepEqual(
          seen.filter((key) => staying.includes(key)),
          staying,
        );
      }
      isOver = true;
      await Promise.all(changing);
    });

    test('what writers were told is what is there', async () => {
      const load = new S3Load(keys);
      await load.prepare(clients[0]);
      const started = performance.now();
      const isOver = () => load.acknowledged > 60 || performance.now() - started > 60_000;
      await load.run(clients[1], { writers: 4, isOver });
      await load.verify(clients[0]);
      assert.ok(load.acknowledged > 60);
    });
  });
}

function listPage(client: S3Client, query: { Bucket: string; MaxKeys: number; ContinuationToken?: string }) {
  return client.send(new ListObjectsV2Command(query));
}
