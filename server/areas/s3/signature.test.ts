import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { engines } from '#testing/engines.ts';
import { bytesOf, failure } from '#testing/s3-client.ts';
import { type S3Instance, startS3 } from './testing/instance.ts';
import { chunked, presign, type Signable, sign } from './testing/sign.ts';
import { newChecksum } from './wire/checksums.ts';

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

for (const engine of engines) {
  describe(`signatures on ${engine}`, () => {
    let s3: S3Instance;
    let keys: { accessKeyId: string; secretAccessKey: string };
    let base: Pick<Signable, 'accessKeyId' | 'secretAccessKey' | 'host'>;
    let port: number;

    before(async () => {
      s3 = await startS3(engine);
      const made = await s3.credential();
      keys = made;
      await made.client.send(new CreateBucketCommand({ Bucket: 'signed' }));
      port = Number(new URL(s3.root).port);
      base = {
        accessKeyId: keys.accessKeyId,
        secretAccessKey: keys.secretAccessKey,
        host: `127.0.0.1:${port}`,
      };
    });
    after(() => s3?.[Symbol.asyncDispose]());

    interface Sent {
      status: number;
      code: string | undefined;
      body: string;
    }
    const send = (
      method: string,
      path: string,
      headers: Record<string, string | string[]>,
      body?: Buffer | string,
    ) =>
      new Promise<Sent>((resolve, reject) => {
        const request = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
          let text = '';
          response.on('data', (chunk) => (text += chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, code: /<Code>(\w+)</.exec(text)?.[1], body: text }),
          );
        });
        request.on('error', reject);
        request.end(body);
      });
    const signed = (changes: Partial<Signable> = {}) =>
      sign({ ...base, method: 'GET', path: '/signed', payload: sha256(''), ...changes });
    const exists = async (Key: string) => {
      const client = s3.clientOf(keys);
      return client.send(new HeadObjectCommand({ Bucket: 'signed', Key })).then(
        () => true,
        () => false,
      );
    };

    test('a body that cannot fit is refused before it is sent, and a part of an upload too', async () => {
      const buckets = `/applications/${s3.applicationId}/storage/buckets`;
      const settings = `${buckets}/full/settings`;
      for (const [method, path, body] of [
        ['POST', buckets, { name: 'full' }],
        ['PATCH', settings, { quotaBytes: 200_000 }],
      ] as const)
        assert.equal((await s3.instance.call(method, path, { as: 'application', body })).status, 200);
      const client = s3.clientOf(keys);
      const upload = { Bucket: 'full', Key: 'parts' };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload));
      const announce = (length: number) =>
        new Promise<string>((resolve, reject) => {
          const target = { method: 'PUT', path: '/full/object' };
          const headers = {
            ...sign({ ...base, ...target, payload: 'UNSIGNED-PAYLOAD' }),
            ...{ expect: '100-continue', 'content-length': length },
          };
          const sent = httpRequest({ host: '127.0.0.1', port, ...target, headers });
          sent.on('continue', () => {
            resolve('continue');
            sent.destroy();
          });
          sent.on('response', (response) => {
            response.resume();
            resolve(String(response.statusCode));
          });
          sent.on('error', reject);
          sent.flushHeaders();
        });
      assert.equal(await announce(150_000), 'continue');
      assert.equal(await announce(250_000), '403');
      const put = (Body: string) =>
        client.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body }));
      await put('x'.repeat(150_000));
      assert.equal(await failure(put('x'.repeat(250_000))), '403 QuotaExceeded');
      await put('y'.repeat(180_000));
    });

    test('a right signature is accepted; one wrong in any component is not', async () => {
      assert.equal((await send('GET', '/signed', signed())).status, 200);
      const cases: [string, Promise<Sent>, string][] = [
        ['method', send('DELETE', '/signed', signed()), 'SignatureDoesNotMatch'],
        ['path', send('GET', '/signed/x', signed()), 'SignatureDoesNotMatch'],
        ['query', send('GET', '/signed?prefix=a', signed()), 'SignatureDoesNotMatch'],
        ['secret', send('GET', '/signed', signed({ secretAccessKey: 'wrong' })), 'SignatureDoesNotMatch'],
        [
          'key',
          send('GET', '/signed', signed({ accessKeyId: 'MSTKAAAAAAAAAAAAAAAA' })),
          'InvalidAccessKeyId',
        ],
        ['region', send('GET', '/signed', signed({ region: 'eu-west-1' })), 'AuthorizationHeaderMalformed'],
        ['service', send('GET', '/signed', signed({ service: 'ec2' })), 'AuthorizationHeaderMalformed'],
        ['header', send('GET', '/signed', { ...signed(), 'x-amz-acl': 'private' }), 'AccessDenied'],
        ['old', send('GET', '/signed', signed({ time: Date.now() - 16 * 60_000 })), 'RequestTimeTooSkewed'],
        [
          'future',
          send('GET', '/signed', signed({ time: Date.now() + 16 * 60_000 })),
          'RequestTimeTooSkewed',
        ],
      ];
      for (const [what, sent, code] of cases) assert.equal((await sent).code, code, what);
      const headers = signed();
      for (const [from, to] of [
        ['Signature=', 'Signature=0'],
        ['Credential=', 'Credentials='],
        ['SignedHeaders=', 'SignedHeaders=a;'],
        ['AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA1'],
      ] as const) {
        const authorization = (headers['authorization'] as string).replace(from, to);
        assert.ok(
          [400, 403].includes((await send('GET', '/signed', { ...headers, authorization })).status),
          to,
        );
      }
      const twice = await send('GET', '/signed', {
        ...headers,
        authorization: [headers['authorization'] as string, 'x'],
      });
      assert.notEqual(twice.status, 200);
      const { 'x-amz-content-sha256': _, ...without } = headers;
      assert.notEqual((await send('GET', '/signed', without)).status, 200);
      const old = { authorization: 'AWS key:signature', date: new Date().toUTCString() };
      const { code, body } = await send('GET', '/signed', old);
      assert.equal(code, 'InvalidRequest');
      assert.match(body, /Version 4/);
    });

    test('a presigned address works for its method and time only', async () => {
      const put = presign({ ...base, method: 'PUT', path: '/signed/pre', expires: 60 });
      assert.equal((await send('PUT', put, { host: base.host, 'content-length': '1' }, 'x')).status, 200);
      assert.equal((await send('DELETE', put, { host: base.host })).code, 'SignatureDoesNotMatch');
      const time = Date.now() - 120_000;
      const late = presign({ ...base, method: 'GET', path: '/signed/pre', expires: 60, time });
      assert.match((await send('GET', late, { host: base.host })).body, /expired/);
      const wrong = put.replace(/X-Amz-Expires=60/, 'X-Amz-Expires=600');
      assert.equal((await send('PUT', wrong, { host: base.host }, 'x')).code, 'SignatureDoesNotMatch');
    });

    test('bodies that are not what was signed leave nothing', async () => {
      const put = (
        key: string,
        payload: string,
        body: Buffer | string,
        more: Record<string, string> = {},
      ) => {
        const headers = sign({ ...base, method: 'PUT', path: `/signed/${key}`, payload, headers: more });
        return send(
          'PUT',
          `/signed/${key}`,
          { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          body,
        );
      };
      assert.equal((await put('other', sha256('abc'), 'abd')).code, 'XAmzContentSHA256Mismatch');
      assert.equal(await exists('other'), false);
      assert.equal(
        (
          await put('md5', sha256('abc'), 'abc', {
            'content-md5': createHash('md5').update('abd').digest('base64'),
          })
        ).code,
        'BadDigest',
      );
      assert.equal((await put('bad', 'STREAMING-UNKNOWN', 'abc')).code, 'InvalidArgument');
      assert.equal((await put('right', sha256('abc'), 'abc')).status, 200);
    });

    test('chunks are checked one by one, and so is what trails them', async () => {
      const content = Buffer.concat([Buffer.alloc(70_000, 'a'), Buffer.from('the end')]);
      const sum = newChecksum('CRC32C');
      sum.update(content);
      const trailer = { 'x-amz-checksum-crc32c': sum.digest() };
      const put = async (
        key: string,
        options: Parameters<typeof chunked>[0] extends infer T ? Partial<T> : never,
        spoil = (body: Buffer) => body,
      ) => {
        const made = chunked({ ...base, path: `/signed/${key}`, content, chunkBytes: 65_536, ...options });
        const body = spoil(made.body);
        return send(
          'PUT',
          `/signed/${key}`,
          { ...made.headers, 'content-length': String(body.length) },
          body,
        );
      };
      for (const [key, options] of [
        ['plain', {}],
        ['trailed', { trailer }],
        ['unsigned', { trailer, unsigned: true }],
      ] as const) {
        const { status, body } = await put(key, options);
        assert.equal(status, 200, body);
        const stored = await s3.clientOf(keys).send(new GetObjectCommand({ Bucket: 'signed', Key: key }));
        assert.deepEqual(await bytesOf(stored), content);
      }
      const lastByte = (body: Buffer) => {
        const spoiled = Buffer.from(body);
        spoiled[body.lastIndexOf('the end')] = 0x54;
        return spoiled;
      };
      const cases: [string, Promise<Sent>][] = [
        ['SignatureDoesNotMatch', put('w1', {}, lastByte)],
        [
          'SignatureDoesNotMatch',
          put('w2', { trailer: { 'x-amz-checksum-crc32c': 'AAAAAA==' }, spoil: 'trailer-signature' }),
        ],
        ['BadDigest', put('w3', { trailer: { 'x-amz-checksum-crc32c': 'AAAAAA==' } })],
        ['BadDigest', put('w4', { trailer, unsigned: true }, lastByte)],
        ['IncompleteBody', put('w5', { length: content.length + 1 })],
        ['IncompleteBody', put('w6', { length: content.length - 1 })],
        ['IncompleteBody', put('w7', {}, (body) => body.subarray(0, -90))],
        [
          'MalformedTrailerError',
          put('w8', { trailer: {}, announced: 'x-amz-checksum-crc32c', unsigned: true }),
        ],
      ];
      for (const [code, sent] of cases) assert.equal((await sent).code, code);
      for (const key of ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8'])
        assert.equal(await exists(key), false, key);
    });

    test('documents that are no honest XML are refused, and nothing about the server is disclosed', async () => {
      const put = (body: string) => {
        const headers = sign({
          ...base,
          method: 'PUT',
          path: '/signed',
          query: 'tagging',
          payload: sha256(body),
        });
        return send(
          'PUT',
          '/signed?tagging=',
          { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          body,
        );
      };
      const entity =
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Tagging><TagSet>&a;</TagSet></Tagging>';
      const deep = `${'<a>'.repeat(50_000)}`;
      for (const body of [
        entity,
        deep.slice(0, 60_000),
        '<Tagging><TagSet>',
        '',
        'no',
        '<Tagging a=b/>',
        '<Tagging>\u0000&#0;</Tagging>',
      ])
        assert.equal((await put(body)).code, 'MalformedXML', body.slice(0, 40));
      assert.equal((await put('x'.repeat(10 * 1024 * 1024))).code, 'MaxMessageLengthExceeded');
    });

    test('keys with awkward bytes are returned unchanged', async () => {
      const client = s3.clientOf(keys);
      const { PutObjectCommand, ListObjectsV2Command } = await import('@aws-sdk/client-s3');
      const awkward = [
        ' ',
        '+',
        '%',
        '%25',
        '../x',
        './',
        '//',
        'a//b',
        '?',
        '#',
        '&',
        '\n',
        '\r',
        '\t',
        '\u007f',
        '"',
        "'",
        '<>',
        '\\',
        'é',
        '\u{1f4a9}',
        '~',
        '*',
        '(1)',
        '=',
      ];
      const made = awkward.map((part) => `awkward/${part}`);
      for (const Key of made) await client.send(new PutObjectCommand({ Bucket: 'signed', Key, Body: Key }));
      for (const Key of made) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: 'signed', Key }));
        assert.equal(await Body?.transformToString(), Key);
      }
      const listed = await client.send(
        new ListObjectsV2Command({ Bucket: 'signed', Prefix: 'awkward/', EncodingType: 'url' }),
      );
      const found = listed.Contents?.map(({ Key = '' }) => decodeURIComponent(Key)) ?? [];
      assert.deepEqual(new Set(found), new Set(made));
    });
  });
}
