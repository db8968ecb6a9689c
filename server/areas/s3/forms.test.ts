import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { aws, bytesOf } from '#testing/s3-client.ts';
import { type S3Instance, startS3 } from './testing/instance.ts';

const Bucket = 'forms';
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

interface Part {
  /** Undefined: the part has none. */
  name?: string | undefined;
  filename?: string;
  value: string;
}

function bodyOf(parts: readonly Part[]): string {
  const texts = parts.map(({ name, filename, value }) => {
    const attributes = [
      ...(name === undefined ? [] : [`; name="${name}"`]),
      ...(filename === undefined ? [] : [`; filename="${filename}"`]),
    ].join('');
    return `--xyz\r\nContent-Disposition: form-data${attributes}\r\n\r\n${value}\r\n`;
  });
  return `${texts.join('')}--xyz--\r\n`;
}

describe('forms of browsers over S3', () => {
  let s3: S3Instance;
  let keys: Awaited<ReturnType<S3Instance['credential']>>;

  before(async () => {
    s3 = await startS3('sqlite');
    keys = await s3.credential();
    await keys.client.send(new aws.CreateBucketCommand({ Bucket }));
  });
  after(() => s3?.[Symbol.asyncDispose]());

  /** `length`: announced, though the body is another one; the connection ends behind what is sent. */
  const post = (body: string, length?: number) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = {
        'content-type': 'multipart/form-data; boundary=xyz',
        'content-length': length ?? Buffer.byteLength(body),
      };
      const request = httpRequest(`${s3.root}/${Bucket}`, { method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      request.on('error', reject);
      if (length === undefined) request.end(body);
      else request.write(body, () => request.destroy(new Error('cut off')));
    });
  const isAlive = async () => assert.equal((await fetch(`${s3.instance.url}/healthz`)).status, 200);

  /** The fields of a signed form for keys below `in/`. */
  const signed = (key: string, conditions: unknown[] = []): Part[] => {
    const amzDate = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
    const [date, region, service] = [amzDate.slice(0, 8), 'us-east-1', 's3'];
    const fields: Record<string, string> = {
      'x-amz-algorithm': 'AWS4-HMAC-SHA256',
      'x-amz-credential': `${keys.accessKeyId}/${date}/${region}/${service}/aws4_request`,
      'x-amz-date': amzDate,
    };
    const document = {
      expiration: new Date(Date.now() + 60_000).toISOString(),
      conditions: [
        ...[{ bucket: Bucket }, ['starts-with', '$key', 'in/']],
        ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
        ...conditions,
      ],
    };
    const policy = Buffer.from(JSON.stringify(document)).toString('base64');
    const signingKey = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
      (before, text) => hmac(before, text),
      `AWS4${keys.secretAccessKey}`,
    );
    const signature = hmac(signingKey, policy).toString('hex');
    return Object.entries({ key, ...fields, policy, 'x-amz-signature': signature }).map(([name, value]) => ({
      name,
      value,
    }));
  };

  test('a signed form stores its file, under its name where the key asks for it', async () => {
    const key = `in/${['$', '{filename}'].join('')}`;
    const { status } = await post(
      bodyOf([...signed(key), { name: 'file', filename: 'a.txt', value: 'abc' }]),
    );
    assert.equal(status, 204);
    const found = await keys.client.send(new aws.GetObjectCommand({ Bucket, Key: 'in/a.txt' }));
    assert.equal((await bytesOf(found)).toString(), 'abc');
  });

  test('what the policy does not allow is refused, and nothing is stored', async () => {
    const file = { name: 'file', filename: 'a', value: 'abcdef' };
    const cases: [parts: Part[], expected: string][] = [
      [[...signed('out/a'), file], '403 AccessDenied'],
      [[...signed('in/b'), { name: 'acl', value: 'public-read' }, file], '403 AccessDenied'],
      [[...signed('in/b', [['content-length-range', 1, 5]]), file], '400 EntityTooLarge'],
      [[...signed('in/b', [['content-length-range', 7, 9]]), file], '400 EntityTooSmall'],
      [[{ name: 'key', value: 'in/b' }, file], '403 AccessDenied'],
      [
        [...signed('in/b').map((part) => (part.name === 'policy' ? { ...part, value: 'e30=' } : part)), file],
        '403 SignatureDoesNotMatch',
      ],
    ];
    for (const [parts, expected] of cases) {
      const { status, text } = await post(bodyOf(parts));
      assert.equal(`${status} ${/<Code>(\w+)</.exec(text)?.[1]}`, expected);
    }
    const { Contents = [] } = await keys.client.send(
      new aws.ListObjectsV2Command({ Bucket, Prefix: 'in/b' }),
    );
    assert.deepEqual(Contents, []);
  });

  test('parts without a name, fields that are too long and files that come twice do no harm', async () => {
    const file = { name: 'file', filename: 'a', value: 'abc' };
    const cases: Part[][] = [
      [{ value: 'no name' }],
      [{ filename: 'no-name', value: 'x' }, file],
      [{ name: 'key', filename: 'k', value: 'k'.repeat(30_000) }],
      [{ name: 'key', filename: 'k', value: 'k'.repeat(30_000) }, file],
      [{ name: 'key', value: 'k'.repeat(30_000) }, file],
      [{ name: 'key', value: 'a' }, { name: 'key', value: 'b' }, file],
      [],
    ];
    for (const parts of cases) {
      const { status, text } = await post(bodyOf(parts));
      assert.equal(status, 400, text);
      await isAlive();
    }
    const twice = await post(bodyOf([...signed('in/twice'), file, { ...file, value: 'second' }]));
    assert.equal(twice.status, 204);
    const found = await keys.client.send(new aws.GetObjectCommand({ Bucket, Key: 'in/twice' }));
    assert.equal((await bytesOf(found)).toString(), 'abc');
  });

  test('a form that breaks off anywhere stores nothing, and the server continues', async () => {
    const parts = [
      ...signed('in/cut'),
      { name: 'x-ignore-this', filename: 't', value: 'not a file' },
      { name: 'file', filename: 'a', value: 'x'.repeat(500) },
      { name: 'file', filename: 'b', value: 'y'.repeat(100) },
    ];
    const body = bodyOf(parts);
    for (let at = 20; at < body.length; at += 90) {
      await assert.rejects(post(body.slice(0, at), body.length));
      // Ended in time, but in the middle of a part.
      await post(body.slice(0, at));
      await isAlive();
    }
    const inFile = body.indexOf('x'.repeat(500)) + 100;
    assert.equal((await post(body.slice(0, inFile))).status, 400);
  });
});
