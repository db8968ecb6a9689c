import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { TestClock } from '#testing/clock.ts';
import { engines, type TestHome, testHome } from '#testing/engines.ts';
import { fetchToken } from '#testing/instance.ts';
import { failure } from '#testing/s3-client.ts';
import { type S3Instance, startS3 } from './testing/instance.ts';
import { presign } from './testing/sign.ts';

for (const engine of engines) {
  describe(`S3 credentials on ${engine}`, () => {
    const clock = new TestClock();
    let home: TestHome;
    let s3: S3Instance;
    let path: string;

    before(async () => {
      home = await testHome(engine);
      s3 = await startS3(engine, { clock, home });
      path = `/applications/${s3.applicationId}/storage/s3-credentials`;
      const { client } = await s3.credential();
      await client.send(new CreateBucketCommand({ Bucket: 'bound' }));
      await client.send(new CreateBucketCommand({ Bucket: 'free' }));
      for (const Key of ['in/a', 'out/a'])
        await client.send(new PutObjectCommand({ Bucket: 'bound', Key, Body: 'x' }));
    });
    after(async () => {
      await s3?.[Symbol.asyncDispose]();
      await home?.[Symbol.asyncDispose]();
    });
    const call = (method: string, at: string, body?: unknown) =>
      s3.instance.call(method, at, { as: 'application', ...(body === undefined ? {} : { body }) });

    test('a credential is made, shown once, listed with its last use, and revoked', async () => {
      const made = await call('POST', path, { name: 'Laptop', access: 'read' });
      assert.equal(made.status, 200);
      assert.match(made.body.accessKeyId, /^MSTK[A-Z2-7]{16}$/);
      assert.match(made.body.secretAccessKey, /^mss3\w{49}$/);
      assert.equal(made.body.endpoint, 'http://mainstay.test/s3');
      const listed = await call('GET', path);
      const shown = listed.body.items.find((one: { id: string }) => one.id === made.body.id);
      assert.equal(shown.secretAccessKey, undefined);
      assert.equal(shown.lastUsedAt, null);
      assert.equal((await call('DELETE', `${path}/${made.body.id}`)).status, 204);
      assert.equal((await call('DELETE', `${path}/${made.body.id}`)).status, 404);
    });

    test('a read credential changes nothing', async () => {
      const { client } = await s3.credential({ access: 'read' });
      await client.send(new GetObjectCommand({ Bucket: 'bound', Key: 'in/a' }));
      const attempts = [
        () => client.send(new PutObjectCommand({ Bucket: 'bound', Key: 'in/b', Body: 'x' })),
        () => client.send(new DeleteObjectCommand({ Bucket: 'bound', Key: 'in/a' })),
        () => client.send(new CreateBucketCommand({ Bucket: 'another' })),
      ];
      for (const attempt of attempts) assert.equal(await failure(attempt()), '403 AccessDenied');
    });

    test('a credential of a bucket and a prefix reaches nothing else', async () => {
      const { client } = await s3.credential({ bucket: 'bound', prefix: 'in/' });
      await client.send(new GetObjectCommand({ Bucket: 'bound', Key: 'in/a' }));
      await client.send(new ListObjectsCommand({ Bucket: 'bound', Prefix: 'in/' }));
      const { Buckets } = await client.send(new ListBucketsCommand({}));
      assert.deepEqual(
        Buckets?.map(({ Name }) => Name),
        ['bound'],
      );
      const attempts = [
        () => client.send(new GetObjectCommand({ Bucket: 'bound', Key: 'out/a' })),
        () => client.send(new ListObjectsCommand({ Bucket: 'bound' })),
        () => client.send(new ListObjectsCommand({ Bucket: 'free', Prefix: 'in/' })),
      ];
      for (const attempt of attempts) assert.equal(await failure(attempt()), '403 AccessDenied');
    });

    test('a credential of another environment sees none of the buckets', async () => {
      const { client } = await s3.credential({ environment: 'preview' });
      assert.deepEqual((await client.send(new ListBucketsCommand({}))).Buckets ?? [], []);
      const read = client.send(new GetObjectCommand({ Bucket: 'bound', Key: 'in/a' }));
      assert.equal(await failure(read), '403 AccessDenied');
    });

    test("the id of another application's bucket is answered as one that does not exist", async () => {
      const organizationId = s3.instance.bootstrapped.organization.id;
      const as = 'organization';
      const application = await s3.instance.call('POST', '/applications', {
        ...{ as, body: { organizationId, name: 'Neighbour' } },
      });
      const foreign = await s3.instance.call('POST', `/applications/${application.body.id}/storage/buckets`, {
        as,
        body: { name: 'theirs' },
      });
      assert.equal(foreign.status, 200);
      const ask = async (bucket: string) => {
        const { status, body } = await call('POST', path, { bucket });
        return [status, body.error];
      };
      const none = await ask('01a20000-0000-7000-8000-000000000000');
      assert.equal(none[0], 404);
      assert.deepEqual(await ask(foreign.body.id), none);
    });

    test('a key of one environment is shown the credentials of that environment, page by page', async () => {
      const environments = await call('GET', `/applications/${s3.applicationId}/environments`);
      const preview = environments.body.items.find(({ slug }: { slug: string }) => slug === 'preview');
      const own = [await s3.credential({ environment: 'preview' })];
      await s3.credential();
      own.push(await s3.credential({ environment: 'preview' }));
      const key = await s3.instance.call('POST', '/api-keys', {
        as: 'organization',
        body: {
          ...{ name: 'Preview', applicationId: s3.applicationId, environmentId: preview.id },
          scopes: ['network:storage:read', 'network:storage:write'],
        },
      });
      assert.equal(key.status, 200, JSON.stringify(key.body));
      const as = { token: await fetchToken(s3.instance.url, key.body) };
      const all = (await s3.instance.call('GET', path, { as })).body;
      assert.ok(all.items.every((one: { environmentId: string }) => one.environmentId === preview.id));
      const ids: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await s3.instance.call('GET', `${path}?limit=1${cursor}`, { as });
        assert.equal(body.total, all.total);
        ids.push(...body.items.map((one: { id: string }) => one.id));
        if (body.nextCursor === undefined) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      assert.deepEqual(
        ids,
        all.items.map((one: { id: string }) => one.id),
      );
      assert.deepEqual(
        ids.slice(-2),
        own.map(({ id }) => id),
      );
    });

    test('a credential ends at its time', async () => {
      const body = { expiresAt: new Date(clock.now() + 60_000).toISOString() };
      const { client } = await s3.credential(body);
      await client.send(new ListBucketsCommand({}));
      clock.advance(61);
      assert.equal(await failure(client.send(new ListBucketsCommand({}))), '403 InvalidAccessKeyId');
    });

    test('a credential revoked on one node is refused on the other within a second', async () => {
      await using second = await startS3(engine, { clock, home });
      const { id, accessKeyId, secretAccessKey } = await s3.credential();
      const client = second.clientOf({ accessKeyId, secretAccessKey });
      await client.send(new ListBucketsCommand({}));
      await call('DELETE', `${path}/${id}`);
      const until = Date.now() + 1000;
      let seen = '';
      while (seen !== '403 InvalidAccessKeyId' && Date.now() < until)
        seen = await failure(client.send(new ListBucketsCommand({})));
      assert.equal(seen, '403 InvalidAccessKeyId');
    });

    test('an address that was signed with a credential ends with it', async () => {
      const { id, accessKeyId, secretAccessKey } = await s3.credential();
      const host = new URL(s3.instance.url).host;
      const signed = {
        host,
        accessKeyId,
        secretAccessKey,
        method: 'GET',
        path: '/s3/bound/in/a',
        time: clock.now(),
      };
      const address = `${s3.instance.url}${presign({ ...signed, expires: 600 })}`;
      assert.equal(await (await fetch(address)).text(), 'x');
      await call('DELETE', `${path}/${id}`);
      const refused = await fetch(address);
      assert.equal(refused.status, 403);
      assert.match(await refused.text(), /<Code>InvalidAccessKeyId<\/Code>/);
    });

    test('a token makes no credential beyond itself', async () => {
      const key = await s3.instance.call('POST', '/api-keys', {
        as: 'organization',
        body: { name: 'Writer', scopes: ['network:storage:read', 'network:storage:write'] },
      });
      assert.ok(key.status < 300, JSON.stringify(key.body));
      const response = await fetch(`${s3.instance.url}/oauth2/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${key.body.id}:${key.body.secret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const { access_token: token } = (await response.json()) as { access_token: string };
      const make = (access: string) => s3.instance.call('POST', path, { as: { token }, body: { access } });
      assert.equal((await make('readwrite')).status, 403);
      const read = await make('read');
      assert.equal(read.status, 200, JSON.stringify(read.body));
    });
  });
}

test('a credential that is bound to addresses works from them behind a trusted proxy, through either port', async () => {
  await using s3 = await startS3('sqlite', { settings: { MAINSTAY_TRUSTED_PROXIES: '127.0.0.0/8' } });
  const { id: _, client: __, ...keys } = await s3.credential();
  await s3.instance.platform.db.write((tx) =>
    tx.updateTable('s3_credentials').set({ allowed_addresses: '["203.0.113.0/24"]' }).execute(),
  );
  for (const [base, path] of [
    [s3.instance.url, '/s3/'],
    [s3.root, '/'],
  ] as const) {
    const { host } = new URL(base);
    const signed = presign({ ...keys, host, method: 'GET', path, time: Date.now(), expires: 60 });
    const from = async (chain: string) =>
      (await fetch(`${base}${signed}`, { headers: { 'x-forwarded-for': chain } })).status;
    assert.equal(await from('203.0.113.9'), 200, base);
    assert.equal(await from('203.0.113.9, 198.51.100.1'), 403, base);
  }
});
