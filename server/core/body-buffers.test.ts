import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBuffers } from './body-buffers.ts';

test('memory that was given back is used again, by sizes', () => {
  const buffers = new BodyBuffers(1024 * 1024);
  const first = buffers.take(20_000);
  assert.equal(first.length, 20_000);
  buffers.give(first);
  assert.equal(buffers.take(22_000).buffer, first.buffer);
  assert.notEqual(buffers.take(20_000).buffer, first.buffer);
  assert.notEqual(buffers.take(60_000).buffer, first.buffer);
});

test('no more waits than the bound allows', () => {
  const buffers = new BodyBuffers(40_000);
  const [one, two] = [buffers.take(20_000), buffers.take(20_000)];
  buffers.give(one);
  buffers.give(two);
  assert.equal(buffers.take(20_000).buffer, one.buffer);
  assert.notEqual(buffers.take(20_000).buffer, two.buffer);
});

test('a body is framed where it lies, and only in memory of these buffers', () => {
  const buffers = new BodyBuffers(1024 * 1024);
  const body = buffers.take(10).fill('x');
  const framed = buffers.frame(body, '«', '»');
  assert.equal(framed?.toString(), '«xxxxxxxxxx»');
  assert.equal(framed?.buffer, body.buffer);
  assert.equal(buffers.frame(Buffer.from('x'), '<', '>'), undefined);
  assert.equal(buffers.frame(buffers.take(10), 'x'.repeat(5000), ''), undefined);
});
