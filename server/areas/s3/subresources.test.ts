import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { after, before, test } from 'node:test';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { bytesOf } from '#testing/s3-client.ts';
import { type S3Instance, startS3 } from './testing/instance.ts';
import { sign } from './testing/sign.ts';

/** What @aws-sdk/client-s3 has in its addresses, and older clients in theirs. */
const names = [
  ...['abac', 'accelerate', 'acl', 'analytics', 'annotation', 'append', 'attributes', 'cors', 'delete'],
  ...['encryption', 'intelligent-tiering', 'inventory', 'legal-hold', 'lifecycle', 'location', 'logging'],
  ...['metadataAnnotationTable', 'metadataConfiguration', 'metadataInventoryTable', 'metadataJournalTable'],
  ...['metadataTable', 'metrics', 'notification', 'object-lock', 'ownershipControls', 'policy'],
  ...['policyStatus', 'publicAccessBlock', 'renameObject', 'replication', 'requestPayment', 'restore'],
  ...['retention', 'select', 'session', 'tagging', 'torrent', 'uploadId', 'uploads', 'versioning'],
  ...['versions', 'website'],
];

/** Which of them docs/s3.md promises: of buckets, and of objects. */
const offered: Record<'bucket' | 'object', Record<string, string>> = {
  bucket: {
    GET:
      'location versioning versions uploads acl cors lifecycle tagging policy policyStatus publicAccessBlock ' +
      'ownershipControls encryption object-lock logging notification requestPayment accelerate website replication',
    PUT: 'versioning acl cors lifecycle tagging policy publicAccessBlock ownershipControls encryption object-lock',
    POST: 'delete',
    DELETE: 'cors lifecycle tagging policy publicAccessBlock ownershipControls encryption',
  },
  object: {
    GET: 'acl tagging retention legal-hold attributes uploadId',
    PUT: 'acl tagging retention legal-hold uploadId',
    POST: 'uploads uploadId restore',
    DELETE: 'tagging uploadId',
  },
};

let s3: S3Instance;
let keys: Awaited<ReturnType<S3Instance['credential']>>;

before(async () => {
  s3 = await startS3('sqlite');
  keys = await s3.credential();
  for (const Bucket of ['empty', 'full']) await keys.client.send(new CreateBucketCommand({ Bucket }));
  await keys.client.send(new PutObjectCommand({ Bucket: 'full', Key: 'k', Body: 'content' }));
});
after(() => s3?.[Symbol.asyncDispose]());

/** Resolves with the status and the code of an error. */
function send(method: string, path: string, query: string, body = ''): Promise<string> {
  const { host, hostname, port } = new URL(s3.root);
  const payload = createHash('sha256').update(body).digest('hex');
  const headers = sign({ ...keys, host, method, path, query, payload });
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path: `${path}?${query}`, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        resolve([response.statusCode, /<Code>(\w+)</.exec(text)?.[1]].filter(Boolean).join(' ')),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function demandUntouched(what: string): Promise<void> {
  await keys.client.send(new HeadBucketCommand({ Bucket: 'empty' }));
  const { Buckets = [] } = await keys.client.send(new ListBucketsCommand({}));
  assert.deepEqual(Buckets.map(({ Name }) => Name).sort(), ['empty', 'full'], what);
  const found = await keys.client.send(new GetObjectCommand({ Bucket: 'full', Key: 'k' }));
  assert.equal((await bytesOf(found)).toString(), 'content', what);
}

for (const [of, methods] of Object.entries(offered)) {
  for (const [method, some] of Object.entries(methods)) {
    test(`${method} of a sub-resource that ${of}s do not have is not implemented, and does nothing`, async () => {
      const missing = names.filter((name) => !some.split(' ').includes(name));
      assert.ok(missing.length > 20);
      const path = of === 'object' ? '/full/k' : method === 'PUT' ? '/new-bucket' : '/empty';
      for (const name of missing)
        assert.equal(await send(method, path, name), '501 NotImplemented', `${method} ${path}?${name}`);
      await demandUntouched(`${method} of ${of}s`);
    });
  }
}

test('HEAD of a sub-resource does not speak of the object', async () => {
  assert.equal(await send('HEAD', '/full/k', 'acl'), '501');
  assert.equal(await send('HEAD', '/full', 'policy'), '501');
});

test('a name alone that nobody knows is ignored by reads and refused by writes', async () => {
  assert.equal(await send('GET', '/full/k', 'nonsense'), '200');
  assert.equal(await send('GET', '/full', '1732300000'), '200');
  const writes = [
    'DELETE /empty',
    'DELETE /full/k',
    'PUT /new-bucket',
    'PUT /full/k',
    'POST /empty',
    'POST /full/k',
  ];
  for (const [method = '', path = ''] of writes.map((one) => one.split(' '))) {
    assert.equal(await send(method, path, 'nonsense'), '501 NotImplemented', `${method} ${path}`);
    assert.equal(await send(method, path, '__proto__'), '501 NotImplemented', `${method} ${path}`);
  }
  await demandUntouched('unknown names');
});

test('two sub-resources at a time are refused', async () => {
  assert.equal(await send('DELETE', '/empty', 'cors=&policy='), '400 InvalidArgument');
  assert.equal(await send('GET', '/full/k', 'acl=&tagging='), '400 InvalidArgument');
});

test('an object is not written by what was meant for a part or a version of it', async () => {
  assert.equal(await send('PUT', '/full/k', 'partNumber=1', 'part'), '400 InvalidArgument');
  assert.equal(await send('PUT', '/full/k', 'versionId=null', 'version'), '400 InvalidArgument');
  await demandUntouched('parts and versions');
});

test('parameters with values, and those of SDKs, change nothing', async () => {
  for (const query of ['x-id=PutObject', 'x-amz-security-token=', 'client=mine', 'response-content-type=']) {
    assert.equal(await send('PUT', '/full/other', query, 'other'), '200', query);
    assert.equal(await send('GET', '/full/other', query), '200', query);
    assert.equal(await send('DELETE', '/full/other', query), '204', query);
  }
});
