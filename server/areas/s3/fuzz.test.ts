import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { parsePolicy } from './access/policy.ts';
import type { Call } from './call.ts';
import { S3Error } from './errors.ts';
import { readForm } from './forms/form.ts';
import { checkPolicy } from './forms/policy.ts';
import { authenticate } from './signature/authenticate.ts';
import { SigningKeys } from './signature/canonical.ts';
import { ChunkDecoder } from './signature/chunks.ts';
import { random } from './testing/fuzz.ts';
import { chunked, presign, sign } from './testing/sign.ts';
import { combineChecksums, compositeChecksum, newChecksum } from './wire/checksums.ts';
import { readTarget } from './wire/target.ts';
import { leaf } from './wire/xml.ts';
import { parseXml } from './wire/xml-parser.ts';

/** `S3_FUZZ_ROUNDS=1000000` runs a million of each. */
const rounds = Number(process.env['S3_FUZZ_ROUNDS'] ?? 5000);
/** Of those that read streams, which takes a hundred times as long. */
const slowRounds = Math.ceil(rounds / 10);

const samples = [
  '<?xml version="1.0"?><Delete xmlns="urn:x"><Object><Key>a&amp;b</Key><VersionId>null</VersionId></Object></Delete>',
  '<a><![CDATA[x]]><!-- y --><b c="d" e=\'f\'/>&#x41;</a>',
  '<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>',
];

test('the XML parser answers or refuses, whatever it is given', () => {
  const { mutate } = random(1);
  for (let round = 0; round < rounds; round++) {
    const bytes = mutate(Buffer.from(samples[round % samples.length] ?? ''));
    try {
      assert.ok(parseXml(bytes).name.length > 0);
    } catch (error) {
      assert.ok(error instanceof S3Error && error.code === 'MalformedXML', String(error));
    }
  }
});

test('what is written as XML is read as it was', () => {
  const { text } = random(2);
  for (let round = 0; round < rounds; round++) {
    const value = text(round % 40).replaceAll('\0', '');
    const written = leaf('Key', value) || '';
    assert.equal(parseXml(Buffer.from(written)).text, value);
  }
});

test('the decoder of chunks answers or refuses, and never yields more than was announced', async () => {
  const { mutate, split } = random(3);
  const body = Buffer.from('5\r\nhello\r\n3\r\nabc\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n');
  for (let round = 0; round < rounds; round++) {
    const bytes = round % 5 === 0 ? body : mutate(body);
    const decoder = new ChunkDecoder(split(bytes), { signer: undefined, hasTrailer: true, length: 8 });
    let size = 0;
    try {
      for await (const chunk of decoder.content()) size += chunk.length;
      assert.equal(size, 8);
    } catch (error) {
      assert.ok(error instanceof S3Error && error.status === 400, String(error));
      assert.ok(size <= 8);
    }
  }
});

const host = '127.0.0.1:4000';
const credential = { accessKeyId: 'MSTKAAAAAAAAAAAAAAAA', secretAccessKey: 'mss3secret' };
const now = Date.parse('2026-11-23T02:00:00Z');

/** A request as it came, from its lines; undefined where no parser of HTTP would have let it through. */
function requestOf(text: string): { request: IncomingMessage; url: string } | undefined {
  const [first = '', ...lines] = text.split('\n');
  const [method = '', url = '', more] = first.split(' ');
  if (more !== undefined || !url.startsWith('/') || lines.some((line) => !line.includes(': ')))
    return undefined;
  const rawHeaders = lines.flatMap((line) => {
    const at = line.indexOf(': ');
    return [line.slice(0, at), line.slice(at + 2)];
  });
  return { request: { method, rawHeaders } as IncomingMessage, url };
}

/** What a signature vouches for, as this file reads it. */
function meaningOf(
  { request, url }: { request: IncomingMessage; url: string },
  names: readonly string[],
): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
  const pairs = query.split('&').filter((pair) => pair !== '');
  const parameters = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map(decoded);
    return `${name}=${value}`;
  });
  const headers = names.map((name) => {
    const values = request.rawHeaders.filter((_, at, all) => at % 2 && all[at - 1]?.toLowerCase() === name);
    return values.map((value) => value.trim().replace(/ +/g, ' ')).join();
  });
  return JSON.stringify([request.method, decodeURIComponent(path), parameters.sort(), headers]);
}

