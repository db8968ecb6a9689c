import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { testHome } from '#testing/engines.ts';
import { startS3 } from './testing/instance.ts';
import { presign } from './testing/sign.ts';

test('a download that breaks off counts for what was sent of it', async () => {
  await using home = await testHome('sqlite');
  let s3 = await startS3('sqlite', { home });
  const { client, accessKeyId, secretAccessKey } = await s3.credential();
  await client.send(new CreateBucketCommand({ Bucket: 'left' }));
  const film = randomBytes(30 * 1024 * 1024);
  await client.send(new PutObjectCommand({ Bucket: 'left', Key: 'film', Body: film }));
  const keys = { accessKeyId, secretAccessKey, host: new URL(s3.root).host };
  const path = presign({ ...keys, method: 'GET', path: '/left/film', time: Date.now(), expires: 60 });
  const asked = get(`${s3.root}${path}`, { agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  response.destroy();
  // Closing counts what is still in memory.
  await s3[Symbol.asyncDispose]();
  s3 = await startS3('sqlite', { home });
  const usage = `/applications/${s3.applicationId}/storage/buckets/left/usage`;
  const { body } = await s3.instance.call('GET', usage, { as: 'application' });
  const { bytesOut } = body.items[0];
  assert.ok(bytesOut > 0 && bytesOut < film.length * 0.9, `${bytesOut} of ${film.length}`);
  await s3[Symbol.asyncDispose]();
});
