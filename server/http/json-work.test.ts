import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMilliseconds } from '#testing/cpu.ts';
import { startInstance } from '#testing/instance.ts';
import { rawBytes } from '#testing/raw.ts';
import { ItemCounter } from './json-work.ts';

/** Counts it whole, and in pieces of every size, which must not matter. */
function hasMoreItems(body: Uint8Array, limit: number): boolean {
  const whole = new ItemCounter(limit).exceeds(body);
  if (body.length > 100) return whole;
  for (let size = 1; size < body.length; size++) {
    const counter = new ItemCounter(limit);
    let exceeds = false;
    for (let at = 0; at < body.length && !exceeds; at += size)
      exceeds = counter.exceeds(body.subarray(at, at + size));
    assert.equal(exceeds, whole, `in pieces of ${size}`);
  }
  return whole;
}

const bytes = (text: string) => Buffer.from(text);

test('containers, names and further values count, what stands in strings does not', () => {
  const counts: [string, number][] = [
    ['{}', 1],
    ['[1,2,3]', 3],
    ['{"a":1,"b":[{}]}', 6],
    ['"{[:,"', 0],
    [String.raw`["\"{[:,\\",1]`, 2],
    [String.raw`["\\","{"]`, 2],
    ['"never ends {{{', 0],
    [`["${'a'.repeat(70)}{{{",1]`, 2],
    [`["${'a'.repeat(66)}${String.raw`\"`}{",1]`, 2],
    [String.raw`"ends in an escape \{{{"`, 0],
    [String.raw`["\u0022,{","\u005c",[]]`, 4],
  ];
  for (const [text, count] of counts) {
    assert.equal(hasMoreItems(bytes(text), count), false, text);
    if (count > 0) assert.equal(hasMoreItems(bytes(text), count - 1), true, text);
  }
});

test('it takes linear time, whatever the bytes are', () => {
  const hostile = [
    (length: number) => '"\\'.repeat(length / 2),
    (length: number) => `"${'\\"'.repeat(length / 2)}`,
    (length: number) => '""'.repeat(length / 2),
    (length: number) => ' '.repeat(length),
    (length: number) => '"'.repeat(length),
  ];
  const time = (body: Buffer) => cpuMilliseconds(() => hasMoreItems(body, 1e9));
  for (const make of hostile) {
    const [small, large] = [bytes(make(1 << 18)), bytes(make(1 << 22))];
    time(small);
    const least = (body: Buffer) => Math.min(time(body), time(body), time(body));
    assert.ok(least(large) < 40 * Math.max(least(small), 5));
  }
});

test('a body of many things is refused as soon as they have arrived, and one of escapes is parsed beside the rest', async () => {
  await using instance = await startInstance('sqlite');
  const token = await instance.token('application');
  const head = (length: number) =>
    [
      'POST /fastcache/batch HTTP/1.1',
      'host: x',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      'connection: close',
      `content-length: ${length}`,
    ].join('\r\n');
  for (const start of [`{"a":1${',"a":1'.repeat(5_000)}`, `{"operations":[{}${',{}'.repeat(5_000)}`]) {
    // The rest of what is announced never comes: nothing waits for it.
    const { status, body } = await rawBytes(instance.url, `${head(20 * 1024 * 1024)}\r\n\r\n${start}`);
    assert.equal(status, 413);
    assert.match(body, /values, names and containers/);
  }
  const post = (body: string) => instance.call('POST', '/fastcache/batch', { as: 'application', body });
  const value = '\\u0041'.repeat(1024 * 1024 - 1024);
  const operations = [0, 1].map((at) => `{"op":"set","key":"k${at}","value":"${value}"}`);
  const large = await post(`{"operations":[${operations.join(',')}]}`);
  assert.equal(large.status, 200, JSON.stringify(large.body).slice(0, 200));
  assert.deepEqual(
    large.body.results.map(({ status }: { status: number }) => status),
    [201, 201],
  );
  assert.equal(large.body.results[0].item.value.length, 1024 * 1024 - 1024);
  const broken = await post(`{"operations":[${operations.join(',')}`);
  assert.deepEqual([broken.status, broken.body], [400, { error: 'The body is not valid JSON.' }]);
});