test('no change of a signed request passes for it', async () => {
  const { mutate } = random(6);
  const common = { ...credential, host, method: 'PUT', path: '/bucket/a%20key', time: now };
  const extra = { 'x-amz-acl': 'private', 'x-amz-meta-name': 'value' };
  const signed = sign({ ...common, query: 'tagging', payload: 'UNSIGNED-PAYLOAD', headers: extra });
  const inHeaders = ['PUT /bucket/a%20key?tagging']
    .concat(Object.entries(signed).map(([name, value]) => `${name}: ${value}`))
    .join('\n');
  const inAddress = `PUT ${presign({ ...common, expires: 60 })}\nhost: ${host}\ncontent-type: text/plain`;
  const samples = [
    {
      text: inHeaders,
      names: ['host', 'x-amz-acl', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-meta-name'],
    },
    { text: inAddress, names: ['host'] },
  ];
  const keys = new SigningKeys();
  const signer = { accessKeyId: credential.accessKeyId, secret: credential.secretAccessKey };
  const find = (id: string) => (id === signer.accessKeyId ? signer : null);
  let accepted = 0;
  for (let round = 0; round < rounds; round++) {
    const { text, names } = samples[round % samples.length] as (typeof samples)[number];
    const original = Buffer.from(text);
    const sent = requestOf((round < 2 ? original : mutate(original)).toString('latin1'));
    if (!sent) continue;
    try {
      const target = readTarget(sent.url, { base: '', host, domain: undefined });
      const found = await authenticate(sent.request, target, { now, keys, region: undefined, find });
      if (!found) continue;
      accepted++;
      assert.equal(meaningOf(sent, names), meaningOf(requestOf(text) as typeof sent, names));
    } catch (error) {
      assert.ok(error instanceof S3Error && error.status >= 400 && error.status < 500, String(error));
    }
  }
  assert.ok(accepted >= 2, 'the requests as they were signed are accepted');
});

test('chunks that are signed are those that were sent, or refused', async () => {
  const { mutate, split } = random(7);
  const content = Buffer.from('a few words that are signed in chunks');
  const at = { ...credential, host, path: '/bucket/key', content, chunkBytes: 16, time: now };
  const { headers, body } = chunked({ ...at, trailer: { 'x-amz-checksum-crc32': 'AAAAAA==' } });
  const scope = { date: '20261123', region: 'us-east-1', service: 's3' };
  const key = new SigningKeys().get(credential.accessKeyId, credential.secretAccessKey, scope);
  const seed = headers['authorization']?.slice(-64) ?? '';
  const signer = { key, scope, seed, timeText: '20261123T020000Z' };
  for (let round = 0; round < slowRounds; round++) {
    const bytes = round === 0 ? body : mutate(body);
    const decoder = new ChunkDecoder(split(bytes), { signer, hasTrailer: true, length: content.length });
    try {
      const chunks = await Array.fromAsync(decoder.content(), (chunk) => Buffer.from(chunk));
      assert.ok(Buffer.concat(chunks).equals(content));
      assert.deepEqual([...decoder.trailers], [['x-amz-checksum-crc32', 'AAAAAA==']]);
    } catch (error) {
      assert.ok(error instanceof S3Error, String(error));
      assert.ok(round > 0 && error.status >= 400 && error.status < 500, String(error));
    }
  }
});

test('policies of forms are kept to, or refused', () => {
  const { mutate, text } = random(8);
  const policy =
    '{"expiration":"2030-01-01T00:00:00Z","conditions":[{"bucket":"b"},["starts-with","$key","in/"],' +
    '["eq","$acl","private"],["content-length-range",1,9]]}';
  for (let round = 0; round < rounds; round++) {
    const isChanged = round % 2 === 1;
    const document = isChanged ? mutate(Buffer.from(policy)) : Buffer.from(policy);
    const key = round % 4 === 0 ? `in/${text(4)}` : text(6);
    const fields = new Map([
      ['acl', round % 8 === 0 ? 'private' : text(3)],
      ...(round % 3 === 0 ? [] : [[text(4).toLowerCase(), text(4)] as const]),
    ]);
    try {
      const range = checkPolicy(document.toString('base64'), { fields, key, bucket: 'b', now });
      if (isChanged) continue;
      assert.deepEqual(range, [1, 9]);
      assert.ok(key.startsWith('in/') && fields.get('acl') === 'private', key);
      assert.deepEqual(
        [...fields.keys()].filter((name) => name !== 'acl' && !name.startsWith('x-')),
        [],
      );
    } catch (error) {
      assert.ok(error instanceof S3Error, String(error));
      assert.ok(error.status >= 400 && error.status < 500, String(error));
    }
  }
});

test('forms are read or refused, and their file ends either way', async () => {
  const { mutate, split } = random(9);
  const part = (name: string, value: string, more = '') =>
    `--xyz\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  // Every field as a field or as a file: clients send both.
  const bodies = ['', '; filename="x"'].flatMap((more) =>
    ['', '; filename="f"'].map((name) => {
      const fields = `${part('key', 'a')}${part('acl', 'private', more)}`;
      return Buffer.from(`${fields}${part('file', 'content', name)}--xyz--\r\n`);
    }),
  );
  for (let round = 0; round < slowRounds; round++) {
    const body = bodies[round % bodies.length] as Buffer;
    const bytes =
      round < bodies.length ? body : round % 5 === 0 ? body.subarray(0, round % body.length) : mutate(body);
    const pieces = await Array.fromAsync(split(bytes));
    const headers = { 'content-type': 'multipart/form-data; boundary=xyz' };
    const request = Object.assign(new PassThrough(), { headers, complete: true });
    try {
      const reading = readForm({ request } as unknown as Call);
      for (const piece of pieces) request.write(piece);
      request.end();
      const { file } = await reading;
      for await (const chunk of file) assert.ok(chunk.length > 0);
      assert.ok(bytes.includes('--xyz--'), 'a form without its end passes for a whole one');
    } catch (error) {
      assert.ok(error instanceof S3Error, String(error));
      assert.ok(round >= bodies.length && error.status >= 400 && error.status < 500, String(error));
    }
  }
});

test('addresses and policies are read or refused', () => {
  const { mutate } = random(4);
  const policy =
    '{"Statement":[{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"s3:Get*","Resource":"arn:aws:s3:::b/*"}]}';
  for (let round = 0; round < rounds; round++) {
    const inputs = [
      () =>
        readTarget(mutate(Buffer.from('/s3/b/k%20?a=b&c')).toString('latin1'), {
          base: '/s3',
          host: 'x',
          domain: 'y',
        }),
      () => parsePolicy(mutate(Buffer.from(policy)).toString('utf8'), 'b'),
    ];
    for (const read of inputs) {
      try {
        read();
      } catch (error) {
        assert.ok(error instanceof S3Error && error.status === 400, String(error));
      }
    }
  }
});

test('checksums are those of their standards, and those of parts make that of the whole', () => {
  const known = { CRC32: 'y/Q5Jg==', CRC32C: '4waSgw==', CRC64NVME: 'rosUhgp5mIg=' } as const;
  const { bytes } = random(5);
  for (const [algorithm, value] of Object.entries(known) as [keyof typeof known, string][]) {
    const sum = newChecksum(algorithm);
    sum.update(Buffer.from('123456789'));
    assert.equal(sum.digest(), value);
    const whole = bytes(100_003);
    const cuts = [0, 1, 17, 50_000, 100_003];
    const parts = cuts.slice(1).map((end, at) => {
      const part = whole.subarray(cuts[at], end);
      const own = newChecksum(algorithm);
      own.update(part);
      return { value: own.digest(), size: part.length };
    });
    const direct = newChecksum(algorithm);
    for (let at = 0; at < whole.length; at += 777) direct.update(whole.subarray(at, at + 777));
    assert.equal(combineChecksums(algorithm, parts), direct.digest());
  }
  assert.match(compositeChecksum('SHA256', [newChecksum('SHA256').digest()]), /^.{44}-1$/);
});
