import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePolicy } from './access/policy.ts';
import { S3Error } from './errors.ts';
import { ChunkDecoder } from './signature/chunks.ts';
import { random } from './testing/fuzz.ts';
import { combineChecksums, compositeChecksum, newChecksum } from './wire/checksums.ts';
import { readTarget } from './wire/target.ts';
import { leaf } from './wire/xml.ts';
import { parseXml } from './wire/xml-parser.ts';

/** `S3_FUZZ_ROUNDS=1000000` runs a million of each. */
const rounds = Number(process.env['S3_FUZZ_ROUNDS'] ?? 5000);

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
