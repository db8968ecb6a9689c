import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  AbortMultipartUploadCommand,
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetBucketCorsCommand,
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLocationCommand,
  GetBucketOwnershipControlsCommand,
  GetBucketPolicyCommand,
  GetBucketPolicyStatusCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  GetObjectLegalHoldCommand,
  GetObjectLockConfigurationCommand,
  GetObjectRetentionCommand,
  GetObjectTaggingCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  ListPartsCommand,
  PutBucketAclCommand,
  PutBucketCorsCommand,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutBucketWebsiteCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectLockConfigurationCommand,
  PutObjectRetentionCommand,
  PutObjectTaggingCommand,
  PutPublicAccessBlockCommand,
  RestoreObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { blobEngines } from '#testing/blobs.ts';
import { engines } from '#testing/engines.ts';
import { bytesOf, failure } from '#testing/s3-client.ts';
import { type S3Instance, startS3 } from './testing/instance.ts';

const name = () => `b-${randomBytes(5).toString('hex')}`;
const partBytes = 5 * 1024 * 1024;

const runs = [
  ...engines.map((engine) => ({ engine, blobs: 'files' as const })),
  ...blobEngines.filter((one) => one === 's3').map((blobs) => ({ engine: 'sqlite' as const, blobs })),
];

