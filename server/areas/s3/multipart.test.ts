import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  AbortMultipartUploadCommand,
  type ChecksumAlgorithm,
  type ChecksumType,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { bytesOf, failure } from '#testing/s3-client.ts';
import { storageHomes } from '#testing/storage.ts';
import { type S3Instance, startS3 } from './testing/instance.ts';
import { type Algorithm, compositeChecksum, newChecksum } from './wire/checksums.ts';

const Bucket = 'multipart';
const partBytes = 5 * 1024 * 1024;

function sumOf(algorithm: Algorithm, bytes: Uint8Array): string {
  const sum = newChecksum(algorithm);
  sum.update(bytes);
  return sum.digest();
}

const newCustomer = () => ({
  SSECustomerAlgorithm: 'AES256',
  SSECustomerKey: randomBytes(32).toString('base64'),
});

for (const { name, engine, settings } of storageHomes) {
  describe(`multipart uploads on ${name}`, () => {
    let s3: S3Instance;
    let client: S3Client;
    before(async () => {
      s3 = await startS3(engine, { settings: settings() });
      client = (await s3.credential()).client;
      await client.send(new CreateBucketCommand({ Bucket }));
    });
    after(() => s3?.[Symbol.asyncDispose]());

    test('each step of an upload under a customer key needs that key', async () => {
      const [source, own] = [newCustomer(), newCustomer()];
      const CopySource = `${Bucket}/under-key`;
      const bytes = randomBytes(partBytes);
      const from = { Bucket, Key: 'under-key', Body: bytes };
      await client.send(new PutObjectCommand({ ...from, ...source }));
      const copySource = {
        CopySourceSSECustomerAlgorithm: source.SSECustomerAlgorithm,
        CopySourceSSECustomerKey: source.SSECustomerKey,
      };
      for (const checksum of [{ ChecksumAlgorithm: 'CRC32' as const }, {}]) {
        const at = { Bucket, Key: 'copied' };
        const create = new CreateMultipartUploadCommand({ ...at, ...own, ...checksum });
        const { UploadId } = await client.send(create);
        const first = { ...at, UploadId, PartNumber: 1, CopySource };
        const second = { ...at, UploadId, PartNumber: 2, Body: 'end' };
        const copy = (keys: object) => client.send(new UploadPartCopyCommand({ ...first, ...keys }));
        const part = (keys: object) => client.send(new UploadPartCommand({ ...second, ...keys }));
        for (const wrong of [{}, source]) {
          assert.equal(await failure(copy({ ...copySource, ...wrong })), '400 InvalidRequest');
          assert.equal(await failure(part(wrong)), '400 InvalidRequest');
        }
        assert.equal(await failure(copy(own)), '400 InvalidRequest');
        const { CopyPartResult } = await copy({ ...copySource, ...own });
        const { ETag, ChecksumCRC32 } = await part(own);
        const Parts = [
          { PartNumber: 1, ETag: CopyPartResult?.ETag, ChecksumCRC32: CopyPartResult?.ChecksumCRC32 },
          { PartNumber: 2, ETag, ChecksumCRC32: 'ChecksumAlgorithm' in checksum ? ChecksumCRC32 : undefined },
        ];
        const complete = (keys: object) =>
          client.send(
            new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts }, ...keys }),
          );
        assert.equal(await failure(complete(source)), '400 InvalidRequest');
        if ('ChecksumAlgorithm' in checksum) assert.equal(await failure(complete({})), '400 InvalidRequest');
        await complete('ChecksumAlgorithm' in checksum ? own : {});
        const read = await bytesOf(await client.send(new GetObjectCommand({ ...at, ...own })));
        assert.ok(read.equals(Buffer.concat([bytes, Buffer.from('end')])));
      }
    });

    /** With its parts sent. */
    const upload = async (
      Key: string,
      bodies: readonly Uint8Array[],
      more: { ChecksumAlgorithm?: ChecksumAlgorithm; ChecksumType?: ChecksumType } = {},
    ) => {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }));
      const { ChecksumAlgorithm } = more;
      const Parts: CompletedPart[] = [];
      for (const [at, Body] of bodies.entries()) {
        const PartNumber = at + 1;
        const part = { Bucket, Key, UploadId, PartNumber, Body };
        const { $metadata: _, ...sent } = await client.send(
          new UploadPartCommand({ ...part, ...(ChecksumAlgorithm ? { ChecksumAlgorithm } : {}) }),
        );
        const { ETag, ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 } = sent;
        Parts.push({
          ...{ PartNumber, ETag },
          ...{ ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 },
        });
      }
      return {
        UploadId,
        complete: (of: object = {}) =>
          client.send(
            new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...of }),
          ),
        abort: () => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })),
      };
    };
    const read = async (Key: string) => bytesOf(await client.send(new GetObjectCommand({ Bucket, Key })));

    const small = [randomBytes(777)];
    const large = [randomBytes(partBytes), ...small];

    for (const algorithm of ['CRC32', 'CRC32C', 'CRC64NVME'] as const) {
      test(`the ${algorithm} of the whole object is checked at the end of its upload`, async () => {
        const Key = `whole-${algorithm}`;
        const bodies = algorithm === 'CRC32' ? large : small;
        const whole = Buffer.concat(bodies);
        const { complete } = await upload(Key, bodies, {
          ...{ ChecksumAlgorithm: algorithm, ChecksumType: 'FULL_OBJECT' },
        });
        const field = `Checksum${algorithm}`;
        const wrong = sumOf(algorithm, Buffer.from('another object'));
        assert.equal(await failure(complete({ [field]: wrong })), '400 BadDigest');
        assert.equal(await failure(complete({ [field]: 'no digest' })), '400 BadDigest');
        const other = algorithm === 'CRC32' ? 'CRC32C' : 'CRC32';
        const mismatched = complete({ [`Checksum${other}`]: sumOf(other, whole) });
        assert.equal(await failure(mismatched), '400 InvalidRequest');
        assert.equal(await failure(read(Key)), '404 NoSuchKey');
        const value = sumOf(algorithm, whole);
        const made = await complete({ [field]: value, ChecksumType: 'FULL_OBJECT' });
        assert.equal((made as unknown as Record<string, unknown>)[field], value);
        const head = await client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }));
        assert.deepEqual([head.ChecksumType, Object(head)[field]], ['FULL_OBJECT', value]);
        assert.ok((await read(Key)).equals(whole));
      });
    }

    for (const algorithm of ['SHA1', 'SHA256'] as const) {
      test(`the composite ${algorithm} is checked with its number of parts and without`, async () => {
        const sums = small.map((body) => sumOf(algorithm, body));
        const value = compositeChecksum(algorithm, sums);
        assert.match(value, /-1$/);
        const field = `Checksum${algorithm}`;
        for (const said of [value, value.replace('-1', '')]) {
          const Key = `composite-${algorithm}`;
          const { complete } = await upload(Key, small, { ChecksumAlgorithm: algorithm });
          assert.equal(
            await failure(complete({ [field]: sumOf(algorithm, Buffer.from('another object')) })),
            '400 BadDigest',
          );
          assert.equal(Object(await complete({ [field]: said }))[field], value);
        }
      });
    }

    test('an upload completed many times at the same moment becomes one object', async () => {
      const { complete } = await upload('often', small);
      const answers = await Promise.all(Array.from({ length: 6 }, () => complete()));
      assert.equal(new Set(answers.map(({ ETag }) => ETag)).size, 1);
      assert.equal((await complete()).ETag, answers[0]?.ETag);
      assert.ok((await read('often')).equals(small[0] as Buffer));
    });

    test('an upload that is aborted while it is completed is an object, or nothing', async () => {
      for (let round = 0; round < 6; round++) {
        const Key = `race-${round}`;
        const body = [randomBytes(1000)];
        const { complete, abort } = await upload(Key, body);
        const ends = round % 2 === 0 ? [complete, abort] : [abort, complete];
        const results = await Promise.all(ends.map(async (end) => ({ end, answer: await failure(end()) })));
        const completed = results.find(({ end }) => end === complete)?.answer;
        const aborted = results.find(({ end }) => end === abort)?.answer;
        if (completed === 'none') {
          assert.equal(aborted, '404 NoSuchUpload');
          assert.ok((await read(Key)).equals(body[0] as Buffer));
        } else {
          assert.deepEqual([completed, aborted], ['404 NoSuchUpload', 'none']);
          assert.equal(await failure(read(Key)), '404 NoSuchKey');
        }
      }
      const { Uploads = [] } = await client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix: 'race-' }),
      );
      assert.deepEqual(Uploads, []);
    });
  });
}