for (const { engine, blobs } of runs) {
  describe(`S3 on ${engine}, with blobs in ${blobs}`, () => {
    let s3: S3Instance;
    let client: S3Client;
    let other: S3Client;

    before(async () => {
      s3 = await startS3(engine, { blobs });
      client = (await s3.credential()).client;
      other = (await s3.otherApplication()).client;
    });
    after(() => s3?.[Symbol.asyncDispose]());

    const newBucket = async (options: { ObjectLockEnabledForBucket?: boolean } = {}) => {
      const Bucket = name();
      await client.send(new CreateBucketCommand({ Bucket, ...options }));
      return Bucket;
    };
    const put = (Bucket: string, Key: string, Body: string | Uint8Array = 'content', more = {}) =>
      client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
    const text = async (Bucket: string, Key: string, more = {}) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
      return Body?.transformToString();
    };
    const keys = async (Bucket: string, more = {}) => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, ...more }));
      return Contents.map(({ Key }) => Key);
    };

    test('a bucket is made, found, listed and deleted', async () => {
      const Bucket = await newBucket();
      await client.send(new CreateBucketCommand({ Bucket }));
      await client.send(new HeadBucketCommand({ Bucket }));
      const { Buckets, Owner } = await client.send(new ListBucketsCommand({}));
      assert.ok(Buckets?.some((one) => one.Name === Bucket));
      assert.equal(Owner?.ID, s3.applicationId);
      assert.equal(
        (await client.send(new GetBucketLocationCommand({ Bucket }))).LocationConstraint,
        undefined,
      );
      await put(Bucket, 'a');
      assert.equal(await failure(client.send(new DeleteBucketCommand({ Bucket }))), '409 BucketNotEmpty');
      await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
      await client.send(new DeleteBucketCommand({ Bucket }));
      assert.equal(await failure(client.send(new ListObjectsCommand({ Bucket }))), '404 NoSuchBucket');
      assert.equal(
        await failure(client.send(new CreateBucketCommand({ Bucket: 'UPPER' }))),
        '400 InvalidBucketName',
      );
    });

    test('a name that another application has is taken', async () => {
      const Bucket = await newBucket();
      assert.equal(await failure(other.send(new CreateBucketCommand({ Bucket }))), '409 BucketAlreadyExists');
      assert.equal(await failure(other.send(new ListObjectsCommand({ Bucket }))), '403 AccessDenied');
    });

    test('the API and S3 show the same', async () => {
      const Bucket = await newBucket();
      await put(Bucket, 'folder/ä b.txt', 'hello', { ContentType: 'text/plain', Metadata: { owner: 'ann' } });
      const path = `/applications/${s3.applicationId}/storage/buckets/${Bucket}/objects`;
      const listed = await s3.instance.call('GET', `${path}?delimiter=`, { as: 'application' });
      assert.equal(listed.body.items[0].key, 'folder/ä b.txt');
      assert.equal(listed.body.items[0].checksumMd5, createHash('md5').update('hello').digest('hex'));
      const token = await s3.instance.token('application');
      const stored = await fetch(`${s3.instance.url}${path}?key=api.txt`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
        body: 'from the API',
      });
      assert.equal(stored.status, 200);
      assert.equal(await text(Bucket, 'api.txt'), 'from the API');
      await client.send(new DeleteObjectCommand({ Bucket, Key: 'api.txt' }));
      assert.equal(
        (await s3.instance.call('GET', `${path}?prefix=api`, { as: 'application' })).body.total,
        0,
      );
    });

    test('headers of an object are returned, with ranges, conditions and overrides', async () => {
      const Bucket = await newBucket();
      const { ETag } = await put(Bucket, 'k', '0123456789', {
        ...{ ContentType: 'text/x', CacheControl: 'max-age=5', ContentDisposition: 'attachment' },
        ...{ ContentEncoding: 'identity', ContentLanguage: 'de', Metadata: { a: 'b' }, Tagging: 't=1' },
      });
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'k' }));
      assert.deepEqual(
        [head.ContentType, head.CacheControl, head.ContentDisposition, head.ContentLanguage, head.Metadata],
        ['text/x', 'max-age=5', 'attachment', 'de', { a: 'b' }],
      );
      assert.equal(head.ETag, ETag);
      assert.equal(await text(Bucket, 'k', { Range: 'bytes=2-4' }), '234');
      assert.equal(await text(Bucket, 'k', { Range: 'bytes=-3' }), '789');
      assert.equal(await failure(text(Bucket, 'k', { Range: 'bytes=20-' })), '416 InvalidRange');
      assert.equal(await failure(text(Bucket, 'k', { IfMatch: '"no"' })), '412 PreconditionFailed');
      assert.match(await failure(text(Bucket, 'k', { IfNoneMatch: ETag })), /^304 /);
      const shown = await client.send(new GetObjectCommand({ Bucket, Key: 'k', ResponseContentType: 'x/y' }));
      assert.equal(shown.ContentType, 'x/y');
      assert.equal(await failure(text(Bucket, 'none')), '404 NoSuchKey');
    });

    test('writes and deletions keep to their conditions', async () => {
      const Bucket = await newBucket();
      const first = await put(Bucket, 'k', 'one', { IfNoneMatch: '*' });
      assert.equal(await failure(put(Bucket, 'k', 'two', { IfNoneMatch: '*' })), '412 PreconditionFailed');
      assert.equal(await failure(put(Bucket, 'new', 'x', { IfMatch: first.ETag })), '404 NoSuchKey');
      await put(Bucket, 'k', 'two', { IfMatch: first.ETag });
      const stale = new DeleteObjectCommand({ Bucket, Key: 'k', IfMatch: first.ETag });
      assert.equal(await failure(client.send(stale)), '412 PreconditionFailed');
      assert.equal(await text(Bucket, 'k'), 'two');
    });

    test('lists go by folders and pages, in the order of bytes', async () => {
      const Bucket = await newBucket();
      const all = ['a', 'b/1', 'b/2', 'c', 'z z', 'é', '\u{1f600}', '\uffee'];
      for (const key of all) await put(Bucket, key, '');
      const sorted = [...all].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(await keys(Bucket), sorted);
      const folders = await client.send(new ListObjectsV2Command({ Bucket, Delimiter: '/', MaxKeys: 2 }));
      assert.deepEqual(
        folders.Contents?.map(({ Key }) => Key),
        ['a'],
      );
      assert.deepEqual(
        folders.CommonPrefixes?.map(({ Prefix }) => Prefix),
        ['b/'],
      );
      const rest = await client.send(
        new ListObjectsV2Command({
          Bucket,
          Delimiter: '/',
          ContinuationToken: folders.NextContinuationToken,
        }),
      );
      assert.deepEqual(
        rest.Contents?.map(({ Key }) => Key),
        sorted.slice(3),
      );
      const marked = await client.send(new ListObjectsCommand({ Bucket, Delimiter: '/', Marker: 'b/' }));
      assert.deepEqual(
        marked.Contents?.map(({ Key }) => Key),
        sorted.slice(3),
      );
      assert.deepEqual(await keys(Bucket, { StartAfter: 'z z' }), sorted.slice(5));
      assert.equal(
        await failure(client.send(new ListObjectsCommand({ Bucket, MaxKeys: -1 }))),
        '400 InvalidArgument',
      );
    });

    test('many keys are deleted in one request', async () => {
      const Bucket = await newBucket();
      const all = ['a', ' b ', '&<>"', 'ü'];
      for (const key of all) await put(Bucket, key, '');
      const Objects = [...all, 'none'].map((Key) => ({ Key }));
      const { Deleted, Errors } = await client.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects } }),
      );
      assert.equal(Deleted?.length, 5);
      assert.equal(Errors, undefined);
      assert.deepEqual(await keys(Bucket), []);
    });

    test('versions are kept, listed, read, deleted and restored', async () => {
      const Bucket = await newBucket();
      await put(Bucket, 'k', 'zero');
      const VersioningConfiguration = { Status: 'Enabled' as const };
      await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
      assert.equal((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status, 'Enabled');
      const one = await put(Bucket, 'k', 'one');
      const two = await put(Bucket, 'k', 'two');
      assert.equal(await text(Bucket, 'k', { VersionId: 'null' }), 'zero');
      assert.equal(await text(Bucket, 'k', { VersionId: one.VersionId }), 'one');
      const marker = await client.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));
      assert.equal(marker.DeleteMarker, true);
      assert.equal(await failure(text(Bucket, 'k')), '404 NoSuchKey');
      assert.equal(await failure(text(Bucket, 'k', { VersionId: marker.VersionId })), '405 MethodNotAllowed');
      const pages: (string | undefined)[] = [];
      for (let KeyMarker: string | undefined, VersionIdMarker: string | undefined; ; ) {
        const page = await client.send(
          new ListObjectVersionsCommand({ Bucket, MaxKeys: 1, KeyMarker, VersionIdMarker }),
        );
        pages.push(
          ...[...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(({ VersionId }) => VersionId),
        );
        if (!page.IsTruncated) break;
        ({ NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page);
      }
      assert.deepEqual(pages, [marker.VersionId, two.VersionId, one.VersionId, 'null']);
      await client.send(new DeleteObjectCommand({ Bucket, Key: 'k', VersionId: marker.VersionId }));
      assert.equal(await text(Bucket, 'k'), 'two');
      await client.send(new DeleteObjectCommand({ Bucket, Key: 'k', VersionId: two.VersionId }));
      assert.equal(await text(Bucket, 'k'), 'one');
      assert.equal(await failure(text(Bucket, 'k', { VersionId: two.VersionId })), '404 NoSuchVersion');
    });

    const algorithms: ChecksumAlgorithm[] = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'];
    for (const ChecksumAlgorithm of algorithms.filter((one) => one !== 'CRC32C' && one !== 'CRC64NVME')) {
      test(`${ChecksumAlgorithm} is checked and given back`, async () => {
        const Bucket = await newBucket();
        const answer = await put(Bucket, 'k', 'checked', { ChecksumAlgorithm });
        const field = `Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32';
        const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'k', ChecksumMode: 'ENABLED' }));
        assert.ok(head[field]);
        assert.equal(head[field], answer[field]);
        const wrong = put(Bucket, 'w', 'checked', {
          [field]: head[field]?.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
        });
        assert.equal(await failure(wrong), '400 BadDigest');
        assert.equal(await failure(text(Bucket, 'w')), '404 NoSuchKey');
      });
    }

    test('an object is uploaded in parts, read by part, described and copied by parts', async () => {
      const Bucket = await newBucket();
      const at = { Bucket, Key: 'big' };
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({
          ...at,
          ChecksumAlgorithm: 'CRC32',
          ChecksumType: 'FULL_OBJECT',
          Metadata: { m: '1' },
        }),
      );
      const bodies = [randomBytes(partBytes), randomBytes(1000)];
      const Parts = [];
      for (const [index, Body] of bodies.entries()) {
        const PartNumber = index + 1;
        await client.send(
          new UploadPartCommand({
            ...at,
            UploadId,
            PartNumber,
            Body: 'first try',
            ChecksumAlgorithm: 'CRC32',
          }),
        );
        const { ETag, ChecksumCRC32 } = await client.send(
          new UploadPartCommand({ ...at, UploadId, PartNumber, Body, ChecksumAlgorithm: 'CRC32' }),
        );
        Parts.push({ PartNumber, ETag, ChecksumCRC32 });
      }
      const listed = await client.send(new ListPartsCommand({ ...at, UploadId }));
      assert.deepEqual(
        listed.Parts?.map(({ Size }) => Size),
        [partBytes, 1000],
      );
      const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      assert.deepEqual(
        uploads.Uploads?.map((one) => one.UploadId),
        [UploadId],
      );
      const complete = new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } });
      const made = await client.send(complete);
      assert.match(made.ETag ?? '', /-2"$/);
      assert.equal((await client.send(complete)).ETag, made.ETag, 'completed twice');
      const whole = await client.send(new GetObjectCommand({ ...at, ChecksumMode: 'ENABLED' }));
      assert.equal(whole.ChecksumType, 'FULL_OBJECT');
      assert.deepEqual(await bytesOf(whole), Buffer.concat(bodies));
      const second = await client.send(new GetObjectCommand({ ...at, PartNumber: 2 }));
      assert.equal(second.PartsCount, 2);
      assert.deepEqual(await bytesOf(second), bodies[1]);
      const described = await client.send(
        new GetObjectAttributesCommand({
          ...at,
          ObjectAttributes: ['ObjectParts', 'ObjectSize', 'Checksum', 'ETag'],
        }),
      );
      assert.equal(described.ObjectParts?.TotalPartsCount, 2);
      assert.equal(described.ObjectSize, partBytes + 1000);

      const copy = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'copy' }));
      const part = await client.send(
        new UploadPartCopyCommand({
          ...{ Bucket, Key: 'copy', UploadId: copy.UploadId, PartNumber: 1 },
          ...{ CopySource: `${Bucket}/big`, CopySourceRange: 'bytes=10-1009' },
        }),
      );
      await client.send(
        new CompleteMultipartUploadCommand({
          ...{ Bucket, Key: 'copy', UploadId: copy.UploadId },
          MultipartUpload: { Parts: [{ PartNumber: 1, ETag: part.CopyPartResult?.ETag }] },
        }),
      );
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'copy' }));
      assert.deepEqual(
        Buffer.from((await Body?.transformToByteArray()) ?? []),
        bodies[0]?.subarray(10, 1010),
      );
    });

    test('an upload that is aborted, incomplete or wrongly named leaves nothing', async () => {
      const Bucket = await newBucket();
      const at = { Bucket, Key: 'k' };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
      const part = await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'x' }));
      const complete = (Parts: { PartNumber: number; ETag: string | undefined }[]) =>
        client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
      assert.equal(await failure(complete([{ PartNumber: 2, ETag: part.ETag }])), '400 InvalidPart');
      assert.equal(await failure(complete([{ PartNumber: 1, ETag: '"0"' }])), '400 InvalidPart');
      await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 2, Body: 'x' }));
      const both = [1, 2].map((PartNumber) => ({ PartNumber, ETag: part.ETag }));
      assert.equal(await failure(complete(both)), '400 EntityTooSmall');
      assert.equal(await failure(complete(both.toReversed())), '400 InvalidPartOrder');
      const late = new UploadPartCommand({ ...at, UploadId, PartNumber: 10_001, Body: 'x' });
      assert.equal(await failure(client.send(late)), '400 InvalidArgument');
      const tooMany = Array.from({ length: 10_001 }, (_, index) => ({
        PartNumber: index + 1,
        ETag: part.ETag,
      }));
      assert.equal(await failure(complete(tooMany)), '400 MalformedXML');
      await client.send(new AbortMultipartUploadCommand({ ...at, UploadId }));
      assert.equal(await failure(complete(both)), '404 NoSuchUpload');
      assert.equal(await failure(text(Bucket, 'k')), '404 NoSuchKey');
    });

    test('copies take or replace what is said of the source, and keep to its conditions', async () => {
      const [from, to] = [await newBucket(), await newBucket()];
      const { ETag } = await put(from, 'a b&c', 'copied', {
        Metadata: { x: '1' },
        ContentType: 'text/a',
        Tagging: 't=1',
      });
      const CopySource = `${from}/${encodeURIComponent('a b&c')}`;
      await client.send(new CopyObjectCommand({ Bucket: to, Key: 'k', CopySource, CopySourceIfMatch: ETag }));
      const head = await client.send(new HeadObjectCommand({ Bucket: to, Key: 'k' }));
      assert.deepEqual([head.Metadata, head.ContentType], [{ x: '1' }, 'text/a']);
      const replaced = { MetadataDirective: 'REPLACE' as const, Metadata: { y: '2' } };
      await client.send(new CopyObjectCommand({ Bucket: to, Key: 'k', CopySource: `${to}/k`, ...replaced }));
      assert.deepEqual((await client.send(new HeadObjectCommand({ Bucket: to, Key: 'k' }))).Metadata, {
        y: '2',
      });
      assert.equal(await text(to, 'k'), 'copied');
      const itself = client.send(new CopyObjectCommand({ Bucket: to, Key: 'k', CopySource: `${to}/k` }));
      assert.equal(await failure(itself), '400 InvalidRequest');
      const failed = client.send(
        new CopyObjectCommand({ Bucket: to, Key: 'n', CopySource, CopySourceIfNoneMatch: ETag }),
      );
      assert.equal(await failure(failed), '412 PreconditionFailed');
      const foreign = other.send(new CopyObjectCommand({ Bucket: to, Key: 'n', CopySource }));
      assert.equal(await failure(foreign), '403 AccessDenied');
    });

    test('buckets are set up as S3 has it', async () => {
      const Bucket = await newBucket();
      assert.equal(
        await failure(client.send(new GetBucketCorsCommand({ Bucket }))),
        '404 NoSuchCORSConfiguration',
      );
      const CORSRules = [
        { AllowedMethods: ['GET'], AllowedOrigins: ['https://*.example.com'], MaxAgeSeconds: 5 },
      ];
      await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
      assert.deepEqual((await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules, CORSRules);

      assert.equal(await failure(client.send(new GetBucketTaggingCommand({ Bucket }))), '404 NoSuchTagSet');
      const TagSet = [{ Key: 'team', Value: 'a&b' }];
      await client.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
      assert.deepEqual((await client.send(new GetBucketTaggingCommand({ Bucket }))).TagSet, TagSet);

      const Rules = [
        { ID: 'r', Status: 'Enabled' as const, Filter: { Prefix: 'tmp/' }, Expiration: { Days: 3 } },
        {
          ID: 'm',
          Status: 'Disabled' as const,
          Filter: { Prefix: '' },
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
        },
      ];
      const lifecycle = { Bucket, LifecycleConfiguration: { Rules } };
      await client.send(new PutBucketLifecycleConfigurationCommand(lifecycle));
      assert.deepEqual(
        (await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules,
        Rules,
      );
      const settings = `/applications/${s3.applicationId}/storage/buckets/${Bucket}/settings`;
      const seen = (await s3.instance.call('GET', settings, { as: 'application' })).body.lifecycle;
      assert.equal(seen[0].expireAfterDays, 3);
      await s3.instance.call('PATCH', settings, {
        as: 'application',
        body: { lifecycle: [{ id: 'n', expireAfterDays: 9 }] },
      });
      const shown = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
      assert.deepEqual(
        shown.Rules?.map(({ Expiration }) => Expiration?.Days),
        [9],
      );

      const none = client.send(new GetBucketEncryptionCommand({ Bucket }));
      assert.equal(await failure(none), '404 ServerSideEncryptionConfigurationNotFoundError');
      const rule = { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' as const } };
      await client.send(
        new PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration: { Rules: [rule] } }),
      );
      assert.equal((await put(Bucket, 'sealed', 'x')).ServerSideEncryption, 'AES256');
      assert.equal(await text(Bucket, 'sealed'), 'x');

      const ownership = client.send(new GetBucketOwnershipControlsCommand({ Bucket }));
      assert.equal(await failure(ownership), '404 OwnershipControlsNotFoundError');
      const controls = { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' as const }] };
      await client.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls: controls }));
      const acl = client.send(new PutBucketAclCommand({ Bucket, ACL: 'public-read' }));
      assert.equal(await failure(acl), '400 AccessControlListNotSupported');
      await put(Bucket, 'mine', 'x', { ACL: 'private' });
      const Policy = JSON.stringify({
        Statement: [
          { Effect: 'Allow', Principal: '*', Action: 's3:PutObject', Resource: `arn:aws:s3:::${Bucket}/*` },
        ],
      });
      await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
      const foreign = (ACL: 'private' | 'bucket-owner-full-control') =>
        other.send(new PutObjectCommand({ Bucket, Key: 'theirs', Body: 'x', ACL }));
      assert.equal(await failure(foreign('private')), '400 AccessControlListNotSupported');
      await foreign('bucket-owner-full-control');
    });

    test('policies and ACLs let others in, and the public access block keeps them out', async () => {
      const Bucket = await newBucket();
      await put(Bucket, 'open/a', 'a');
      const read = () => other.send(new GetObjectCommand({ Bucket, Key: 'open/a' }));
      assert.equal(await failure(read()), '403 AccessDenied');
      const statement = {
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:GetObject',
        Resource: `arn:aws:s3:::${Bucket}/open/*`,
      };
      const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
      await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
      await read();
      assert.equal((await fetch(`${s3.root}/${Bucket}/open/a`)).status, 200);
      assert.equal(
        (await client.send(new GetBucketPolicyStatusCommand({ Bucket }))).PolicyStatus?.IsPublic,
        true,
      );
      assert.equal((await client.send(new GetBucketPolicyCommand({ Bucket }))).Policy, Policy);
      const deny = { ...statement, Effect: 'Deny' };
      await client.send(
        new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify({ Statement: [statement, deny] }) }),
      );
      assert.equal(await failure(read()), '403 AccessDenied');
      assert.equal(await failure(text(Bucket, 'open/a')), '403 AccessDenied');
      const wrong = {
        Bucket,
        Policy: JSON.stringify({ Statement: [{ ...statement, Resource: 'arn:aws:s3:::other/*' }] }),
      };
      assert.equal(await failure(client.send(new PutBucketPolicyCommand(wrong))), '400 MalformedPolicy');

      const second = await newBucket();
      await client.send(new PutBucketAclCommand({ Bucket: second, ACL: 'public-read-write' }));
      await other.send(new PutObjectCommand({ Bucket: second, Key: 'theirs', Body: 'x' }));
      const { Grants } = await client.send(new GetBucketAclCommand({ Bucket: second }));
      assert.equal(Grants?.length, 3);
      const block = {
        BlockPublicAcls: true,
        IgnorePublicAcls: true,
        BlockPublicPolicy: true,
        RestrictPublicBuckets: true,
      };
      await client.send(
        new PutPublicAccessBlockCommand({ Bucket: second, PublicAccessBlockConfiguration: block }),
      );
      const got = await client.send(new GetPublicAccessBlockCommand({ Bucket: second }));
      assert.deepEqual(got.PublicAccessBlockConfiguration, block);
      assert.equal(await failure(other.send(new ListObjectsCommand({ Bucket: second }))), '403 AccessDenied');
      assert.equal(await failure(put(second, 'p', 'x', { ACL: 'public-read' })), '403 AccessDenied');
    });

    test('tags, retention and legal hold belong to an object', async () => {
      const Bucket = await newBucket({ ObjectLockEnabledForBucket: true });
      const at = { Bucket, Key: 'k' };
      const { VersionId } = await put(Bucket, 'k');
      const TagSet = [{ Key: 'a', Value: '1' }];
      await client.send(new PutObjectTaggingCommand({ ...at, Tagging: { TagSet } }));
      assert.deepEqual((await client.send(new GetObjectTaggingCommand(at))).TagSet, TagSet);
      const rule = { DefaultRetention: { Mode: 'GOVERNANCE' as const, Days: 1 } };
      const configuration = { ObjectLockEnabled: 'Enabled' as const, Rule: rule };
      await client.send(
        new PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration: configuration }),
      );
      const lock = await client.send(new GetObjectLockConfigurationCommand({ Bucket }));
      assert.deepEqual(lock.ObjectLockConfiguration, configuration);
      await client.send(new PutObjectLegalHoldCommand({ ...at, LegalHold: { Status: 'ON' } }));
      assert.equal((await client.send(new GetObjectLegalHoldCommand(at))).LegalHold?.Status, 'ON');
      const remove = (more = {}) => client.send(new DeleteObjectCommand({ ...at, VersionId, ...more }));
      assert.equal(await failure(remove()), '403 AccessDenied');
      await client.send(new PutObjectLegalHoldCommand({ ...at, LegalHold: { Status: 'OFF' } }));
      const RetainUntilDate = new Date(Date.now() + 3_600_000);
      await client.send(
        new PutObjectRetentionCommand({ ...at, Retention: { Mode: 'GOVERNANCE', RetainUntilDate } }),
      );
      const kept = await client.send(new GetObjectRetentionCommand(at));
      assert.equal(kept.Retention?.RetainUntilDate?.getTime(), RetainUntilDate.getTime());
      assert.equal(await failure(remove()), '403 AccessDenied');
      await remove({ BypassGovernanceRetention: true });
    });

    test('with a key of the customer, only who has it reads', async () => {
      const Bucket = await newBucket();
      const key = randomBytes(32);
      const md5 = createHash('md5').update(key).digest('base64');
      const customer = {
        SSECustomerAlgorithm: 'AES256',
        SSECustomerKey: key.toString('base64'),
        SSECustomerKeyMD5: md5,
      };
      await put(Bucket, 'k', 'secret', customer);
      assert.equal(await text(Bucket, 'k', customer), 'secret');
      assert.equal(await failure(text(Bucket, 'k')), '400 InvalidRequest');
      const path = `/applications/${s3.applicationId}/storage/buckets/${Bucket}/objects`;
      const { id } = (await s3.instance.call('GET', path, { as: 'application' })).body.items[0];
      const { url } = (await s3.instance.call('GET', `${path}/${id}/access-url`, { as: 'application' })).body;
      const { pathname, search } = new URL(url);
      const files = s3.instance.listeners.get('stored files');
      assert.equal((await fetch(`${files}${pathname}${search}`)).status, 403);
    });

    test('what is not offered is refused as such', async () => {
      const Bucket = await newBucket();
      await put(Bucket, 'k');
      const website = { Bucket, WebsiteConfiguration: { IndexDocument: { Suffix: 'index.html' } } };
      assert.equal(await failure(client.send(new PutBucketWebsiteCommand(website))), '501 NotImplemented');
      const notification = { Bucket, NotificationConfiguration: {} };
      assert.equal(
        await failure(client.send(new PutBucketNotificationConfigurationCommand(notification))),
        '501 NotImplemented',
      );
      const restore = client.send(
        new RestoreObjectCommand({ Bucket, Key: 'k', RestoreRequest: { Days: 1 } }),
      );
      assert.equal(await failure(restore), '403 InvalidObjectState');
      assert.equal(
        await failure(put(Bucket, 'x', 'x', { ServerSideEncryption: 'aws:kms' })),
        '501 NotImplemented',
      );
    });

    test('writers of one key never leave a torn object', async () => {
      const Bucket = await newBucket();
      const bodies = Array.from({ length: 8 }, (_, at) => Buffer.alloc(300_000, at + 65));
      let isOver = false;
      const readers = Array.from({ length: 3 }, async () => {
        while (!isOver) {
          const bytes = await text(Bucket, 'k').catch(() => '');
          if (bytes) assert.equal(new Set(bytes).size, 1);
        }
      });
      await Promise.all(bodies.map((body) => put(Bucket, 'k', body)));
      isOver = true;
      await Promise.all(readers);
      assert.equal((await text(Bucket, 'k'))?.length, 300_000);
    });
  });
}
